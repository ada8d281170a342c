import Cluster
import Diagnostics
import Postgres
import Processes
import Stack
import Support
import Testing

/// A project folder of its own for a test, worked on by the built binary; its stack is stopped and all of it
/// removed when the object goes.
final class ScratchProject: Sendable {
  let folder: ScratchFolder
  let port: Int
  private let state: ScratchFolder

  var path: String { folder.path }

  /// - Parameter settings: The text of `nomdev.toml` beside the port.
  init(migrations: [(name: String, text: String)] = [], settings: String = "", ownFile: Bool = true) throws {
    folder = try ScratchFolder(isOpen: true, inMemory: true)
    state = try ScratchFolder(inMemory: true)
    port = LoopbackPort.free() ?? 0
    if ownFile { try folder.write("nomdev.toml", "[ports]\ndatabase = \(port)\n\(settings)") }
    for (name, text) in migrations { try folder.write("migrations/\(name)", text) }
  }

  deinit { _ = try? run("stack", "down") }

  /// The variables a run gets: what it knows of running servers is this project's alone.
  var environment: [String: String] { ["XDG_STATE_HOME": state.path] }

  func run(_ arguments: String..., input: String = "") throws -> Nomdev.Outcome {
    try Nomdev.run(arguments, environment: environment, folder: path, input: input)
  }

  func start(_ arguments: String...) throws -> ChildProcess {
    var launch = Nomdev.launch(arguments, environment: environment, folder: path)
    launch.output = .file("\(path)/output.log")
    launch.error = .file("\(path)/errors.log")
    launch.group = .own
    launch.deathSignal = 9
    return try ChildProcess(launch)
  }

  /// The files that lie in the project, `.nomdev` without its content.
  var names: [String] { Files.names(in: path).sorted() }

  var url: String { "postgresql://postgres:postgres@127.0.0.1:\(port)/postgres" }

  func connect() throws -> Connection { try Connection(url) }

  /// A run's output with what differs from run to run replaced: the port, times, dates, the folder.
  func stable(_ text: String) -> String {
    var text = text.replacing(String(port), with: "PORT").replacing(path, with: "PROJECT")
    text = text.replacing(#/\b[0-9]+ ms\b/#, with: "N ms").replacing(#/\b[0-9]+\.[0-9] s\b/#, with: "N ms")
    text = text.replacing(#/"milliseconds": [0-9]+/#, with: "\"milliseconds\": N")
    return text.replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2} UTC/#, with: "DATE")
  }
}

/// A server that nothing proves to be local, as one behind a tunnel.
final class ForeignServer {
  let cluster: RunningCluster
  var port: Int { cluster.record.port }

  /// - Parameter password: Of the role `postgres`, which is a superuser here.
  init(password: String = "s3cret") throws {
    cluster = try RunningCluster.ephemeral(
      .init(port: 0, content: TemplateContent(scripts: [], digest: "command-tests-bare")))
    let db = try cluster.connect(user: "supabase_admin")
    try db.run(script: "create role owner login superuser password \(SQL.quoted(literal: password))")
    // Whoever looks for it among nomdev's own servers must not find it.
    ClusterRegistry.remove(token: cluster.record.token)
  }

  func url(password: String = "s3cret") -> String {
    "postgres://owner:\(password)@127.0.0.1:\(port)/postgres"
  }

  func connect() throws -> Connection { try cluster.connect(user: "supabase_admin") }
}
