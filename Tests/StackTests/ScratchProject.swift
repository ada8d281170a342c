import Processes
import Stack
import Support

/// A project folder with a stack, stopped and removed when the object goes.
final class ScratchProject {
  let folder: ScratchFolder
  let port: Int

  var path: String { folder.path }

  /// - Parameter isOpen: Whether the account a server runs as may enter; without, root keeps data elsewhere.
  init(isOpen: Bool = true) throws {
    folder = try ScratchFolder(isOpen: isOpen, inMemory: true)
    port = LoopbackPort.free() ?? 0
  }

  func stack() throws -> ProjectStack {
    try ProjectStack(project: path, port: .preferred(port))
  }

  /// The real data folder.
  var data: String { Files.real("\(path)/.nomdev/data") ?? "\(path)/.nomdev/data" }

  deinit {
    _ = try? stack().down()
    let data = data
    if !data.hasPrefix(path), let home = Files.parent(of: data) { try? Files.remove(home) }
  }
}
