import Diagnostics
import JSONValues
import Postgres
import Processes
import Support
import Testing

/// `nomdev migrate` and its subcommands through the built binary, against the project's own stack.
@Suite struct MigrateCommandTests {
  private let project: ScratchProject

  init() throws {
    project = try ScratchProject(migrations: [
      ("20260101000000_a.sql", "create table a (id int);\n"),
      ("20260102000000_b.sql", "create table b (\n  id int,\n  n citex\n);\n"),
      ("20260103000000_c.sql", "create table c (id int);\n"),
    ])
  }

  @Test func `starts the stack, applies up to a refused file, and goes on once it is mended`() throws {
    let first = try project.run("migrate")

    #expect(first.status == 2)
    expectGolden(project.stable(first.output), "command/migrate-refused.out")
    expectGolden(project.stable(first.errors), "command/migrate-refused.err")

    try project.folder.write("migrations/20260102000000_b.sql", "create table b (id int);\n")
    let second = try project.run("migrate")

    #expect(second.status == 0)
    expectGolden(project.stable(second.output), "command/migrate-applied.out")
    #expect(second.errors == "")
    let third = try project.run("migrate", "up")
    #expect(third.output == "Up to date: 3 migrations applied, newest 20260103000000_c.sql.\n")
  }

  @Test func `tells in JSON what was applied, also when a file was refused`() throws {
    _ = try project.run("stack", "up")

    let outcome = try project.run("migrate", "--format", "json")

    #expect(outcome.status == 2)
    expectGolden(project.stable(outcome.output), "command/migrate-refused.json")
    expectGolden(project.stable(outcome.errors), "command/migrate-refused.errors.json")
  }

