import JSONValues
import Postgres
import Processes
import Support
import Testing

@Suite struct SeedCommandTests {
  @Test func `seeds this repository's own project, twice the same, and tells what is in it`() throws {
    let project = try ScratchProject()
    for folder in ["migrations", "seeds", "checks"] {
      try Files.copyTree("\(Self.root)/\(folder)", to: "\(project.path)/\(folder)", owner: nil)
    }

    let first = try project.run("seed", "--reset")

    #expect(first.status == 0, "\(first.errors)")
    let count: SQL = "select (select count(*) from public.recipes), (select count(*) from public.meals)"
    #expect(try project.connect().rows(count)[0].values == ["40", "58"])
    #expect(first.output.contains("\n  recipes "))
    #expect(first.output.contains(" kept in "))
    let second = try JSON(parsing: try project.run("seed", "--format", "json").output)
    #expect(second["files"] != nil && second["summary"] != nil && second["version"] != nil)
    #expect(second["database"]?.string == "postgres://postgres@127.0.0.1:\(project.port)/postgres")
    #expect(try project.connect().rows(count)[0].values == ["40", "58"])
  }

  @Test func `works in a project of the Supabase CLI as it is`() throws {
    let project = try Self.supabaseProject()

    let outcome = try project.run("seed")

    #expect(outcome.status == 0, "\(outcome.errors)")
    let db = try project.connect()
    #expect(
      try db.value("select string_agg(id || name, ',' order by id) from public.fruit")
        == "1apple,2pear; plum,3fig")
    #expect(
      try db.rows("select id, public, file_size_limit, allowed_mime_types::text from storage.buckets").map(
        \.values)
        == [["pictures", "f", "1048576", "{image/png}"]])
    #expect(try db.value("select 1 from pg_roles where rolname = 'reporter'") == "1")
    #expect(try db.value("select count(*) from supabase_migrations.schema_migrations") == "1")
  }

  @Test func `makes the roles once, also when the first migration was refused, and many runs come at once`()
    throws
  {
    let project = try Self.supabaseProject()
    let name = "supabase/migrations/20260101000000_fruit.sql"
    let good = try project.folder.read(name)
    try project.folder.write(name, "create table public.fruit (id nosuchtype);")
    #expect(try project.run("migrate").status == 2)
    #expect(try project.connect().value("select 1 from pg_roles where rolname = 'reporter'") == "1")

    try project.folder.write(name, good)
    let runs = try (0..<4).map { _ in try project.start("migrate") }
    let ends = runs.map { $0.wait() }

    let errors = try project.folder.read("errors.log")
    #expect(ends == Array(repeating: .exited(0), count: 4), "\(errors)")
    #expect(try project.connect().value("select count(*) from supabase_migrations.schema_migrations") == "1")
  }

  @Test func `keeps nothing of a seed with a mistake, and says where it is`() throws {
    let project = try ScratchProject(migrations: [("1_a.sql", "create table a (id int);")])
    try project.folder.write("seeds/1.sql", "insert into a values (1);\n")
    try project.folder.write("seeds/2.sql", "-- second\ncopy a from stdin;\n2\nx\n\\.\n")

    let outcome = try project.run("seed")

    #expect(outcome.status == 2)
    expectGolden(
      outcome.errors.split(separator: "\n").dropFirst().joined(separator: "\n"), "command/seed-refused.err")
    #expect(try project.connect().value("select count(*) from a") == "0")
  }

  private static func supabaseProject() throws -> ScratchProject {
    let project = try ScratchProject(ownFile: false)
    try project.folder.write(
      "supabase/config.toml",
      """
      project_id = "fruit"
      [db]
      port = \(project.port)
      [db.seed]
      sql_paths = ["./seed.sql", "./more/*.sql"]
      [storage.buckets.pictures]
      public = false
      file_size_limit = "1MiB"
      allowed_mime_types = ["image/png"]
      """)
    try project.folder.write("supabase/roles.sql", "create role reporter;\n")
    try project.folder.write(
      "supabase/migrations/20260101000000_fruit.sql",
      "create table public.fruit (id int primary key, name text);\ngrant select on public.fruit to reporter;\n"
    )
    try project.folder.write(
      "supabase/seed.sql", "copy public.fruit (id, name) from stdin;\n1\tapple\n2\tpear; plum\n\\.\n")
    try project.folder.write("supabase/more/1.sql", "insert into public.fruit values (3, 'fig');\n")
    return project
  }

  private static let root = (0..<3).reduce(#filePath) { path, _ in Files.parent(of: path) ?? "." }
}
