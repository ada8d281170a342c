import Diagnostics
import Migrations
import Postgres
import Support
import Testing

/// What must happen to each of the small files under `Cases/`.
struct CaseTests {
  @Test(
    arguments: [("01_names_like_keywords", 3), ("02_begin_atomic_body", 2), ("03_nested_dollar_quotes", 3)])
  func `keeps a statement whole, whatever it holds`(name: String, statements: Int) throws {
    let run = try Case.run(name)

    try run.apply()

    let recorded = try #require(try run.ledger().first?.statements)
    #expect(recorded.count == statements)
    let letters = { (text: String) in text.filter { !$0.isWhitespace && $0 != ";" } }
    #expect(letters(recorded.joined()) == letters(try Case.text(name)))
  }

  @Test func `places an error the server gives no position for`() throws {
    let run = try Case.run("04_error_on_line_8")

    let error = try #require(run.refusal().first)

    #expect(error.sqlState == "42P01")
    #expect(error.location?.line == 8)
    #expect(error.location?.column == 1)
    #expect(error.rendered().contains("create policy p on accuont for select using (true)"))
    #expect(try !run.exists("public.account"))
    #expect(try run.ledger().isEmpty)
  }

  @Test func `counts lines and columns right with CR LF and tabs`() throws {
    let run = try Case.run("05_crlf_error_line_3")

    let error = try #require(run.refusal().first)

    #expect(error.location?.line == 3)
    #expect(error.location?.column == 7)
    #expect(
      error.rendered() == """
        error[migrate.sql]: type "citex" does not exist (42704)
          --> migrations/05_crlf_error_line_3.sql:3:7
         3 | \tname citex
           | \t     ^^^^^
        """)
  }

  @Test func `takes off a byte order mark and says so`() throws {
    let run = try Case.run("06_byte_order_mark")

    try run.apply()

    #expect(try run.exists("public.after_bom"))
    #expect(run.warnings.map(\.code) == ["migrate.byte-order-mark"])
  }

  @Test func `runs a file with a concurrent index step by step and records it`() throws {
    let run = try Case.run("07_concurrently_in_the_middle")

    try run.apply()

    #expect(
      try run.value("select indisvalid from pg_index where indexrelid = 'big_owner'::regclass") == "t")
    #expect(try run.ledger().first?.statements?.count == 3)
    #expect(try run.value("select count(*) from nomdev.migration_progress") == "0")
  }

  @Test func `refuses a commit inside before anything runs`() throws {
    let run = try Case.run("08_commit_inside")

    let error = try #require(run.refusal().first)

    #expect(error.code == "migrate.commit-inside")
    #expect(error.location?.line == 2)
    #expect(error.hint?.contains("-- nomdev: no-transaction") == true)
    #expect(try !run.exists("public.c1"))
  }

  @Test func `takes begin and commit around everything as the file's transaction`() throws {
    let run = try Case.run("09_begin_commit_around")

    try run.apply()

    #expect(try run.exists("public.wrapped"))
    #expect(try run.ledger().map(\.version) == ["09"])
    #expect(run.warnings.isEmpty)
  }

  @Test func `says what to do about an enum value used too early`() throws {
    let run = try Case.run("10_enum_value_used_at_once")

    let error = try #require(run.refusal().first)

    #expect(error.sqlState == "55P04")
    #expect(error.location?.line == 4)
    #expect(error.hint?.contains("next file") == true)
    #expect(try run.value("select to_regtype('public.mood')") == nil)
  }

  @Test(
    arguments: [
      ("11_search_path_emptied", "12_after_search_path", "public.needs_search_path"),
      ("13_role_left_set", "14_after_role", "public.needs_postgres"),
    ])
  func `starts each file with a clean session`(first: String, second: String, table: String) throws {
    let run = try Case.run(first, second)

    try run.apply()

    #expect(
      try run.value("select relowner::regrole from pg_class where oid = to_regclass(\(table))") == "postgres")
    #expect(try run.ledger().count == 2)
  }

  @Test func `feeds COPY its rows`() throws {
    let run = try Case.run("15_copy_data")

    try run.apply()

    let rows = try run.db.rows("select id, name from fruit order by id")
    #expect(rows.map(\.values) == [["1", "apple; pear"], ["2", nil]])
    #expect(try run.exists("public.after_copy"))
  }

  @Test func `counts columns in characters`() throws {
    let run = try Case.run("16_unicode_error_column")

    let error = try #require(run.refusal().first)

    #expect(error.location?.line == 1)
    #expect(error.location?.column == 38)
  }

  @Test(arguments: ["17_definer_trigger_on_auth_users", "18_policy_on_storage_objects"])
  func `runs as the platform's postgres role`(name: String) throws {
    let run = try Case.run(name)

    try run.apply()

    #expect(try run.ledger().count == 1)
    #expect(try run.value("select rolsuper from pg_roles where rolname = current_user") == "f")
  }

  @Test func `leaves newer syntax to the server`() throws {
    let run = try Case.run("19_newer_syntax_than_15")
    if run.db.serverVersion >= 170_000 {
      try run.apply()
      return
    }

    let error = try #require(run.refusal().first)

    #expect(error.code == "migrate.sql")
    #expect(error.sqlState == "42601")
    #expect(error.location?.line == 2)
    #expect(error.location?.column == 109)
  }

  @Test func `applies a file of comments as an empty migration, with a warning`() throws {
    let run = try Case.run("20_only_comments")

    try run.apply()

    #expect(run.warnings.map(\.code) == ["migrate.empty"])
    #expect(try run.ledger().first?.statements == [])
  }

  @Test func `needs no final semicolon`() throws {
    let run = try Case.run("21_no_final_semicolon")

    try run.apply()

    #expect(try run.exists("public.no_semicolon"))
  }

  @Test func `runs VACUUM outside a transaction`() throws {
    let run = try Case.run("22_vacuum_alone")

    try run.apply()

    #expect(try run.ledger().map(\.version) == ["22"])
  }

  @Test func `refuses psql's own commands`() throws {
    let run = try Case.run("23_psql_meta_command")

    let error = try #require(run.refusal().first)

    #expect(error.code == "migrate.meta-command")
    #expect(error.location?.line == 1)
    #expect(try !run.exists("public.never"))
  }

  @Test func `names who blocks it when the lock timeout is over`() throws {
    let run = try Case.run("24_lock_wait")
    try run.db.run("create table held (id int)")
    let other = try run.database.connect()
    try other.run("set application_name = 'a long report'")
    try other.run("begin")
    try other.run("lock table held in access exclusive mode")
    run.options.lockTimeout = .milliseconds(300)

    let error = try #require(run.refusal().first)

    #expect(error.sqlState == "55P03")
    let pid = other.backendPID
    #expect(error.detail?.contains("process \(pid) (a long report, postgres)") == true)
    #expect(try !run.exists("public.if_blocked"))
    #expect(try run.ledger().isEmpty)
  }
}
