import Diagnostics
import Dispatch
import Postgres
import Support
import Testing

@Suite struct PostgresTests {
  private let database: ScratchDatabase
  private let db: Connection

  init() throws {
    database = try ScratchDatabase(bare: true)
    db = try database.connect()
  }

  @Test(arguments: ["", "'; drop table a --", "ä\u{301}😀\n\t", "\\", "{\"a\",b}", "$1"])
  func `binds values as they are`(value: String) throws {
    #expect(try db.value("select \(value)") == value)
    #expect(try db.value("select (\([value, value])::text[])[2]") == value)
    #expect(try db.value(SQL(trusted: "select \(SQL.quoted(literal: value))")) == value)
  }

  @Test func `binds null, numbers and flags`() throws {
    let none: String? = nil
    let row = try db.rows("select \(none)::text, \(-7)::int + 1, not \(true)::boolean")

    #expect(row.map(\.values) == [[nil, "-6", "f"]])
  }

  @Test func `carries every byte`() throws {
    let bytes = (0...255).map { UInt8($0) }

    #expect(
      try db.value(
        "select sha256(\(bytes)::bytea) = sha256(decode(string_agg(lpad(to_hex(n), 2, '0'), '' order by n), 'hex')) from generate_series(0, 255) n"
      ) == "t")
    #expect(try db.value("select length(\(bytes)::bytea)") == "256")
  }

  @Test(arguments: ["a", "A b", "q\"q", "sélect", "select"]) func `quotes names`(name: String) throws {
    try db.run("create table \(identifier: name) (\(identifier: name) int)")
    #expect(
      try db.value(
        "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace") == name)
  }

  @Test func `matches an SQLSTATE and its class`() throws {
    try db.run("create table a (id int primary key)")
    try db.run("insert into a values (1)")
    do {
      try db.run("insert into a values (1)")
      Issue.record("the second row was taken")
    } catch SQLState.integrityConstraintViolation {}
    do {
      try db.run("select * from nosuch")
      Issue.record("there is no such table")
    } catch let error as PostgresError {
      #expect(error.state == .undefinedTable)
      #expect(error.position == 15)
      #expect(error.severity == "ERROR")
    }
    let error = #expect(throws: PostgresError.self) { try db.run("insert into a values (1)") }
    #expect(error?.constraint == "a_pkey")
    #expect(error?.table == "a")
  }

  @Test func `never tells a bound value`() throws {
    let error = #expect(throws: PostgresError.self) { try db.value("select \("hidden")::nosuchtype") }

    #expect(error.map { !"\($0)".contains("hidden") } == true)
  }

  @Test func `copies rows in, bytes as they are`() throws {
    try db.run("create table a (id int, b text)")

    #expect(try db.copyIn("copy a from stdin", Array("1\tä\\\\x\n2\t\\N\n".utf8)) == 2)

    #expect(try db.rows("select * from a order by id").map(\.values) == [["1", "ä\\x"], ["2", nil]])
    #expect(throws: PostgresError.self) { try db.copyIn("copy a from stdin", Array("x\n".utf8)) }
    #expect(throws: PostgresError.self) { try db.copyIn("select 1", []) }
    #expect(try db.value("select count(*) from a") == "2")
  }

  @Test func `a COPY without data gets none, and one to stdout is dropped`() throws {
    try db.run("create table a (id int)")

    let counts = try db.run(
      script: "copy a from stdin; copy (select generate_series(1, 5000)) to stdout; select 1")

    #expect(counts.rowsWritten == 5000 || counts.rowsWritten == 0)
    #expect(try db.value("select count(*) from a") == "0")
  }

  @Test func `says how far a script came`() throws {
    let error = #expect(throws: PostgresError.self) {
      try db.run(script: "create table a (); ; create table b (); create table a ();")
    }

    #expect(error?.completedStatements == 2)
    #expect(try db.value("select to_regclass('b')") == nil)
    #expect(try db.run(script: "select 1; ; select 2").statements == 2)
  }

  @Test func `a pipeline names the statement that failed, and undoes all of it`() throws {
    try db.run("create table a (id int primary key)")

    let error = #expect(throws: PostgresError.self) {
      try db.pipeline([
        "insert into a values (1)", "insert into a values (2)", "insert into a values (1)", "select 1",
      ])
    }

    #expect(error?.completedStatements == 2)
    #expect(try db.value("select count(*) from a") == "0")
    let answers = try db.pipeline(["insert into a values (\(3)) returning id", "select count(*) from a"])
    #expect(answers.map { $0.map(\.values) } == [[["3"]], [["1"]]])
  }

  @Test func `a canceller ends the statement from another thread, and the session lives on`() throws {
    let canceller = db.canceller()
    let other = try database.connect()
    let pid = db.backendPID
    let ended = DispatchSemaphore(value: 0)
    let work = Watching(other)
    DispatchQueue.global().async {
      work.waitForSleep(of: pid)
      canceller.cancel()
      ended.signal()
    }

    let error = #expect(throws: PostgresError.self) { try db.value("select pg_sleep(30)") }
    ended.wait()

    #expect(error?.state == .queryCanceled)
    #expect(try db.value("select 1") == "1")
  }

  private final class Watching: @unchecked Sendable {
    private let db: Connection
    init(_ db: Connection) { self.db = db }
    func waitForSleep(of pid: Int32) {
      for _ in 0..<30_000 {
        let event = try? db.value(
          "select pg_sleep(0.001) is null or wait_event = 'PgSleep' from pg_stat_activity where pid = \(Int(pid))"
        )
        if event == "t",
          (try? db.value("select wait_event from pg_stat_activity where pid = \(Int(pid))")) == "PgSleep"
        {
          return
        }
      }
    }
  }

  @Test func `hands notices over while a statement runs`() throws {
    var seen: [String] = []
    db.onNotice = { seen.append("\($0.severity ?? "") \($0.message)") }

    try db.run(script: "do $$ begin raise notice 'first'; raise warning 'second'; end $$")
    db.onNotice = nil
    try db.run(script: "do $$ begin raise notice 'third'; end $$")

    #expect(seen == ["NOTICE first", "WARNING second"])
  }

  @Test func `rolls back what throws and commits what returns`() throws {
    try db.run("create table a (id int)")

    #expect(throws: Diagnostic.self) {
      try db.transaction {
        try db.run("insert into a values (1)")
        throw Diagnostic("t.stop", "stop")
      }
    }
    try db.transaction { _ = try db.run("insert into a values (2)") }

    #expect(try db.value("select string_agg(id::text, ',') from a") == "2")
    #expect(db.transactionStatus == .idle)
  }

  @Test func `tells a lost session from a refusal, in a message and a detail`() throws {
    let other = try database.connect()
    try other.run("select pg_terminate_backend(\(Int(db.backendPID)))")

    let error = #expect(throws: PostgresError.self) { try db.value("select 1") }

    #expect(error?.isConnectionLoss == true)
    #expect(db.transactionStatus == .unknown)
    let refused = #expect(throws: PostgresError.self) { try Connection("host=/nosuch port=1 dbname=x") }
    #expect(refused?.diagnostics.first?.code == "database.connection")
    #expect(refused?.message.contains("\n") == false)
    #expect(refused?.detail == "Is the server running locally and accepting connections on that socket?")
  }
}
