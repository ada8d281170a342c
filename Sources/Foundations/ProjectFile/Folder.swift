import Diagnostics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder by its absolute path, and what project reading asks of it.
struct Folder {
  let path: String

  init(_ path: String) {
    var trimmed = Substring(path)
    while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
    self.path = String(trimmed)
  }

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The folder above; nil at the top.
  var parent: Folder? {
    guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
    return Folder(slash == path.startIndex ? "/" : String(path[..<slash]))
  }

  /// The path of something in here. An absolute path stays as it is, and `./` and `../` are taken out.
  func path(_ relative: String) -> String {
    guard !relative.hasPrefix("/") else { return relative }
    var parts = path.split(separator: "/")
    for part in relative.split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  var hasSupabaseConfig: Bool { hasFile("supabase/config.toml") }
  var hasProjectFile: Bool { hasFile("nomdev.toml") || hasSupabaseConfig }

  /// Whether migrations make this a project. The `supabase` folder inside one has them too, and isn't.
  var hasMigrations: Bool {
    hasFolder("supabase/migrations") || (hasFolder("migrations") && name != "supabase")
  }

  func hasFile(_ relative: String) -> Bool { mode(relative) == S_IFREG }
  func hasFolder(_ relative: String) -> Bool { mode(relative) == S_IFDIR }

  private func mode(_ relative: String) -> mode_t? {
    var info = stat()
    return stat(path(relative), &info) == 0 ? info.st_mode & S_IFMT : nil
  }

  /// Reads a text file of this folder; nil where there is none.
  ///
  /// - Throws: `project.unreadable` where it exists and can't be read, or isn't UTF-8.
  func read(_ relative: String) throws -> SourceFile? {
    guard let handle = fopen(path(relative), "r") else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable(relative, String(cString: strerror(errno)))
    }
    defer { fclose(handle) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, handle)
      bytes += chunk[..<count]
      if count < chunk.count { break }
    }
    guard ferror(handle) == 0 else { throw unreadable(relative, String(cString: strerror(errno))) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw unreadable(relative, "it is not UTF-8 text")
    }
    return SourceFile(path: relative, text: text)
  }

  private func unreadable(_ relative: String, _ reason: String) -> Diagnostic {
    Diagnostic("project.unreadable", "can't read \(relative)", detail: reason)
  }

  /// The files of a folder in here with names of this ending, in the order of their names' bytes.
  func files(in relative: String, ending: String) throws -> [String] {
    guard let stream = opendir(path(relative)) else {
      throw unreadable(relative, String(cString: strerror(errno)))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending), !name.hasPrefix("."), hasFile("\(relative)/\(name)") { names.append(name) }
    }
    return names.sorted(by: byteOrder).map { path("\(relative)/\($0)") }
  }

  /// The files a shell pattern matches, relative to here, in the order of their names' bytes.
  func matches(of pattern: String) -> [String] {
    var answer = glob_t()
    defer { globfree(&answer) }
    guard glob(escaped(path) + "/" + pattern, 0, nil, &answer) == 0 else { return [] }
    let found = (0..<Int(answer.gl_pathc)).compactMap { answer.gl_pathv[$0].map { String(cString: $0) } }
    let files = found.map { Folder("/").path(String($0.dropFirst())) }
    return files.filter { Folder("/").hasFile($0) }.sorted(by: byteOrder)
  }

  /// The project's own path may hold characters that mean something in a pattern.
  private func escaped(_ path: String) -> String {
    path.reduce(into: "") { text, character in
      if "*?[]\\".contains(character) { text.append("\\") }
      text.append(character)
    }
  }

  /// As `LC_ALL=C sort` has it, whatever the user's locale.
  private func byteOrder(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
