import CProcess

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Files {
  /// Makes `path` a copy of a folder with all it holds: folders as 0700, files as 0600, links as they are,
  /// all of it given to `user` if there is one, the copy's own folder last, so that until then nobody else
  /// can enter it.
  ///
  /// What is there already is overwritten, and what the original does not have is removed. On ext4 that is
  /// several times quicker than making the files anew, which avoids the places of those just deleted.
  ///
  /// - Throws: ``SystemError``; the copy is then a part of one.
  package static func copyTree(_ from: String, to path: String, owner user: SystemUser? = nil) throws {
    var tree = TreeCopy(user: user)
    let isNew = status(path) == nil
    if isNew {
      guard mkdir(path, 0o700) == 0 else { throw SystemError("making the folder \(path)") }
    } else {
      guard lchown(path, geteuid(), getegid()) == 0 else { throw SystemError("taking \(path)") }
    }
    try tree.walk(from, path, isNew: isNew)
    try copyFiles(tree.files, overwriting: !isNew, owner: user)
    if let user { try give(path, to: user) }
  }

  /// Copies files on several threads.
  ///
  /// - Parameter overwriting: Whether files that exist are overwritten; otherwise one is an error.
  package static func copyFiles(
    _ files: [(from: String, to: String)], overwriting: Bool = false, mode: UInt32 = 0o600,
    owner user: SystemUser? = nil
  ) throws {
    let sources = files.map { strdup($0.from) }
    let targets = files.map { strdup($0.to) }
    defer { for copy in sources + targets { free(copy) } }
    var failed = 0
    let number = sources.map { UnsafePointer($0) }.withUnsafeBufferPointer { from in
      targets.map { UnsafePointer($0) }.withUnsafeBufferPointer { to in
        cprocess_copy_files(
          from.baseAddress, to.baseAddress, files.count, 4, overwriting ? 1 : 0, mode_t(mode),
          user?.id ?? uid_t.max, user?.group ?? gid_t.max, &failed)
      }
    }
    guard number == 0 else {
      throw SystemError("copying \(files[failed].from) to \(files[failed].to)", number: number)
    }
  }
}

/// The folders and links of a tree, made; its files, noted.
private struct TreeCopy {
  let user: SystemUser?
  var files: [(from: String, to: String)] = []

  mutating func walk(_ from: String, _ to: String, isNew: Bool) throws {
    let names = try Files.entries(in: from)
    if !isNew {
      let wanted = Dictionary(names.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
      // Also what is there as something else: a link in the place of a folder would lead out of the copy.
      for entry in try Files.entries(in: to) where wanted[entry.name] != entry.kind || entry.kind == .link {
        try Files.remove("\(to)/\(entry.name)")
      }
    }
    for (name, kind) in names {
      let (source, target) = ("\(from)/\(name)", "\(to)/\(name)")
      switch kind {
      case .file: files.append((source, target))
      case .folder:
        let isNew = mkdir(target, 0o700) == 0
        if !isNew && errno != EEXIST { throw SystemError("making the folder \(target)") }
        if let user, isNew { try Files.give(target, to: user) }
        try walk(source, target, isNew: isNew)
      case .link:
        try Files.link(target, to: Files.destination(ofLink: source) ?? "")
        if let user { try Files.give(target, to: user) }
      case .other: break
      }
    }
  }
}

extension Files {
  /// The names in a folder with what they are, asked for one by one only where the file system does not tell.
  fileprivate static func entries(in folder: String) throws -> [(name: String, kind: Status.Kind)] {
    guard let handle = opendir(folder) else { throw SystemError("reading \(folder)") }
    defer { closedir(handle) }
    var entries: [(name: String, kind: Status.Kind)] = []
    while let entry = readdir(handle) {
      let name = name(of: entry)
      if name == "." || name == ".." { continue }
      let kind: Status.Kind? =
        switch Int32(entry.pointee.d_type) {
        case Int32(DT_REG): .file
        case Int32(DT_DIR): .folder
        case Int32(DT_LNK): .link
        case Int32(DT_UNKNOWN): status("\(folder)/\(name)")?.kind
        default: .other
        }
      if let kind { entries.append((name, kind)) }
    }
    return entries
  }

  static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
  }
}
