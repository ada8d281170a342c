import Platform
import Postgres
import Support
import Testing

/// What the API's roles get on objects made later, under both profiles.
@Suite struct GrantTests {
  private func defaults(of profile: GrantProfile) throws -> [String] {
    let scratch = try Scratch(grants: profile, as: "supabase_admin")
    return try scratch.db.lines(
      """
      select defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype,
        (select string_agg(grantee::regrole || ' ' || rights, ', ' order by grantee::regrole::text) from (
          select grantee, string_agg(privilege_type || case when is_grantable then '*' else '' end, ' '
            order by privilege_type) as rights
          from aclexplode(defaclacl) where privilege_type <> 'MAINTAIN' group by grantee) as g)
      from pg_default_acl where defaclnamespace = 'public'::regnamespace order by 1, 3
      """)
  }

  private func everyone(_ rights: String) -> String {
    ["anon", "authenticated", "postgres", "service_role"].map { "\($0) \(rights)" }.joined(separator: ", ")
  }
  private let onTables = "DELETE INSERT REFERENCES SELECT TRIGGER TRUNCATE UPDATE"

  @Test func `legacy grants everything in public to everyone`() throws {
    #expect(
      try Set(defaults(of: .legacy)) == [
        "postgres|public|r|\(everyone(onTables))", "postgres|public|S|\(everyone("SELECT UPDATE USAGE"))",
        "postgres|public|f|\(everyone("EXECUTE"))",
        "supabase_admin|public|r|\(everyone(onTables))",
        "supabase_admin|public|S|\(everyone("SELECT UPDATE USAGE"))",
        "supabase_admin|public|f|\(everyone("EXECUTE"))",
      ])
  }

  @Test func `explicit leaves the remains the platform leaves`() throws {
    let rest = "REFERENCES TRIGGER TRUNCATE"

    #expect(
      try Set(defaults(of: .explicit)) == [
        "postgres|public|r|anon \(rest), authenticated \(rest), postgres \(onTables), service_role \(rest)",
        "postgres|public|S|anon UPDATE, authenticated UPDATE, postgres SELECT UPDATE USAGE, service_role UPDATE",
        "postgres|public|f|postgres EXECUTE",
        "supabase_admin|public|r|\(everyone(onTables))",
        "supabase_admin|public|S|\(everyone("SELECT UPDATE USAGE"))",
        "supabase_admin|public|f|\(everyone("EXECUTE"))",
      ])
  }

  @Test func `the services' schemas have their default privileges`() throws {
    let scratch = try Scratch(as: "supabase_admin")

    let creators = try scratch.db.lines(
      """
      select defaclrole::regrole, defaclnamespace::regnamespace, string_agg(defaclobjtype::text, '' order by defaclobjtype::text collate "C")
      from pg_default_acl
      where defaclnamespace::regnamespace::text in ('auth', 'storage', 'extensions', 'realtime', 'graphql_public')
      group by 1, 2 order by 2::text
      """)

    #expect(
      Set(creators) == [
        "supabase_auth_admin|auth|Sfr", "supabase_admin|extensions|Sfr", "supabase_admin|graphql_public|Sfr",
        "supabase_admin|realtime|Sfr", "postgres|storage|Sfr",
      ])
  }

  private static let ask =
    "select has_table_privilege(r, 'public.t', p) from unnest(array['anon', 'authenticated', 'service_role']) r, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p"

  @Test(arguments: [(GrantProfile.legacy, "t"), (.explicit, "f")])
  func `a table made by a migration is reachable or not`(profile: GrantProfile, expected: String) throws {
    let scratch = try Scratch(grants: profile)
    try scratch.db.run("create table public.t (id int)")

    #expect(try Set(scratch.db.lines(Self.ask)) == [expected])
    #expect(try scratch.db.value("select has_table_privilege('anon', 'public.t', 'truncate')") == "t")
  }

  @Test(arguments: GrantProfile.allCases)
  func `a new function is callable by anon under both profiles`(profile: GrantProfile) throws {
    let scratch = try Scratch(grants: profile)
    try scratch.db.run("create function public.f() returns int language sql as 'select 1'")

    #expect(try scratch.db.value("select has_function_privilege('anon', 'public.f()', 'execute')") == "t")

    // Hiding it takes both: PUBLIC's right and, under legacy, the explicit ones.
    try scratch.db.run("revoke execute on function public.f() from public")
    let reachable = try scratch.db.value("select has_function_privilege('anon', 'public.f()', 'execute')")
    #expect(reachable == (profile == .legacy ? "t" : "f"))
  }

  @Test func `service_role loses access under explicit too`() throws {
    let scratch = try Scratch(grants: .explicit)
    try scratch.db.run("create table public.t (id int)")

    #expect(
      try scratch.db.refusal(of: "set local role service_role; select * from public.t")
        == "42501 permission denied for table t")
  }

  @Test func `a table in a schema of the project's own gets nothing`() throws {
    let scratch = try Scratch(grants: .legacy)
    try scratch.db.run(script: "create schema app; create table app.t (id int)")

    #expect(
      try scratch.db.refusal(of: "set local role anon; select * from app.t")
        == "42501 permission denied for schema app")
  }

  @Test func `giving a profile twice changes nothing`() throws {
    let scratch = try Scratch()
    let before = try scratch.db.lines("select * from pg_default_acl order by 1")

    try scratch.db.run(script: Platform.grants(.explicit))

    #expect(try scratch.db.lines("select * from pg_default_acl order by 1") == before)
  }

  @Test func `schemas have the platform's owners and rights`() throws {
    let scratch = try Scratch(as: "supabase_admin")

    let schemas = try scratch.db.lines(
      """
      select nspname, nspowner::regrole, (select string_agg(
          case grantee when 0 then 'PUBLIC' else grantee::regrole::text end || ' ' || rights, ', '
          order by case grantee when 0 then 'PUBLIC' else grantee::regrole::text end collate "C") from (
        select grantee, string_agg(left(privilege_type, 1), '' order by privilege_type) as rights
        from aclexplode(nspacl) where grantee <> nspowner group by grantee) as g)
      from pg_namespace
      where nspname in ('public', 'extensions', 'auth', 'storage', 'realtime', 'graphql_public', '_realtime')
      order by 1
      """)

    #expect(
      schemas == [
        "_realtime|postgres|",
        "auth|supabase_admin|anon U, authenticated U, dashboard_user CU, postgres U, service_role U, supabase_auth_admin CU",
        "extensions|postgres|anon U, authenticated U, dashboard_user CU, service_role U",
        "graphql_public|supabase_admin|anon U, authenticated U, postgres U, service_role U",
        "public|pg_database_owner|PUBLIC U, anon U, authenticated U, postgres U, service_role U",
        "realtime|supabase_admin|anon U, authenticated U, postgres U, service_role U, supabase_realtime_admin CU",
        "storage|supabase_admin|anon U, authenticated U, dashboard_user CU, postgres U, service_role U, supabase_storage_admin CU",
      ])
  }
}
