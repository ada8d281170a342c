import Postgres
import Support
import Testing

@Suite struct RoleTests {
  let admin: Connection
  let database: ScratchDatabase

  init() throws {
    database = try ScratchDatabase()
    admin = try database.connect(as: "supabase_admin")
  }

  @Test func `roles have the platform's attributes and no others`() throws {
    let roles = try admin.lines(
      """
      select rolname, concat_ws(' ', case when rolsuper then 'superuser' end,
        case when rolcanlogin then 'login' end, case when not rolinherit then 'noinherit' end,
        case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end,
        case when rolreplication then 'replication' end, case when rolbypassrls then 'bypassrls' end)
      from pg_roles where rolname !~ '^pg_' order by 1
      """)

    #expect(
      roles == [
        "anon|", "authenticated|", "authenticator|login noinherit",
        "dashboard_user|createrole createdb replication", "pgbouncer|login",
        "postgres|login createrole createdb replication bypassrls", "service_role|bypassrls",
        "supabase_admin|superuser login createrole createdb replication bypassrls",
        "supabase_auth_admin|login noinherit createrole", "supabase_etl_admin|login replication",
        "supabase_functions_admin|login noinherit createrole", "supabase_read_only_user|login bypassrls",
        "supabase_realtime_admin|noinherit", "supabase_replication_admin|login replication",
        "supabase_storage_admin|login noinherit createrole",
      ])
  }

  @Test func `memberships let the API switch roles and nobody reach the superuser`() throws {
    let memberships = try admin.lines(
      """
      select member::regrole, string_agg(roleid::regrole::text, ' ' order by roleid::regrole::text)
      from pg_auth_members where member::regrole::text !~ '^pg_' group by member order by 1::text
      """
    ).sorted()

    #expect(
      memberships == [
        "authenticator|anon authenticated service_role",
        "postgres|\(postgresMemberships)",
        "supabase_read_only_user|pg_monitor pg_read_all_data",
        "supabase_storage_admin|authenticator",
      ])
  }

  /// From PostgreSQL 16 on `postgres` administers the API's login through a membership.
  private var postgresMemberships: String {
    "anon authenticated \(admin.serverVersion >= 160000 ? "authenticator " : "")pg_monitor pg_read_all_data "
      + "pg_signal_backend service_role supabase_auth_admin supabase_functions_admin supabase_realtime_admin "
      + "supabase_storage_admin"
  }

  @Test func `roles carry the platform's settings`() throws {
    let settings = try admin.lines(
      """
      select rolname, array_to_string(rolconfig, '; ') from pg_roles
      where rolconfig is not null order by 1
      """)

    #expect(
      settings == [
        "anon|statement_timeout=3s", "authenticated|statement_timeout=8s",
        "authenticator|statement_timeout=8s; lock_timeout=8s",
        #"postgres|search_path="\$user", public, extensions"#,
        #"supabase_admin|search_path="$user", public, auth, extensions"#,
        "supabase_auth_admin|search_path=auth; idle_in_transaction_session_timeout=60000",
        "supabase_functions_admin|search_path=supabase_functions",
        "supabase_storage_admin|search_path=storage",
      ])
  }

  @Test func `the API's login becomes any of its roles and none else`() throws {
    let login = try database.connect(as: "authenticator")

    for role in ["anon", "authenticated", "service_role"] {
      #expect(try login.refusal(of: "set local role \(role)") == nil)
    }
    for role in ["postgres", "supabase_admin", "supabase_auth_admin"] {
      #expect(
        try login.refusal(of: "set local role \(role)") == "42501 permission denied to set role \"\(role)\"")
    }
    #expect(
      try login.refusal(of: "create table public.t (id int)") == "42501 permission denied for schema public")
  }

  @Test func `a project's own role can be given to the API's roles and works through them`() throws {
    let migration = try database.connect()

    try migration.attempt(
      """
      create role editor nologin;
      grant editor to authenticator;
      grant editor to authenticated;
      create table public.draft (id int);
      grant select on public.draft to editor;
      set local role authenticated;
      select * from public.draft;
      """)
  }

  @Test func `the database is a local one and says so`() throws {
    #expect(
      try admin.value("select pg_get_userbyid(datdba) from pg_database where datname = \(database.name)")
        == "postgres")
    let acl = try admin.lines(
      "select array_to_string(datacl, ' ') from pg_database where datname = '\(database.name)'")
    #expect(acl == ["=Tc/postgres postgres=CTc/postgres dashboard_user=CTc/postgres"])
    #expect(
      try admin.value("show app.settings.jwt_secret")
        == "super-secret-jwt-token-with-at-least-32-characters-long")
    #expect(try admin.value("show app.settings.jwt_exp") == "3600")
    #expect(try admin.value("show timezone") == "UTC")
  }
}
