import Postgres
import Processes
import Support
import Testing

/// A real pooler between nomdev and a server that is not proven local.
@Suite(.enabled(if: Files.exists(Pooler.program), "pgbouncer is not installed"))
struct PoolerTests {
  @Test func `a pooler in transaction mode is refused before anything is changed`() throws {
    let server = try ForeignServer()
    let pooler = try Pooler(mode: "transaction", before: server)
    let project = try ScratchProject(migrations: [("1_a.sql", "create table a ();")])

    let outcome = try project.run("migrate", "--yes", "--db-url", pooler.url)

    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("error[migrate.transaction-pooler]"), "\(outcome.errors)")
    #expect(try server.connect().value("select to_regnamespace('supabase_migrations')") == nil)
  }

  @Test func `a pooler in session mode serves`() throws {
    let server = try ForeignServer()
    let pooler = try Pooler(mode: "session", before: server)
    let project = try ScratchProject(migrations: [
      ("1_a.sql", "create table a (id int);"), ("2_b.sql", "create index concurrently on a (id);"),
    ])

    let outcome = try project.run("migrate", "--yes", "--db-url", pooler.url)

    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try server.connect().value("select count(*) from supabase_migrations.schema_migrations") == "2")
  }
}

private final class Pooler {
  static let program = "/usr/sbin/pgbouncer"

  let url: String
  private let folder: ScratchFolder
  private let process: ChildProcess

  init(mode: String, before server: ForeignServer) throws {
    folder = try ScratchFolder(isOpen: true)
    let port = try #require(LoopbackPort.free())
    try folder.write(
      "pgbouncer.ini",
      """
      [databases]
      postgres = host=127.0.0.1 port=\(server.port) dbname=postgres
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = \(port)
      unix_socket_dir =
      auth_type = trust
      auth_file = \(folder.path)/users
      pool_mode = \(mode)
      ignore_startup_parameters = extra_float_digits,options
      """)
    try folder.write("users", "\"owner\" \"s3cret\"\n")
    var launch = Launch(Self.program, ["\(folder.path)/pgbouncer.ini"])
    launch.deathSignal = 9
    launch.output = .none
    launch.error = .file("\(folder.path)/log")
    if SystemUser.isRoot {
      // It refuses to run as root.
      launch.user = SystemUser.named("postgres")
      for name in ["pgbouncer.ini", "users"] { try Files.setMode("\(folder.path)/\(name)", 0o644) }
    }
    process = try ChildProcess(launch)
    url = "postgres://owner:s3cret@127.0.0.1:\(port)/postgres"
    let end = ContinuousClock.now + .seconds(10)
    while (try? Connection(url)) == nil {
      try #require(ContinuousClock.now < end, "\((try? folder.read("log")) ?? "")")
      pause(.milliseconds(20))
    }
  }

  deinit {
    process.send(signal: 9)
    process.wait()
  }
}
