import Processes

/// Folders for unix sockets, whose whole path may have 107 bytes at most (103 on macOS), so a folder inside
/// a project or a cache may be too deep.
enum SocketFolder {
  /// Makes an empty private folder with a short path for the server of a data folder.
  ///
  /// - Throws: ``SystemError``.
  static func make(for dataFolder: String, account: SystemUser?) throws -> String {
    let folder = "\(try base())/\(PathDigest.hex(dataFolder).prefix(12))"
    // What a killed server left there is only its socket.
    try Files.remove(folder)
    try Files.makeFolder(folder)
    if let account { try Files.give(folder, to: account) }
    return folder
  }

  /// A folder of this user alone: others may pass through it at most.
  static func base() throws -> String {
    let name = "nomdev-\(SystemUser.currentID)"
    var candidates = ["\(Files.temporaryFolder)/\(name)", "/tmp/\(name)"]
    if SystemUser.isRoot {
      candidates = ["/run/nomdev", "/tmp/\(name)"]
    } else if let runtime = ProcessEnvironment.value("XDG_RUNTIME_DIR"), runtime.utf8.count < 60 {
      candidates.insert("\(runtime)/nomdev", at: 0)
    }
    for path in candidates where path.utf8.count < 70 {
      if (try? makeOwn(path)) == true { return path }
    }
    // Somebody else took the name in a folder that all share: a name nobody can have taken.
    let path = try Files.makeTemporaryFolder(in: "/tmp", named: "nomdev-")
    if SystemUser.isRoot { try Files.setMode(path, 0o711) }
    return path
  }

  /// Makes a folder, or checks that an existing one is this user's and that nobody else can write to it.
  static func makeOwn(_ path: String) throws -> Bool {
    try Files.makeFolder(path, mode: SystemUser.isRoot ? 0o711 : 0o700)
    guard let status = Files.status(path) else { return false }
    return status.kind == .folder && status.owner == SystemUser.currentID && status.mode & 0o022 == 0
  }
}
