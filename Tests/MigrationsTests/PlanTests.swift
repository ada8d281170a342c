import Diagnostics
import Migrations
import Postgres
import Support
import Testing

/// What a folder and a ledger that disagree are told.
struct PlanTests {
  @Test func `finds nothing to do the second time`() throws {
    let run = try twoTables()

    #expect(try run.apply() == ["1_a.sql", "2_b.sql"])
    #expect(try run.apply() == [])
  }

  @Test func `refuses a file that changed after it was applied, and changes nothing`() throws {
    let run = try twoTables()
    try run.apply()
    run.files[0].text = "create table a (id bigint);"
    run.files.append(("3_c.sql", "create table c (id int);"))

    let error = try #require(run.refusal().first)

    #expect(error.code == "migrate.edited")
    #expect(error.message == "migrations/1_a.sql changed after it was applied")
    #expect(try !run.exists("public.c"))
  }

  @Test func `takes other line ends for the same file`() throws {
    let run = try twoTables()
    try run.apply()
    run.files[0].text = "create table a (\r\n  id int);"

    #expect(try run.apply() == [])
  }

  @Test func `refuses a late file unless it is asked for`() throws {
    let run = try twoTables()
    try run.apply()
    run.files.insert(("15_late.sql", "create table late (id int);"), at: 0)
    run.files.append(("3_c.sql", "create table c (id int);"))

    #expect(run.refusal().map(\.code) == ["migrate.late"])
    #expect(try !run.exists("public.c"))

    run.options.includeOlder = true
    #expect(try run.apply() == ["15_late.sql", "3_c.sql"])
  }

  @Test func `refuses a database that is ahead of the folder unless told`() throws {
    let run = try twoTables()
    try run.apply()
    run.files = [run.files[0], ("3_c.sql", "create table c (id int);")]

    let error = try #require(run.refusal().first)
    #expect(error.code == "migrate.missing")
    #expect(error.detail == "2_b")

    run.options.allowMissing = true
    #expect(try run.apply() == ["3_c.sql"])
  }

  @Test func `stops after the version it is told`() throws {
    let run = try twoTables()
    run.options.target = "1"
    #expect(try run.apply() == ["1_a.sql"])

    run.options.target = "7"
    #expect(run.refusal().map(\.code) == ["migrate.unknown-version"])
  }

  @Test func `orders by file name, byte by byte`() throws {
    let names = ["9_z.sql", "10_b.sql", "1_a.sql", "20240101000000_x.sql"]

    let folder = try MigrationFolder(
      path: "m", entries: names.map { .init(fileName: $0, bytes: Array("select 1".utf8)) })

    #expect(folder.files.map(\.fileName) == ["10_b.sql", "1_a.sql", "20240101000000_x.sql", "9_z.sql"])
  }

  @Test func `reports every problem of a folder before anything runs`() throws {
    let entries: [MigrationFolder.Entry] = [
      .init(fileName: "1_a.sql", bytes: Array("select 1".utf8)),
      .init(fileName: "1_b.sql", bytes: Array("select 1".utf8)),
      .init(fileName: "2_latin.sql", bytes: [0x2D, 0x2D, 0x0A, 0x2D, 0x2D, 0xE5]),
      .init(fileName: "3_utf16.sql", bytes: [0x73, 0x00, 0x65, 0x00]),
    ]

    let error = #expect(throws: DiagnosticList.self) { try MigrationFolder(path: "m", entries: entries) }

    #expect(
      error?.diagnostics.map(\.message) == [
        "m/2_latin.sql:2 is not UTF-8",
        "m/3_utf16.sql holds a NUL byte at offset 1",
        "version 1 is used by two files",
      ])
  }

  @Test func `warns of a file whose name is no migration's`() throws {
    let folder = try MigrationFolder(
      path: "m",
      entries: [
        .init(fileName: "notes.sql", bytes: []), .init(fileName: "README.md", bytes: []),
        .init(fileName: "v2_x.sql", bytes: []),
      ])

    #expect(folder.files.isEmpty)
    #expect(folder.warnings.map(\.code) == ["migrate.file-name", "migrate.file-name"])
  }

  private func twoTables() throws -> MigrationRun {
    let run = try MigrationRun()
    run.files = [("1_a.sql", "create table a (\n  id int);"), ("2_b.sql", "create table b (id int);")]
    return run
  }
}
