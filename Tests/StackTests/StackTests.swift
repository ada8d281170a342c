import Cluster
import Postgres
import Processes
import Stack
import Support
import Testing

@Suite struct ProjectStackTests {
  let project: ScratchProject
  let stack: ProjectStack

  init() throws {
    project = try ScratchProject()
    stack = try project.stack()
  }

  @Test func `up starts it, and a second up finds it`() throws {
    let first = try stack.up()
    let second = try stack.up()

    #expect(!first.wasRunning)
    #expect(second.wasRunning)
    #expect(first.record == second.record)
    #expect(first.port == project.port)
    #expect(first.databaseURL == "postgresql://postgres:postgres@127.0.0.1:\(project.port)/postgres")
    #expect(try Connection(first.databaseURL).value("show nomdev.instance") == first.record.token)
    #expect(ClusterRegistry.running().contains(first.record))
  }

  @Test func `down stops it and keeps what is in it`() throws {
    _ = try stack.up()
    try stack.connect()?.run("create table public.kept as select 7 as n")

    #expect(try stack.down())
    #expect(try stack.status() == nil)
    #expect(try !stack.down())

    _ = try stack.up()
    #expect(try stack.connect()?.value("select n from public.kept") == "7")
  }

  @Test func `reset gives a new database on the same port`() throws {
    let before = try stack.up()
    try stack.connect()?.run("create table public.gone ()")

    let after = try stack.reset()

    #expect(after.port == before.port)
    #expect(!before.record.server.isAlive)
    #expect(try stack.connect()?.value("select to_regclass('public.gone')") == nil)
    #expect(
      Files.names(in: "\(project.path)/.nomdev").filter { $0.hasPrefix("data") }.sorted() == [
        "data", "data.new",
      ])
  }

  @Test func `takes another port when its own is taken, but not when it must have it`() throws {
    let other = try RunningCluster.ephemeral(.init(port: 0))
    var stack = stack
    stack.port = .exactly(other.record.port)

    let error = #expect(throws: ClusterError.self) { try stack.up() }
    #expect(error?.diagnostics.first?.code == "cluster.port_in_use")

    stack.port = .preferred(other.record.port)
    #expect(try stack.up().port != other.record.port)
  }

  @Test func `data of another major version are refused with both ways out`() throws {
    _ = try stack.up()
    try stack.down()
    try Files.write("14\n", to: "\(project.data)/PG_VERSION")

    let error = #expect(throws: ClusterError.self) { try stack.up() }

    let diagnostic = try #require(error?.diagnostics.first)
    #expect(diagnostic.code == "cluster.data_version")
    #expect(diagnostic.hint?.contains("nomdev stack reset") == true)
    #expect(try stack.reset().wasRunning == false)
  }

  @Test func `a damaged data folder is named with what it lacks`() throws {
    _ = try stack.up()
    try stack.down()
    try Files.remove("\(project.data)/global/pg_control")

    let error = #expect(throws: ClusterError.self) { try stack.up() }

    #expect(error?.diagnostics.first?.code == "cluster.data_incomplete")
    #expect(error?.diagnostics.first?.detail == "it has no global/pg_control")
  }

  @Test func `its variables are those of supabase status`() throws {
    let status = try stack.up()

    #expect(
      StackVariables.shell(status)
        == "DB_URL=\"postgresql://postgres:postgres@127.0.0.1:\(project.port)/postgres\"")
  }

  @Test func `the log can be read, and nobody else can`() throws {
    _ = try stack.up()

    #expect(stack.log(lines: 5).contains { $0.contains("ready to accept connections") })
    #expect(Files.status(stack.logFile)?.mode == 0o600)
    #expect(try project.folder.read(".nomdev/.gitignore") == "*\n")
  }

  @Test(.enabled(if: SystemUser.isRoot, "only root runs servers as somebody else"))
  func `in a folder closed to the server's account the data lie elsewhere`() throws {
    let closed = try ScratchProject(isOpen: false)

    let status = try closed.stack().up()

    #expect(status.dataFolder.hasPrefix("/var/lib/nomdev/"))
    #expect(Files.destination(ofLink: "\(closed.path)/.nomdev/data") == status.dataFolder)
    _ = try closed.stack().reset()
    #expect(try closed.stack().down())
  }
}

@Suite struct EphemeralStackTests {
  @Test func `is a platform database for any client`() throws {
    let stack = try EphemeralStack(grants: .legacy)

    #expect(try Connection(stack.connectionURL).value("select current_user") == "postgres")
    stack.close()
    #expect(!stack.cluster.isAlive)
  }
}
