import Cluster
import Diagnostics
import Migrations
import Postgres
import Support
import Testing

/// One ledger for two tools: the Supabase CLI's table, in its shape.
struct LedgerTests {
  @Test func `writes rows of the platform tool's exact shape`() throws {
    let run = try MigrationRun()
    run.files = [("20260101000000_first.sql", "create table a (id int);\n-- why\ncreate table b (id int);\n")]

    try run.apply()

    let columns = try run.db.rows(
      """
      select attname, format_type(atttypid, atttypmod) from pg_attribute
      where attrelid = 'supabase_migrations.schema_migrations'::regclass and attnum > 0 order by attnum
      """)
    #expect(columns.map(\.values) == [["version", "text"], ["statements", "text[]"], ["name", "text"]])
    let row = try run.db.rows(
      "select version, name, statements::text from supabase_migrations.schema_migrations")
    #expect(
      row.map(\.values) == [
        [
          "20260101000000", "first",
          "{\"create table a (id int)\",\"-- why\ncreate table b (id int)\"}",
        ]
      ])
  }

  @Test func `works on a hosted ledger with more columns`() throws {
    let run = try MigrationRun()
    try Self.makeForeignLedger(
      run, columns: ", created_by text, idempotency_key text unique, rollback text[]")
    run.files = [("1_a.sql", "create table a (id int);")]

    try run.apply()

    let row = try run.db.rows(
      "select version, name, created_by, rollback::text from supabase_migrations.schema_migrations")
    #expect(row.map(\.values) == [["1", "a", nil, nil]])
  }

  @Test func `adds the columns an old ledger lacks`() throws {
    let run = try MigrationRun()
    try run.db.run("create schema supabase_migrations")
    try run.db.run("create table supabase_migrations.schema_migrations (version text primary key)")
    try run.db.run("insert into supabase_migrations.schema_migrations values ('1')")
    run.files = [("1_a.sql", "create table a (id int);"), ("2_b.sql", "create table b (id int);")]

    #expect(try run.apply() == ["2_b.sql"])
    #expect(try run.ledger().map(\.name) == [nil, "b"])
  }

  @Test(
    arguments: [
      (["create table a (id int)", "create table b (id int)"], true),
      (["-- first\ncreate table a (id int)", "create table b (id int)", "-- end"], true),
      (["create table a (id bigint)", "create table b (id int)"], false),
      (["create table a (id int)"], false),
    ])
  func `compares a file with the statements another tool recorded`(statements: [String], same: Bool) throws {
    let run = try MigrationRun()
    try Self.makeForeignLedger(run)
    try run.db.run(
      """
      insert into supabase_migrations.schema_migrations (version, name, statements)
      values ('1', 'a', \(statements))
      """)
    run.files = [("1_a.sql", "-- first\ncreate table a (id int);\n\ncreate table b (id int);\n-- end\n")]

    if same {
      #expect(try run.apply() == [])
    } else {
      #expect(run.refusal().map(\.code) == ["migrate.edited"])
    }
  }

  @Test func `applies without tables of its own where it may not make them`() throws {
    // A cluster of its own: roles are seen by every other test of a shared one.
    let cluster = try RunningCluster.ephemeral()
    let db = try cluster.connect()
    try db.run("create schema supabase_migrations")
    try Self.makeForeignTable(db)
    try db.run("create role deployer login")
    try db.run("grant usage on schema supabase_migrations to deployer")
    try db.run("grant select, insert on supabase_migrations.schema_migrations to deployer")
    try db.run("grant create on schema public to deployer")
    let folder = try MigrationFolder(
      path: "m", entries: [.init(fileName: "1_a.sql", bytes: Array("create table a (id int)".utf8))])

    let migrator = try Migrator(connect: { try cluster.connect(user: "deployer") })
    let outcome = try migrator.apply(folder)

    #expect(outcome.applied.count == 1)
    #expect(try db.value("select to_regnamespace('nomdev')") == nil)
  }

  @Test func `reads a ledger beside tables it may not use`() throws {
    let cluster = try RunningCluster.ephemeral()
    let db = try cluster.connect()
    let files = try MigrationFolder(
      path: "m", entries: [.init(fileName: "1_a.sql", bytes: Array("create table a (id int)".utf8))])
    _ = try Migrator(connect: { try cluster.connect() }).apply(files)
    try db.run("create role auditor login")
    try db.run("grant usage on schema supabase_migrations to auditor")
    try db.run("grant select on supabase_migrations.schema_migrations to auditor")

    let rows = try Ledger(try cluster.connect(user: "auditor")).rows()

    #expect(rows.map(\.version) == ["1"])
    #expect(MigrationPlan(folder: files, rows: rows).isUpToDate)
  }

  @Test func `repair marks and unmarks a version without running it`() throws {
    let run = try MigrationRun()
    run.files = [("1_a.sql", "create table a (id int);")]

    try repair(run, "1", .applied)
    #expect(try !run.exists("public.a"))
    #expect(try run.apply() == [])

    try repair(run, "1", .reverted)
    #expect(try run.apply() == ["1_a.sql"])
  }

  @Test func `repair accepts an edited file as it is now`() throws {
    let run = try MigrationRun()
    run.files = [("1_a.sql", "create table a (id int);")]
    try run.apply()
    run.files[0].text += "\n-- a remark"

    try repair(run, "1", .applied)

    #expect(try run.apply() == [])
    #expect(try run.ledger().count == 1)
  }

  @Test func `repair knows only versions that are somewhere`() throws {
    let run = try MigrationRun()
    run.files = [("1_a.sql", "select 1")]

    #expect(throws: Diagnostic.self) {
      try LedgerRepair(version: "2", status: .applied, folder: try run.folder(), rows: [])
    }
  }

  @Test func `gives back the file a ledger row was applied from`() throws {
    let run = try MigrationRun()
    let text =
      "create table t (a int, b text);\n\ncopy t from stdin;\n1\tx;y\n\\.\n\ninsert into t values (2, ';');\n"
    run.files = [("5_data.sql", text)]
    try run.apply()

    let file = try #require(try run.ledger().first?.file)

    #expect(file.name == "5_data.sql")
    // The folder may hold the file as it was fetched, and it counts as what was applied.
    run.files = [(file.name, file.text)]
    #expect(try run.apply() == [])
    let again = try MigrationRun()
    again.files = [(file.name, file.text)]
    try again.apply()
    #expect(try again.value("select string_agg(a || b, ',' order by a) from t") == "1x;y,2;")
  }

  private func repair(_ run: MigrationRun, _ version: String, _ status: LedgerRepair.Status) throws {
    let repair = try LedgerRepair(
      version: version, status: status, folder: try run.folder(), rows: try run.ledger())
    try repair.apply(on: try run.database.connect(), lockTimeout: .seconds(5))
  }

  private static func makeForeignLedger(_ run: MigrationRun, columns: String = "") throws {
    try run.db.run("create schema supabase_migrations")
    try makeForeignTable(run.db, columns: columns)
  }

  private static func makeForeignTable(_ db: Connection, columns: String = "") throws {
    try db.run(
      """
      create table supabase_migrations.schema_migrations
        (version text not null primary key, statements text[], name text\(trusted: columns))
      """)
  }
}
