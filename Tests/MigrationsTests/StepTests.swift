import Diagnostics
import Migrations
import Postgres
import Support
import Testing

/// Files that run statement by statement.
struct StepTests {
  @Test func `repeats no finished step when it is tried again`() throws {
    let run = try MigrationRun()
    run.files = [
      ("1_a.sql", "create table parcel (id int, weight int);"),
      (
        "2_b.sql",
        "insert into parcel values (1, 5);\ncreate index concurrently parcel_route on parcel (route);"
      ),
    ]

    for _ in 1...2 {
      let error = try #require(run.refusal().first)
      #expect(error.location?.line == 2)
    }

    #expect(try run.value("select count(*) from parcel") == "1")
    #expect(try run.ledger().map(\.version) == ["1"])
  }

  @Test func `goes on where it stopped once the cause is mended`() throws {
    let run = try MigrationRun()
    run.files = [
      (
        "1_a.sql",
        """
        set search_path = shop;
        create table public.seen (id int);
        create table parcel (id int);
        create index concurrently on parcel (id);
        create table late (id int);
        """
      )
    ]
    #expect(run.refusal().map(\.sqlState) == ["3F000"])

    try run.db.run("create schema shop")
    try run.apply()

    #expect(try run.exists("shop.late"))
    #expect(try run.value("select count(*) from nomdev.migration_progress") == "0")
  }

  @Test func `refuses to go on when a finished step was edited`() throws {
    let run = try MigrationRun()
    run.files = [("1_a.sql", "create table a (id int);\ncreate index concurrently a_b on a (b);")]
    _ = run.refusal()

    run.files[0].text = "create table a (id int, b int);\ncreate index concurrently a_b on a (b);"

    let error = try #require(run.refusal().first)
    #expect(error.code == "migrate.changed-while-half-done")
    #expect(error.location?.line == 1)
  }

  @Test(arguments: ["", "if not exists "])
  func `drops an INVALID index and builds it again`(words: String) throws {
    let run = try MigrationRun()
    try run.db.run("create table desk (floor int)")
    try run.db.run("insert into desk values (1), (1)")
    #expect(throws: PostgresError.self) {
      try run.db.run("create unique index concurrently desk_floor on desk (floor)")
    }
    #expect(try run.value("select indisvalid from pg_index where indexrelid = 'desk_floor'::regclass") == "f")
    try run.db.run("delete from desk")
    run.files = [("1_a.sql", "create unique index concurrently \(words)desk_floor on desk (floor);")]

    try run.apply()

    #expect(try run.value("select indisvalid from pg_index where indexrelid = 'desk_floor'::regclass") == "t")
    #expect(run.warnings.map(\.code) == ["migrate.invalid-index"])
  }

  @Test func `leaves no INVALID index behind when a build is refused`() throws {
    let run = try MigrationRun()
    run.files = [
      (
        "1_a.sql",
        """
        create table desk (floor int);
        insert into desk values (1), (1);
        create unique index concurrently desk_floor on desk (floor);
        """
      )
    ]

    #expect(run.refusal().map(\.sqlState) == ["23505"])

    #expect(try !run.exists("public.desk_floor"))
  }

  @Test func `takes a finished build for done when only its note was lost`() throws {
    let run = try MigrationRun()
    run.files = [
      ("1_a.sql", "create table a (id int);\ncreate index concurrently a_id on a (id);\nselect 1/0;")
    ]
    _ = run.refusal()
    // As a kill between the build and its note leaves it.
    try run.db.run("update nomdev.migration_progress set running = null, done = done[1:1]")
    let digest = try run.value("select sha256(\("create index concurrently a_id on a (id)")::bytea)::text")
    let hex = String(try #require(digest).dropFirst(2))
    try run.db.run("update nomdev.migration_progress set running = \(hex)")
    run.files[0].text = "create table a (id int);\ncreate index concurrently a_id on a (id);\nselect 1;"

    try run.apply()

    #expect(try run.ledger().count == 1)
  }

  @Test func `a directive allows commits, and a begin and its commit stay one step`() throws {
    let run = try MigrationRun()
    run.files = [
      (
        "1_a.sql",
        """
        -- nomdev: no-transaction because the backfill is committed in parts
        create table a (id int);
        commit;
        begin;
        insert into a values (1);
        insert into a values (1/0);
        commit;
        """
      )
    ]

    let error = try #require(run.refusal().first)

    #expect(error.location?.line == 6)
    #expect(try run.value("select count(*) from a") == "0")
  }

  @Test func `refuses a concurrent build inside the file's own transaction`() throws {
    let run = try MigrationRun()
    run.files = [
      ("1_a.sql", "begin;\ncreate table a (id int);\ncreate index concurrently on a (id);\ncommit;")
    ]

    let error = try #require(run.refusal().first)

    #expect(error.code == "migrate.outside-transaction")
    #expect(error.location?.line == 3)
    #expect(try !run.exists("public.a"))
  }

  @Test func `counts no statement in a comment after the last one`() throws {
    let run = try MigrationRun()
    try run.db.run("create table phone (owner text)")
    run.files = [
      ("2_b.sql", "create index concurrently phone_owner on phone (owner);\n/*\n kept;\n*/\n-- no more\n")
    ]

    try run.apply()

    #expect(try run.ledger().first?.statements?.count == 1)
  }

  @Test func `builds an index without a name once, though its note was lost`() throws {
    let run = try MigrationRun()
    try run.db.run("create table a (id int, b int)")
    try run.db.run("create index on a (b)")
    run.files = [("1_a.sql", "create index concurrently on a (id);\nselect 1/0;")]
    _ = run.refusal()
    let digest = try run.value("select done[1] from nomdev.migration_progress")
    let known = try run.value("select 'a_b_idx'::regclass::oid")
    // As a kill between the build and its note leaves it.
    try run.db.run(
      """
      update nomdev.migration_progress set done = '{}',
        running = \(try #require(digest) + " " + (try #require(known)))
      """)
    run.files[0].text = "create index concurrently on a (id);\nselect 1;"

    try run.apply()

    #expect(try run.value("select count(*) from pg_index where indrelid = 'a'::regclass") == "2")
  }

  @Test func `leaves no INVALID index without a name behind either`() throws {
    let run = try MigrationRun()
    run.files = [
      (
        "1_a.sql",
        """
        create table desk (floor int);
        insert into desk values (1), (1);
        create unique index concurrently on desk (floor);
        """
      )
    ]

    #expect(run.refusal().map(\.sqlState) == ["23505"])

    #expect(try run.value("select count(*) from pg_index where indrelid = 'desk'::regclass") == "0")
  }
}
