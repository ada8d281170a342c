import CProcess

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Under other names, because the functions of `Files` hide them.
#if canImport(Glibc)
  private let readSome = Glibc.read
  private let writeSome = Glibc.write
  private let renamed = Glibc.rename
#else
  private let readSome = Darwin.read
  private let writeSome = Darwin.write
  private let renamed = Darwin.rename
#endif

/// Files and folders, without Foundation. What it makes is private to the user unless said otherwise.
package enum Files {
  /// What `lstat` tells of a path.
  package struct Status: Sendable, Hashable {
    package enum Kind: Sendable { case file, folder, link, other }
    package let kind: Kind
    package let owner: UInt32
    package let group: UInt32
    /// Permission bits, as `0o700`.
    package let mode: UInt32
    package let size: Int
    /// Time of the last change to the content, in nanoseconds since 1970.
    package let modified: Int
  }

  /// What the path itself is, a symbolic link not followed; nil where there is nothing.
  package static func status(_ path: String) -> Status? {
    var info = stat()
    guard lstat(path, &info) == 0 else { return nil }
    #if canImport(Glibc)
      let time = info.st_mtim
    #else
      let time = info.st_mtimespec
    #endif
    let kind: Status.Kind =
      switch info.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    return Status(
      kind: kind, owner: info.st_uid, group: info.st_gid, mode: UInt32(info.st_mode) & 0o7777,
      size: Int(info.st_size), modified: Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec))
  }

  /// Whether the path leads to something, links followed.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// The names in a folder, in no order; empty where it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = name(of: entry)
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// The path with every link resolved; nil where it leads nowhere.
  package static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Where a symbolic link points; nil where the path is none.
  package static func destination(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      let count = readlink(path, base, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// The folder this process works in.
  package static var workingFolder: String { real(".") ?? "/" }

  /// Bytes that are free for the user on the file system of a path; nil where it cannot tell.
  package static func freeBytes(_ path: String) -> Int? {
    let bytes = cprocess_free_bytes(path)
    return bytes < 0 ? nil : Int(bytes)
  }

  // MARK: - Reading and writing

  /// The content as text, invalid UTF-8 replaced.
  package static func read(_ path: String) throws -> String {
    String(decoding: try readBytes(path), as: UTF8.self)
  }

  package static func readBytes(_ path: String) throws -> [UInt8] {
    let descriptor = cprocess_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { throw SystemError("reading \(path)") }
    defer { close(descriptor) }
    return try readAll(descriptor, "reading \(path)")
  }

  /// Reads a descriptor to its end. The caller closes it.
  static func readAll(_ descriptor: Int32, _ action: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = readSome(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw SystemError(action) }
    }
  }

  /// The last lines of a text file, at most `limit`; empty where it cannot be read.
  package static func lastLines(_ path: String, _ limit: Int) -> [String] {
    let descriptor = cprocess_open(path, O_RDONLY, 0)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    // Log lines are some hundred bytes long; a log may be very large.
    let end = lseek(descriptor, 0, SEEK_END)
    let start = max(0, end - off_t(max(limit, 1) * 1024))
    lseek(descriptor, start, SEEK_SET)
    guard let bytes = try? readAll(descriptor, "reading \(path)") else { return [] }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    if start > 0, !lines.isEmpty { lines.removeFirst() }
    return lines.suffix(limit)
  }

  /// Writes a whole file so that a reader sees the old content or the new, never a part, also when this
  /// process is killed in the middle: under another name first, then renamed.
  package static func write(_ text: String, to path: String, mode: UInt32 = 0o600) throws {
    let draft = "\(path).\(getpid()).\(RandomToken.hex(bytes: 4)).draft"
    let action = "writing \(path)"
    let descriptor = cprocess_open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode_t(mode))
    guard descriptor >= 0 else { throw SystemError(action) }
    do {
      try writeAll(Array(text.utf8), to: descriptor, action)
      guard fchmod(descriptor, mode_t(mode)) == 0 else { throw SystemError(action) }
    } catch {
      close(descriptor)
      unlink(draft)
      throw error
    }
    guard close(descriptor) == 0, renamed(draft, path) == 0 else {
      let failure = SystemError(action)
      unlink(draft)
      throw failure
    }
  }

  static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ action: String) throws {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { writeSome(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { start += count } else if errno != EINTR { throw SystemError(action) }
    }
  }

  // MARK: - Folders and names

  /// Makes a folder and what is missing above it. Existing ones stay as they are.
  package static func makeFolder(_ path: String, mode: UInt32 = 0o700) throws {
    if mkdir(path, mode_t(mode)) == 0 {
      // The process's file mode mask took bits away.
      guard chmod(path, mode_t(mode)) == 0 else { throw SystemError("making the folder \(path)") }
      return
    }
    let number = errno
    if number == EEXIST, status("\(path)/.")?.kind == .folder { return }
    guard number == ENOENT, let parent = parent(of: path), parent != path else {
      throw SystemError("making the folder \(path)", number: number)
    }
    try makeFolder(parent, mode: mode)
    try makeFolder(path, mode: mode)
  }

  /// Makes a folder nobody has made before, in an existing one, and returns its path.
  package static func makeTemporaryFolder(in folder: String, named prefix: String) throws -> String {
    while true {
      let path = "\(folder)/\(prefix)\(RandomToken.hex(bytes: 6))"
      if mkdir(path, 0o700) == 0 { return path }
      if errno != EEXIST { throw SystemError("making a folder in \(folder)") }
    }
  }

  /// `$TMPDIR`, else `/tmp`.
  package static var temporaryFolder: String {
    guard let path = ProcessEnvironment.value("TMPDIR"), path.hasPrefix("/") else { return "/tmp" }
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  package static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func rename(_ path: String, to other: String) throws {
    guard renamed(path, other) == 0 else { throw SystemError("renaming \(path) to \(other)") }
  }

  package static func link(_ path: String, to destination: String) throws {
    guard symlink(destination, path) == 0 else { throw SystemError("linking \(path) to \(destination)") }
  }

  /// Gives a path to another account, a link itself rather than what it points to.
  package static func give(_ path: String, to user: SystemUser) throws {
    guard lchown(path, user.id, user.group) == 0 else {
      throw SystemError("giving \(path) to \(user.name)")
    }
  }

  package static func setMode(_ path: String, _ mode: UInt32) throws {
    guard chmod(path, mode_t(mode)) == 0 else { throw SystemError("changing the mode of \(path)") }
  }

  /// Removes a file, or a folder with all it holds; links in it are removed, not followed. What is gone
  /// already is no error, so that two processes may clean up at once.
  package static func remove(_ path: String) throws {
    guard let status = status(path) else { return }
    if status.kind == .folder {
      for name in names(in: path) { try remove("\(path)/\(name)") }
      guard rmdir(path) == 0 || errno == ENOENT else { throw SystemError("removing \(path)") }
    } else {
      guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("removing \(path)") }
    }
  }
}

/// Names and secrets that cannot be guessed.
package enum RandomToken {
  /// `bytes` random bytes from the system's generator, as lower-case hexadecimal digits.
  package static func hex(bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<bytes {
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(text)
  }
}
