import Processes

/// The account servers run as: this one, or for root an unprivileged one, because the server refuses root.
package enum ServerAccount {
  /// nil: no change of account is needed.
  ///
  /// - Throws: ``ClusterError/noServerUser``.
  package static func current() throws -> SystemUser? {
    guard SystemUser.isRoot else { return nil }
    guard let user = SystemUser.named("postgres") ?? SystemUser.named("nobody"), user.id != 0 else {
      throw ClusterError.noServerUser
    }
    return user
  }

  /// Whether an account may enter a folder: every existing folder on the way lets it pass.
  package static func canEnter(_ path: String, _ user: SystemUser) -> Bool {
    guard let real = nearestReal(path) else { return false }
    let groups = Set(user.groups)
    var folder = ""
    for part in [""] + real.split(separator: "/").map(String.init) {
      folder = part.isEmpty ? "/" : (folder == "/" ? "/\(part)" : "\(folder)/\(part)")
      guard let status = Files.status(folder), status.kind == .folder else { return false }
      let bit: UInt32 = status.owner == user.id ? 0o100 : groups.contains(status.group) ? 0o010 : 0o001
      if status.mode & bit == 0 { return false }
    }
    return true
  }

  /// The real path of the nearest folder above that exists, or of the path itself.
  private static func nearestReal(_ path: String) -> String? {
    var path = path
    while true {
      if let real = Files.real(path) { return real }
      guard let parent = Files.parent(of: path), parent != path else { return nil }
      path = parent
    }
  }
}
