import Postgres
import Support
import Testing

@Suite struct StateCommandTests {
  private func project() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.write(
      "migrations/0001_a.sql", "-- why it is there\ncreate table public.a (id int primary key);\n")
    try folder.write(
      "migrations/0002_b.sql", "alter table public.a add b text; insert into public.a values (1, 'x');\n")
    return folder
  }

  @Test func `folds migrations and the ledger of a database that has them`() throws {
    let folder = try project()
    let database = try ScratchDatabase()
    let url = try database.url()
    #expect(try Nomdev.run(["migrate", "--yes", "--db-url", url], folder: folder.path).status == 0)

    let squash = try Nomdev.run(["squash"], folder: folder.path)

    #expect(squash.status == 0, "\(squash.errors)")
    #expect(
      try folder.read("migrations/0002_baseline.sql").contains("-- why it is there\ncreate table public.a"))
    #expect(!folder.exists("migrations/0001_a.sql"))
    #expect(folder.exists("migrations-archive/0001_a.sql"))
    #expect(try Nomdev.run(["migrate", "--yes", "--db-url", url], folder: folder.path).status == 0)
    let ledger = try database.connect().rows(
      "select version, name from supabase_migrations.schema_migrations")
    #expect(ledger.map(\.values) == [["0002", "baseline"]])
  }

  @Test func `finds drift against the files it wrote`() throws {
    let folder = try project()
    let database = try ScratchDatabase()
    let url = try database.url()
    #expect(try Nomdev.run(["migrate", "--yes", "--db-url", url], folder: folder.path).status == 0)
    #expect(try Nomdev.run(["state", "--write"], folder: folder.path).status == 0)
    #expect(try Nomdev.run(["assert", "--migrations"], folder: folder.path).status == 0)
    let clean = try Nomdev.run(["assert", "--db-url", url], folder: folder.path)
    #expect(clean.status == 0, "\(clean.output)\(clean.errors)")

    try database.connect().run("alter table public.a drop column b")
    let drift = try Nomdev.run(["assert", "--db-url", url], folder: folder.path)

    #expect(drift.status == 1)
    #expect(drift.output.contains("missing[state.missing]: column b of table public.a  text"))
    #expect(drift.output.contains("--> migrations/0002_b.sql:1:1"))
    #expect(drift.output.contains("mend: alter table public.a add column b text"))
  }
}
