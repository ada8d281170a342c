import Processes

/// An empty folder of its own for a test, removed with all it holds when the object goes.
package final class ScratchFolder: Sendable {
  /// Absolute, without links.
  package let path: String

  /// - Parameters:
  ///   - isOpen: Whether other accounts may pass through it, as the one a server runs as must.
  ///   - inMemory: Whether it is to be in memory where the system has a place for that, because the test
  ///     makes thousands of files.
  package init(isOpen: Bool = false, inMemory: Bool = false) throws {
    let place = inMemory && Files.exists("/dev/shm") ? "/dev/shm" : Files.temporaryFolder
    let folder = try Files.makeTemporaryFolder(in: place, named: "nomdev-test-")
    if isOpen { try Files.setMode(folder, 0o711) }
    path = Files.real(folder) ?? folder
  }

  deinit { try? Files.remove(path) }

  /// Writes a file, folders above it included, and returns its absolute path.
  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    if let parent = Files.parent(of: file) { try Files.makeFolder(parent) }
    try Files.write(text, to: file)
    return file
  }

  package func read(_ name: String) throws -> String { try Files.read("\(path)/\(name)") }

  package func exists(_ name: String) -> Bool { Files.exists("\(path)/\(name)") }
}
