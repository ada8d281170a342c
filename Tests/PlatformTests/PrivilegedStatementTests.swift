import Platform
import Postgres
import Support
import Testing

@Suite struct PrivilegedStatementTests {
  @Test(
    arguments: [
      ("create event trigger e on ddl_command_end execute function f()", .createEventTrigger),
      ("CREATE  EVENT\n TRIGGER e on sql_drop execute procedure f()", .createEventTrigger),
      ("create publication p for all tables", .publicationForAll),
      ("create publication p for tables in schema public", .publicationForAll),
      ("alter publication p add tables in schema public", .publicationForAll),
      ("create foreign data wrapper w handler h", .createForeignDataWrapper),
      ("create role r login bypassrls;", .createPowerfulRole),
      ("create user r replication", .createPowerfulRole),
      ("create publication p for table public.t", nil), ("alter publication p add table public.t", nil),
      ("create role r login", nil), ("alter event trigger e disable", nil), ("drop event trigger e", nil),
      ("create user mapping for postgres server s", nil), ("create table t (id int)", nil), ("", nil),
    ] as [(String, PrivilegedStatement?)])
  func `is told by its first words`(statement: String, kind: PrivilegedStatement?) {
    #expect(PrivilegedStatement(statement) == kind)
  }

  private func run(_ statement: String, on db: Connection) throws {
    let kind = try #require(PrivilegedStatement(statement))
    try db.run("select \(trusted: kind.function)(\(statement))")
  }

  private static let routine =
    "create function public.e() returns event_trigger language plpgsql as $$ begin raise notice 'seen %', tg_tag; end $$"

  @Test func `an event trigger fires, belongs to postgres and goes with its transaction`() throws {
    let scratch = try Scratch()
    var notices: [String] = []
    scratch.db.onNotice = { notices.append($0.message) }
    try scratch.db.run("begin")
    try scratch.db.run(SQL(trusted: Self.routine))

    // The function is found along the search_path, though the transaction that made it has not ended.
    try run(
      "create event trigger \"Odd \"\"one\" on ddl_command_end when tag in ('CREATE TABLE', 'ALTER TABLE') execute procedure e();",
      on: scratch.db)
    try scratch.db.run("create table public.t (id int)")
    try scratch.db.run("create view public.v as select 1 as one")

    #expect(notices == ["seen CREATE TABLE"])
    #expect(
      try scratch.db.lines(
        "select evtowner::regrole, evttags from pg_event_trigger where evtname = 'Odd \"one'")
        == ["postgres|{\"CREATE TABLE\",\"ALTER TABLE\"}"])
    #expect(try scratch.db.value("select rolsuper from pg_roles where rolname = 'postgres'") == "f")
    try scratch.db.run("alter event trigger \"Odd \"\"one\" disable")
    try scratch.db.run("drop event trigger \"Odd \"\"one\"")
    try scratch.db.run("rollback")
  }

  @Test func `publications for everything, wrappers and powerful roles can be made and dropped`() throws {
    let scratch = try Scratch()
    try scratch.db.run("begin")

    try run("create publication everything for all tables with (publish = 'insert, update')", on: scratch.db)
    try run("create publication several for tables in schema public", on: scratch.db)
    try run("alter publication several drop tables in schema public", on: scratch.db)
    try run("create foreign data wrapper w", on: scratch.db)
    try run("create role reader login bypassrls password 'secret'", on: scratch.db)

    #expect(
      try scratch.db.lines(
        "select pubname, pubowner::regrole, puballtables from pg_publication where pubname in ('everything', 'several') order by 1"
      )
        == ["everything|postgres|t", "several|postgres|f"])
    #expect(try scratch.db.value("select rolbypassrls from pg_roles where rolname = 'reader'") == "t")
    try scratch.db.run("drop publication everything")
    try scratch.db.run("drop foreign data wrapper w")
    try scratch.db.run("drop role reader")
    try scratch.db.run("rollback")
  }

  @Test(arguments: [
    (
      PrivilegedStatement.createEventTrigger,
      "create event trigger e on ddl_command_end execute function public.e(); drop table public.t"
    ),
    (
      .createEventTrigger,
      "create event trigger e on ddl_command_end execute function extensions.pgrst_ddl_watch()"
    ),
    (.createEventTrigger, "drop table public.t"),
    (.publicationForAll, "create publication p for all tables; alter role postgres superuser"),
    (.publicationForAll, "drop publication supabase_realtime"),
    (.createForeignDataWrapper, "create foreign data wrapper w options (a 'b'); select 1"),
    (.createPowerfulRole, "create role r superuser"),
    (.createPowerfulRole, "create role r login in role supabase_admin"),
    (.createPowerfulRole, "create role r password 'a'; alter role r superuser"),
  ])
  func `refuses to carry anything else`(kind: PrivilegedStatement, statement: String) throws {
    let scratch = try Scratch()
    try scratch.db.run(SQL(trusted: Self.routine))
    try scratch.db.run("create table public.t (id int)")

    #expect(throws: PostgresError.self) {
      try scratch.db.run("select \(trusted: kind.function)(\(statement))")
    }
    #expect(try scratch.db.value("select to_regclass('public.t')") == "t")
  }

  @Test func `are for postgres alone`() throws {
    let scratch = try Scratch()

    for kind in PrivilegedStatement.allCases {
      let refusal = try scratch.db.refusal(of: "set local role authenticated; select \(kind.function)('')")
      #expect(refusal?.hasPrefix("42501 permission denied for function") == true)
    }
    #expect(
      try scratch.db.refusal(of: "select nomdev_platform.give_to_postgres('table', 'auth.users')")
        == "42501 permission denied for function give_to_postgres")
  }
}

@Suite struct PlatformValueTests {
  @Test func `scripts are there, named and in the order of their numbers`() {
    #expect(Platform.scripts.map(\.name) == Platform.scripts.map(\.name).sorted())
    #expect(Platform.scripts.first?.name == "010_roles.sql")
    #expect(Platform.scripts.allSatisfy { $0.sql.hasPrefix("-- ") && $0.sql.hasSuffix("\n") })
    #expect(Platform.databaseSettings.contains("app.settings.jwt_secret"))
  }

  @Test func `the digest is a sha256 in hexadecimal`() {
    #expect(Platform.digest.count == 64)
    #expect(Platform.digest.allSatisfy { $0.isHexDigit && !$0.isUppercase })
  }

  @Test func `no extension the platform keeps back is trusted`() {
    #expect(Platform.trustedExtensions.contains("moddatetime"))
    #expect(
      Set(Platform.trustedExtensions).isDisjoint(with: ["adminpack", "file_fdw", "pageinspect", "xml2"]))
  }
}
