import Postgres
import Processes
import Support
import Testing

/// What is left by kills, cancels and lost servers. `.ci/faults` does the same at many more moments.
@Suite struct FaultTests {
  private static let slow = "create table slow (id int);\nselect pg_sleep(60);\n"

  @Test func `a run killed at any moment is finished by the next one`() throws {
    let project = try ScratchProject(migrations: Self.chain)
    _ = try project.run("stack", "up")
    for delay in [15, 40, 70, 110, 160, 230] {
      let run = try project.start("migrate")
      pause(.milliseconds(delay))
      run.send(signal: 9)
      run.wait()
      let db = try project.connect()
      try Self.waitUntilAlone(db)
      try Self.judge(db)
    }

    let last = try project.run("migrate")
    #expect(last.status == 0, "\(last.errors)")
    let db = try project.connect()
    try Self.judge(db)
    #expect(try db.value("select string_agg(n::text, ' ' order by n) from marks") == "1 2 3 4")
    #expect(try db.value("select count(*) from pg_index where not indisvalid") == "0")
    #expect(try db.value("select count(*) from nomdev.migration_progress") == "0")
  }

  @Test func `eight runs at once apply each file once`() throws {
    let project = try ScratchProject(migrations: Self.chain)
    _ = try project.run("stack", "up")

    let runs = try (0..<8).map { _ in try project.start("migrate") }
    let ends = runs.map { $0.wait() }

    let errors = try project.folder.read("errors.log")
    #expect(ends == Array(repeating: .exited(0), count: 8), "\(errors)")
    try Self.judge(try project.connect())
    #expect(try project.connect().value("select count(*) from marks") == "4")
  }

  @Test func `Ctrl-C cancels the statement, and the file is rolled back`() throws {
    let project = try ScratchProject(migrations: [("1_slow.sql", Self.slow)])
    _ = try project.run("stack", "up")
    let db = try project.connect()
    let run = try project.start("migrate")
    try Self.waitForSleep(db)

    run.send(signal: 2)

    #expect(run.wait() == .exited(2))
    #expect(try project.folder.read("errors.log").contains("interrupted; the file was rolled back"))
    #expect(try db.value("select to_regclass('slow')") == nil)
    try project.folder.write("migrations/1_slow.sql", "create table slow (id int);\n")
    #expect(try project.run("migrate").status == 0)
  }

  @Test func `Ctrl-C ends a run that waits for another one`() throws {
    let project = try ScratchProject(migrations: [("1_slow.sql", Self.slow)])
    _ = try project.run("stack", "up")
    let db = try project.connect()
    let first = try project.start("migrate")
    try Self.waitForSleep(db)
    let second = try project.start("migrate")
    try Self.wait("the second run waits") { try project.folder.read("errors.log").contains("waiting") }

    second.send(signal: 2)

    #expect(second.wait() == .exited(2))
    #expect(first.poll() == nil)
    // The second signal doesn't wait for anything.
    first.send(signal: 19)
    first.send(signal: 2)
    first.send(signal: 15)
    first.send(signal: 18)
    _ = first.wait()
    try Self.waitUntilAlone(db)
    #expect(try db.value("select to_regclass('slow')") == nil)
  }

  @Test(arguments: [false, true])
  func `a session or a server that is lost is told, and loses nothing`(wholeServer: Bool) throws {
    let project = try ScratchProject(migrations: [
      ("1_a.sql", "create table a ();"), ("2_slow.sql", Self.slow),
    ])
    _ = try project.run("stack", "up")
    let db = try project.connect()
    let run = try project.start("migrate")
    let pid = try Self.waitForSleep(db)

    if wholeServer {
      #expect(try project.run("stack", "down").status == 0)
    } else {
      try db.run("select pg_terminate_backend(\(Int(pid) ?? 0))")
    }

    #expect(run.wait() == .exited(2))
    let errors = try project.folder.read("errors.log")
    #expect(errors.contains("terminating connection due to administrator command"), "\(errors)")
    #expect(errors.contains("2_slow.sql"))
    try project.folder.write("migrations/2_slow.sql", "create table slow (id int);\n")
    #expect(try project.run("migrate").status == 0)
    #expect(try project.connect().value("select count(*) from supabase_migrations.schema_migrations") == "2")
  }

