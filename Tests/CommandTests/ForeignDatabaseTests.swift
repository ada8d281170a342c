import Postgres
import Processes
import Support
import Testing

/// A database that is not proven local: shown without its password, confirmed, or left alone.
@Suite struct ForeignDatabaseTests {
  private let server: ForeignServer
  private let project: ScratchProject

  init() throws {
    server = try ForeignServer()
    project = try ScratchProject(migrations: [("20260101000000_a.sql", "create table a (id int);\n")])
  }

  @Test func `is shown and needs a yes`() throws {
    let shown = "postgres://owner@127.0.0.1:\(server.port)/postgres"

    let refused = try Nomdev.shell(
      "cd \(project.path) && setsid -w \"$nomdev\" migrate --db-url \"\(server.url())\"",
      environment: project.environment)
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("\(shown) is not a local database: "))
    #expect(refused.errors.contains("  20260101000000_a.sql\n"))
    #expect(refused.errors.contains("error[console.no-terminal]"))
    #expect(try server.connect().value("select to_regnamespace('supabase_migrations')") == nil)

    let confirmed = try project.run("migrate", "--db-url", server.url(), "--yes")
    #expect(confirmed.status == 0, "\(confirmed.errors)")
    #expect(try server.connect().value("select to_regclass('a')") == "a")
    for outcome in [refused, confirmed] { #expect(!(outcome.output + outcome.errors).contains("s3cret")) }
  }

  @Test(.enabled(if: Files.isExecutable("/usr/bin/script"), "needs script(1) to play a terminal"))
  func `asks on a terminal, and no is the default`() throws {
    func answer(_ text: String) throws -> Nomdev.Outcome {
      try Nomdev.shell(
        "cd \(project.path) && printf '\(text)\\n' | script -qec \"$nomdev migrate --db-url \(server.url())\" /dev/null",
        environment: project.environment)
    }

    let no = try answer("")
    #expect(no.status == 2)
    #expect(
      no.output.contains("Apply 1 migration to postgres://owner@127.0.0.1:\(server.port)/postgres? [y/N]"))
    #expect(no.output.contains("Nothing was run."))
    #expect(try server.connect().value("select to_regclass('a')") == nil)

    #expect(try answer("y").status == 0)
    #expect(try server.connect().value("select to_regclass('a')") == "a")
  }

  @Test(arguments: [["seed"], ["seed", "--reset", "--yes"]])
  func `is never seeded or reset, whatever is said`(words: [String]) throws {
    try server.connect().run("create table theirs ()")

    let outcome = try Nomdev.run(
      words + ["--db-url", server.url()], environment: project.environment, folder: project.path)

    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("error[target.unproven]"))
    #expect(try server.connect().value("select to_regclass('theirs')") == "theirs")
    #expect(try server.connect().value("select to_regclass('a')") == nil)
    #expect(!(outcome.output + outcome.errors).contains("s3cret"))
  }

  @Test func `is seeded when the project vouches for it`() throws {
    let identifier = try server.connect().value("select system_identifier from pg_control_system()") ?? ""
    try project.folder.write("seeds/1.sql", "insert into a values (1);")

    let outcome = try project.run("seed", "--db-url", server.url(), "--trust-system", identifier)

    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try server.connect().value("select count(*) from a") == "1")
  }

  @Test(
    arguments: [
      "postgres://owner:s3cret@127.0.0.1:PORT/nosuch", "postgres://owner:s3cret@127.0.0.1:1/postgres",
      "postgres://owner:s3cret@nosuch.test/postgres", "postgres://owner:s3cret@[::1/postgres",
      "postgres://owner:s3cret%zz@127.0.0.1/postgres", "host=127.0.0.1 password=s3cret bogus=1",
      "host=127.0.0.1 password='s3cret", "postgres://owner:a@b:s3cret@127.0.0.1:x/postgres",
      "postgres://owner:a@s3cret@127.0.0.1:PORT/postgres",
      "postgres://owner:a/s3cret@127.0.0.1:PORT/postgres",
    ],
    [["migrate", "--dry-run", "--format", "json"], ["seed"]])
  func `keeps the password to itself in every error`(url: String, words: [String]) throws {
    let url = url.replacing("PORT", with: String(server.port))

    let outcome = try Nomdev.run(
      words + ["--db-url", url], environment: project.environment, folder: project.path)

    #expect(outcome.status == 2)
    #expect(!(outcome.output + outcome.errors).contains("s3cret"), "\(outcome.errors)")
  }
}
