import Diagnostics
import Postgres
import Seeding
import Support
import Targets
import Testing

/// A scratch database as the guard lets it through, with a table to seed.
struct SeedBed {
  let database: ScratchDatabase
  let db: Connection
  let target: LoopbackTarget

  init(bare: Bool = true) throws {
    database = try ScratchDatabase(bare: bare)
    db = try database.connect()
    target = try LoopbackGuard(environment: [:]).admit(try database.url())
    try db.run("create table public.a (id int primary key, b text)")
  }

  @discardableResult
  func seed(
    _ texts: String..., verify: [String] = [], summary: [String] = [], buckets: [Bucket] = [],
    isInterrupted: () -> Bool = { false }
  ) throws -> Seeder.Outcome {
    func files(_ texts: [String], _ folder: String) -> [SourceFile] {
      texts.enumerated().map { SourceFile(path: "\(folder)/\($0.offset + 1).sql", text: $0.element) }
    }
    return try Seeder(target).seed(
      files(texts, "seeds"), buckets: buckets,
      checks: SeedChecks(verification: files(verify, "verify"), summary: files(summary, "summary")),
      isInterrupted: isInterrupted)
  }

  /// What refuses the seed; nothing of it may stay.
  func refusal(
    _ texts: String..., verify: [String] = [], sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> [Diagnostic] {
    var found: [Diagnostic] = []
    do {
      switch texts.count {
      case 1: try seed(texts[0], verify: verify)
      default: try seed(texts[0], texts[1], verify: verify)
      }
      Issue.record("the seed was not refused", sourceLocation: sourceLocation)
    } catch let error as any Diagnosable { found = error.diagnostics }
    #expect(try db.value("select count(*) from public.a") == "0", sourceLocation: sourceLocation)
    return found
  }
}

@Suite struct SeedingTests {
  private let bed: SeedBed

  init() throws { bed = try SeedBed() }

  @Test func `loads files in order and says what it wrote`() throws {
    let outcome = try bed.seed(
      "copy public.a from stdin;\n1\tx;y\n2\t\\N\n\\.\n", "update public.a set b = 'z' where id = 2;",
      verify: ["select 'two rows' as check, count(*) = 2 as ok, count(*)::text as detail from public.a"],
      summary: ["select 'rows' as label, count(*) as value from public.a"])

    #expect(outcome.files == 2)
    #expect(outcome.rows == 3)
    #expect(outcome.checks == 1)
    #expect(outcome.summary.map { "\($0.label) \($0.value)" } == ["rows 2"])
    #expect(try bed.db.value("select string_agg(b, ',' order by id) from public.a") == "x;y,z")
  }

  @Test func `keeps nothing when a promise is not kept, and names every one`() throws {
    let found = try bed.refusal(
      "insert into public.a values (1)",
      verify: [
        """
        select 'one row' as check, true as ok, '' as detail;
        select 'two rows' as check, false as ok, 'there is 1' as detail;
        select 'no answer' as check, null::boolean as ok, null as detail;
        """
      ])

    #expect(found.map(\.code) == ["seed.promise", "seed.promise"])
    #expect(found.first?.message == "the seeded data is not as promised: two rows")
    #expect(found.first?.detail == "there is 1")
    #expect(found.map { $0.location?.line } == [2, 3])
  }

  @Test(
    arguments: [
      ("select 'x' as check, true as ok, '' as detail where false", "seed.nothing-checked"),
      ("-- nothing", "seed.nothing-checked"), ("select 1 as one", "seed.check-shape"),
      ("select true as ok, 'x' as check, '' as detail", "seed.check-shape"),
      ("select nosuch from public.a", "seed.check-refused"),
    ])
  func `a check that checks nothing fails`(check: String, code: String) throws {
    #expect(try bed.refusal("insert into public.a values (1)", verify: [check]).map(\.code) == [code])
  }

  @Test func `takes begin and commit around a file for its own words, and undoes them with the rest`() throws
  {
    let found = try bed.refusal("begin;\ninsert into public.a values (1);\ncommit;", "select 1/0;")

    #expect(found.map(\.sqlState) == ["22012"])
    try bed.seed("begin;\ninsert into public.a values (1);\ncommit;")
    #expect(try bed.db.value("select count(*) from public.a") == "1")
  }

  @Test(
    arguments: [
      ("insert into public.a values (1);\ncommit;\nselect 1;", "seed.commit-inside"),
      ("vacuum public.a;", "seed.outside-transaction"),
      ("create index concurrently on public.a (b);", "seed.outside-transaction"),
      ("\\i other.sql", "seed.meta-command"),
      // The grammar does not see this one; the server's state does.
      ("do $$ begin execute 'select 1'; commit; end $$;", "seed.sql"),
    ])
  func `refuses what can't be undone`(text: String, code: String) throws {
    #expect(try bed.refusal("insert into public.a values (7);", text).map(\.code) == [code])
  }

  @Test func `a deferred constraint speaks up before anything is kept`() throws {
    try bed.db.run("create table public.c (a int references public.a deferrable initially deferred)")

    #expect(try bed.refusal("insert into public.c values (1);").map(\.sqlState) == ["23503"])
    #expect(try bed.db.value("select count(*) from public.c") == "0")
  }

  @Test func `each file starts with the session's own settings and role`() throws {
    try bed.db.run("create schema other")

    try bed.seed("set search_path = other; set role pg_monitor;", "insert into a values (1);")

    #expect(try bed.db.value("select count(*) from public.a") == "1")
  }

  @Test func `an interrupt between statements keeps nothing`() throws {
    var asked = 0

    let error = #expect(throws: Diagnostic.self) {
      try bed.seed(
        "insert into public.a values (1);",
        isInterrupted: {
          asked += 1
          return asked > 1
        })
    }

    #expect(error?.code == "seed.interrupted")
    #expect(try bed.db.value("select count(*) from public.a") == "0")
  }

  @Test func `asserts every column of a bucket`() throws {
    let bed = try SeedBed(bare: false)
    try bed.db.run("insert into storage.buckets (id, name, public) values ('photos', 'photos', true)")

    try bed.seed(
      buckets: [
        Bucket(name: "photos", isPublic: false, fileSizeLimit: 1024, allowedMIMETypes: ["image/jpeg"])
      ])

    let row = try bed.db.rows(
      "select public, file_size_limit, allowed_mime_types::text from storage.buckets where id = 'photos'")
    #expect(row.map(\.values) == [["f", "1024", "{image/jpeg}"]])
  }
}