  @Test func `a killed or cancelled seed leaves nothing of itself`() throws {
    let project = try ScratchProject(migrations: [("1_a.sql", "create table a (id int);")])
    try project.folder.write("seeds/1.sql", "insert into a values (1);\n")
    try project.folder.write("seeds/2.sql", "select pg_sleep(60);\n")
    _ = try project.run("stack", "up")
    let db = try project.connect()
    for (signal, end) in [(9, ProcessEnd.signalled(9)), (2, .exited(2))] {
      let run = try project.start("seed")
      try Self.waitForSleep(db)
      run.send(signal: Int32(signal))
      #expect(run.wait() == end)
      // A killed client's statement goes on until it ends; nobody is there to commit it.
      if signal == 9 {
        try db.run(
          "select pg_cancel_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()"
        )
      }
      try Self.waitUntilAlone(db)
      #expect(try db.value("select count(*) from a") == "0")
    }
    try project.folder.write("seeds/2.sql", "insert into a values (2);\n")
    #expect(try project.run("seed").status == 0)
    #expect(try db.value("select count(*) from a") == "2")
  }

  @Test func `a drop and a rebuild that were done and not noted are taken for done`() throws {
    let project = try ScratchProject(migrations: [
      (
        "1_a.sql",
        "create table a (id int);\ncreate index a_id on a (id);\ndrop index concurrently a_id;\nselect 1/0;\n"
      )
    ])
    #expect(try project.run("migrate").status == 2)
    let db = try project.connect()
    // As a kill between the drop and its note leaves it.
    try db.run(
      """
      update nomdev.migration_progress set done = done[1:2],
        running = encode(sha256('drop index concurrently a_id'), 'hex')
      """)
    try project.folder.write(
      "migrations/1_a.sql",
      "create table a (id int);\ncreate index a_id on a (id);\ndrop index concurrently a_id;\nselect 1;\n")

    let outcome = try project.run("migrate")

    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  // MARK: - Parts

  private static let chain: [(name: String, text: String)] = [
    (
      "1_a.sql",
      "create table marks (n int);\ncreate table t1 as select generate_series(1, 500) n;\n" + mark(1)
    ),
    (
      "2_b.sql",
      "create table t2 as select generate_series(1, 500) n;\ncreate index concurrently t2_n on t2 (n);\n"
        + mark(2)
    ),
    ("3_c.sql", "begin;\ncreate table t3 (n int);\n" + mark(3) + "commit;\n"),
    ("4_d.sql", "create table t4 (n int);\ncopy t4 from stdin;\n1\n2\n\\.\n" + mark(4)),
  ]

  private static func mark(_ number: Int) -> String {
    "insert into marks values (\(number));\nselect pg_sleep(0.02);\n"
  }

  /// A file in the ledger has its objects, and a file that runs whole has none without its row.
  private static func judge(_ db: Connection) throws {
    guard try db.value("select to_regclass('supabase_migrations.schema_migrations')") != nil else { return }
    let applied = Set(
      try db.rows("select version from supabase_migrations.schema_migrations").compactMap { $0[0] })
    for number in 1...4 {
      let table = "t\(number)"
      let exists = try db.value("select to_regclass(\(table))") != nil
      if applied.contains(String(number)) {
        #expect(exists)
        #expect(try db.value("select count(*) from marks where n = \(number)") == "1")
      } else if number != 2 {
        #expect(!exists)
      }
    }
  }

  @discardableResult
  private static func waitForSleep(_ db: Connection) throws -> String {
    var pid: String?
    try wait("a statement sleeps") {
      pid = try db.value(
        "select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()")
      return pid != nil
    }
    return pid ?? ""
  }

  private static func waitUntilAlone(_ db: Connection) throws {
    try wait("the killed client's session is gone") {
      try db.value(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        """) == "0"
    }
  }

  private static func wait(_ what: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(30)
    while try !condition() {
      try #require(ContinuousClock.now < end, "30 s have gone by until: \(what)")
      pause(.milliseconds(10))
    }
  }
}
