import Foundation
import Testing

/// A folder of its own for one test, with the files given; gone when the test ends.
final class ScratchFolder {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    var template = Array("/tmp/nomdev-project-XXXXXX".utf8CString)
    path = String(cString: try #require(mkdtemp(&template)))
    for (name, text) in files { try write(name, text) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and the folders it needs. A name that ends in `/` is a folder.
  func write(_ name: String, _ text: String) throws {
    var folder = path
    for part in name.split(separator: "/").dropLast(name.hasSuffix("/") ? 0 : 1) {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
    if name.hasSuffix("/") { return }
    let handle = try #require(fopen("\(path)/\(name)", "w"))
    fputs(text, handle)
    fclose(handle)
  }
}
