import Cluster
import Postgres
import Processes
import Support
import Testing

@Suite struct RunningClusterTests {
  @Test func `a throw-away cluster answers over its socket and proves itself by its token`() throws {
    let cluster = try RunningCluster.ephemeral()

    let token = try cluster.connect().value("show nomdev.instance")

    #expect(token == cluster.record.token)
    #expect(ClusterRegistry.running().contains(cluster.record))
    #expect(Files.status(cluster.record.socketFolder)?.mode == 0o700)
    #expect(Files.status(cluster.record.logFile)?.mode == 0o600)
  }

  @Test func `closing leaves no process, no data and no record`() throws {
    let cluster = try RunningCluster.ephemeral()
    let record = cluster.record

    cluster.close()

    #expect(!record.server.isAlive)
    #expect(!Files.exists(record.dataFolder))
    #expect(!ClusterRegistry.running().contains(record))
  }

  @Test func `letting go of a cluster closes it`() throws {
    let record = try { try RunningCluster.ephemeral().record }()

    #expect(!record.server.isAlive)
    #expect(!Files.exists(record.dataFolder))
  }

  @Test func `over TCP it wants the password, and its URL has it`() throws {
    let cluster = try RunningCluster.ephemeral(.init(port: 0))

    let address = try Connection(cluster.url()).value("select host(inet_server_addr())")
    #expect(address == "127.0.0.1")

    #expect(throws: PostgresError.self) {
      try Connection("postgresql://postgres:wrong@127.0.0.1:\(cluster.record.port)/postgres")
    }
  }

  @Test func `a port that is taken is an error that says which`() throws {
    let first = try RunningCluster.ephemeral(.init(port: 0))

    let error = #expect(throws: ClusterError.self) {
      try RunningCluster.ephemeral(.init(port: first.record.port))
    }

    #expect(error?.diagnostics.first?.code == "cluster.port_in_use")
    #expect(error?.diagnostics.first?.message == "port \(first.record.port) is taken by another program")
  }

  @Test func `a server that does not start says why in its own words`() throws {
    let error = #expect(throws: ClusterError.self) {
      try RunningCluster.ephemeral(.init(settings: ["wal_level": "nonsense"]))
    }

    #expect(error?.diagnostics.first?.code == "cluster.start")
    #expect(error?.diagnostics.first?.detail?.contains("nonsense") == true)
  }

  @Test func `a copied database keeps settings and privileges of the database itself`() throws {
    let cluster = try RunningCluster.ephemeral()
    let admin = try cluster.connect(user: RunningCluster.superuser, database: "template1")
    for statement: SQL in [
      "create database source", "alter database source set statement_timeout = '7s'",
      "revoke connect on database source from public", "grant connect on database source to anon",
    ] {
      try admin.run(statement)
    }

    try cluster.createDatabase("it's a \"copy\"", copyOf: "source")

    let db = try cluster.connect(user: RunningCluster.superuser, database: "it's a \"copy\"")
    #expect(try db.value("show statement_timeout") == "7s")
    let rights = try db.rows(
      """
      select has_database_privilege('anon', current_database(), 'connect'),
        has_database_privilege('authenticated', current_database(), 'connect')
      """)
    #expect(rights.first?.values == ["t", "f"])
  }
}

@Suite struct ScratchDatabaseTests {
  @Test func `a scratch database is a copy of the platform`() throws {
    let scratch = try ScratchDatabase()

    let roles = try scratch.connect().rows(
      "select rolname from pg_roles where rolname in ('anon', 'authenticated') order by 1")

    #expect(roles.map { $0[0] } == ["anon", "authenticated"])
  }

  @Test func `scratch databases do not see each other, and are dropped`() throws {
    let first = try ScratchDatabase()
    try first.connect().run("create table public.note ()")
    let name = try {
      let second = try ScratchDatabase()
      #expect(try second.connect().value("select to_regclass('public.note')") == nil)
      return second.name
    }()

    let session = try first.connect()
    #expect(try session.rows("select 1 from pg_database where datname = \(name)").isEmpty)
  }

  @Test func `postgres is no superuser, as on the platform`() throws {
    let scratch = try ScratchDatabase()

    #expect(try scratch.connect().value("show is_superuser") == "off")
  }

  @Test func `a bare database has nothing of the platform`() throws {
    let scratch = try ScratchDatabase(bare: true)

    let db = try scratch.connect()
    #expect(try db.value("select to_regnamespace('auth')") == nil)
    try db.run("create schema mine")
  }
}
