import Processes

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The folder of all templates.
enum CacheFolder {
  static let draftPrefix = "draft-"
  private static let templatePrefix = "template-"

  /// The user's cache folder. For root, whose own is usually closed to the account the server runs as,
  /// `/var/cache/nomdev`.
  static func path() throws -> String {
    let own = UserFolders.cache
    guard let account = try ServerAccount.current(), !ServerAccount.canEnter(own, account) else {
      return own
    }
    return "/var/cache/nomdev"
  }

  static func make(_ path: String) throws {
    try Files.makeFolder(path, mode: SystemUser.isRoot ? 0o711 : 0o700)
  }

  /// Says at most once a day that a template is used, in the time of its note.
  static func markUsed(_ note: String) {
    guard let status = Files.status(note), age(status) > .seconds(86_400) else { return }
    utimes(note, nil)
  }

  /// Removes what killed builds left, and templates nobody used for two weeks, and beyond the newest six
  /// those nobody used for two days. One that a running server was started from stays.
  ///
  /// Called by the holder of the cache's lock, so every draft is a dead one's.
  static func prune(_ cache: String, keeping kept: String) {
    let names = Files.names(in: cache)
    for name in names where name.hasPrefix(draftPrefix) { try? Files.remove("\(cache)/\(name)") }
    let inUse = Set(ClusterRegistry.running().map(\.template))
    let templates = names.filter { $0.hasPrefix(templatePrefix) }.map { "\(cache)/\($0)" }
      .compactMap { path in Files.status("\(path)/ready").map { (path, age($0)) } }
      .sorted { $0.1 < $1.1 }
    for (index, (path, age)) in templates.enumerated() where path != kept && !inUse.contains(path) {
      if age > .seconds(14 * 86_400) || (index >= 6 && age > .seconds(2 * 86_400)) {
        try? Files.remove(path)
      }
    }
  }

  /// A full disk as what it is, whatever call met it.
  static func diskFull(_ error: any Error, _ folder: String) -> any Error {
    guard let error = error as? SystemError, error.isDiskFull else { return error }
    return ClusterError.diskFull(folder: folder, detail: "\(error.action): \(error.reason)")
  }

  private static func age(_ status: Files.Status) -> Duration {
    var now = timeval()
    gettimeofday(&now, nil)
    return .seconds(max(0, Int(now.tv_sec) - status.modified / 1_000_000_000))
  }
}

/// Names made from texts.
package enum PathDigest {
  /// 16 hexadecimal digits. FNV-1a: it tells names apart and protects nothing.
  package static func hex(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