  @Test func `prints annotations for GitHub beside the text`() throws {
    _ = try project.run("stack", "up")

    let outcome = try project.run("migrate", "--format", "github")

    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("::error file=migrations/20260102000000_b.sql,line=3,col=5"))
    #expect(outcome.output.contains("refused; files above stay applied"))
  }

  @Test func `a dry run leaves nothing behind`() throws {
    let before = project.names
    let cold = try project.run("migrate", "--dry-run")
    #expect(cold.status == 2)
    #expect(cold.errors.contains("error[stack.down]"))
    #expect(project.names == before)

    _ = try project.run("stack", "up")
    let db = try project.connect()
    let state: SQL = """
      select (select count(*) from pg_class), (select count(*) from pg_namespace),
        (select max(oid) from pg_class), (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables)
      """
    let untouched = try db.rows(state)
    let newest = try db.value("select pg_snapshot_xmax(pg_current_snapshot())")

    let outcome = try project.run("migrate", "--dry-run")

    #expect(outcome.status == 0)
    expectGolden(project.stable(outcome.output), "command/migrate-dry-run.out")
    #expect(try db.rows(state) == untouched)
    // No transaction that writes has even been begun.
    #expect(try db.value("select pg_snapshot_xmax(pg_current_snapshot())") == newest)
    #expect(try db.value("select to_regnamespace('supabase_migrations')") == nil)
    #expect(try db.value("select to_regnamespace('nomdev')") == nil)
  }

  @Test func `stops after a version, and says what is left`() throws {
    #expect(try project.run("migrate", "--to", "20260101000000").status == 0)

    let status = try project.run("migrate", "status")
    #expect(status.status == 0)
    expectGolden(project.stable(status.output), "command/migrate-status.out")
    #expect(try project.run("migrate", "status", "--check").status == 1)
    expectGolden(
      project.stable(try project.run("migrate", "status", "--format", "json").output),
      "command/migrate-status.json")
  }

  @Test func `proves a chain in a throw-away database and leaves none`() throws {
    try project.folder.write("migrations/20260102000000_b.sql", "create table b (id int);\n")

    let outcome = try project.run("migrate", "--ephemeral")

    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Applied 3 migrations"))
    #expect(project.names == ["migrations", "nomdev.toml"])
  }

  @Test func `notices an edited file, and repair takes it as it is after saying so`() throws {
    #expect(try project.run("migrate", "--to", "20260101000000").status == 0)
    #expect(try project.run("migrate", "verify").status == 0)
    try project.folder.write("migrations/20260101000000_a.sql", "create table a (id bigint);\n")

    let verify = try project.run("migrate", "verify")
    #expect(verify.status == 1)
    #expect(verify.output.contains("20260101000000_a.sql  edited"))
    #expect(try project.run("migrate").errors.hasPrefix("error[migrate.edited]"))
    let repair = try project.run("migrate", "repair", "20260101000000", "--status", "applied")
    #expect(repair.status == 0)
    expectGolden(project.stable(repair.output), "command/migrate-repair.out")
    #expect(try project.run("migrate", "verify").status == 0)
  }

  @Test func `fetches what the folder lacks`() throws {
    #expect(try project.run("migrate", "--to", "20260101000000").status == 0)
    try Files.remove("\(project.path)/migrations/20260101000000_a.sql")

    #expect(try project.run("migrate").errors.hasPrefix("error[migrate.missing]"))
    let fetched = try project.run("migrate", "fetch")

    #expect(fetched.output == "migrations/20260101000000_a.sql\n")
    #expect(try project.folder.read("migrations/20260101000000_a.sql") == "create table a (id int);\n")
    #expect(try project.run("migrate", "verify").status == 0)
  }

  @Test func `makes a file that comes after all others`() throws {
    let outcome = try project.run("migrate", "new", "Add invites!")

    #expect(outcome.output.wholeMatch(of: #/migrations/[0-9]{14}_add_invites\.sql\n/#) != nil)
    #expect(
      Files.names(in: "\(project.path)/migrations").sorted().last?.hasSuffix("_add_invites.sql") == true)
    #expect(try project.run("migrate", "new", "!").status == 2)
  }

  @Test(
    arguments: [
      ("01_names_like_keywords", 0, ""), ("05_crlf_error_line_3", 2, "05_crlf_error_line_3.sql:3:7"),
      ("06_byte_order_mark", 0, "warning[migrate.byte-order-mark]"), ("07_concurrently_in_the_middle", 0, ""),
      ("08_commit_inside", 2, "error[migrate.commit-inside]"), ("09_begin_commit_around", 0, ""),
      ("15_copy_data", 0, ""), ("20_only_comments", 0, "warning[migrate.empty]"),
      ("22_vacuum_alone", 0, "warning[migrate.server-warning]"),
      ("23_psql_meta_command", 2, "error[migrate.meta-command]"),
    ]) func `treats a case file as the library does`(name: String, status: Int, errors: String) throws
  {
    let folder = try ScratchFolder()
    let cases = "\(Files.parent(of: Files.parent(of: #filePath) ?? "") ?? "")/MigrationsTests/Cases"
    try folder.write("\(name).sql", try Files.read("\(cases)/\(name).sql"))

    let outcome = try Nomdev.run("migrate", "--ephemeral", "--dir", folder.path)

    #expect(outcome.status == Int32(status), "\(outcome.errors)")
    #expect(errors.isEmpty ? outcome.errors == "" : outcome.errors.contains(errors), "\(outcome.errors)")
  }

  @Test func `lints without a database, in every format`() throws {
    for name in ["20260102000000_b.sql", "20260103000000_c.sql"] {
      try Files.remove("\(project.path)/migrations/\(name)")
    }
    #expect(try project.run("migrate", "lint").status == 0)
    try project.folder.write("migrations/20260104000000_d.sql", "create table if not exists d (id int);\n")

    let text = try project.run("migrate", "lint")
    #expect(text.status == 1)
    #expect(text.output.contains("--> migrations/20260104000000_d.sql:1:"))
    #expect(text.errors == "")
    for format in ["json", "sarif"] {
      let outcome = try project.run("migrate", "lint", "--format", format)
      #expect(outcome.status == 1)
      #expect(try JSON(parsing: outcome.output).members != nil)
    }
    #expect(try project.run("migrate", "lint", "--format", "github").output.hasPrefix("::error file="))
    #expect(try project.run("migrate", "lint", "--format", "tap").status == 64)
    #expect(!project.names.contains(".nomdev"))
  }

  @Test(arguments: [["migrate", "new", "x"], ["migrate", "fetch"], ["stack", "down"], ["stack", "env"]])
  func `refuses a format it can't print`(words: [String]) throws {
    let outcome = try Nomdev.run(
      words + ["--format", "json"], environment: project.environment, folder: project.path)

    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("usage.unsupported-format"))
  }
}
