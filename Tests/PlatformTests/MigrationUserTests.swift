import Postgres
import Support
import Testing

/// What `postgres`, which migrations run as, may and may not do.
@Suite(.serialized) struct MigrationUserTests {
  let scratch: ScratchDatabase
  let db: Connection

  // One database for all cases: what a case does is rolled back.
  private static let shared = Swift.Result { try ScratchDatabase() }

  init() throws {
    scratch = try Self.shared.get()
    db = try scratch.connect()
  }

  private static let handler =
    "create function public.h() returns trigger language plpgsql as $$ begin return new; end $$;"

  @Test(arguments: [
    "\(handler) create trigger t after insert on auth.users for each row execute function public.h(); drop trigger t on auth.users",
    "\(handler) create trigger t after insert on storage.objects for each row execute function public.h(); drop trigger t on storage.objects",
    "\(handler) create trigger t after insert on auth.users for each row execute function public.h(); drop function public.h() cascade",
    "create table public.p (id uuid primary key references auth.users on delete cascade); drop table public.p",
    "create policy p on storage.objects for select using (true); alter policy p on storage.objects to anon; comment on policy p on storage.objects is 'x'; drop policy p on storage.objects",
    "create policy p on storage.buckets for select using (true)",
    "create policy p on auth.users for select using (true); drop policy p on auth.users",
    "create policy p on realtime.messages for select using (realtime.topic() = 'x'); drop policy p on realtime.messages",
    "drop policy if exists nobody on storage.objects",
    "alter table storage.objects enable row level security",
    "alter table storage.buckets enable row level security",
    "alter table auth.users enable row level security",
    "insert into auth.users (id) values (gen_random_uuid()); update auth.users set aud = ''; delete from auth.users",
    "insert into storage.buckets (id, name) values ('b', 'b') on conflict (id) do nothing",
    "truncate storage.objects, storage.s3_multipart_uploads_parts",
    "set local session_replication_role = replica",
    "set local track_io_timing = on",
    "alter role authenticator set pgrst.db_schemas = 'public, api'",
    "alter role authenticator set pgrst.db_pre_request = 'public.check_request'",
    "alter role authenticator set statement_timeout = '20s'",
    "alter role authenticated set statement_timeout = '30s'",
    "alter role postgres set log_min_duration_statement = 100",
    "notify pgrst, 'reload config'",
    "create role own nologin; grant own to authenticated; drop role own",
    "create schema app; grant usage on schema app to anon; drop schema app",
    "create extension citext with schema extensions; drop extension citext",
    "create extension moddatetime with schema extensions",
    "create extension if not exists pgcrypto; create extension if not exists \"uuid-ossp\" with schema extensions",
    "create extension postgres_fdw with schema extensions; create server s foreign data wrapper postgres_fdw",
    "create table public.t (id int); alter publication supabase_realtime add table public.t",
    "drop publication if exists supabase_realtime; create publication supabase_realtime",
    "alter default privileges in schema public revoke all on tables from anon",
    "alter default privileges revoke execute on functions from public",
    "grant select on auth.users to authenticated",
    "select extensions.uuid_generate_v4(), uuid_generate_v4(), gen_random_uuid(), crypt('a', gen_salt('bf', 4))",
    "create view public.v as select id from auth.users",
    "alter database current set statement_timeout = '2min'",
  ])
  func `may`(_ script: String) throws {
    let script = script.replacing("database current", with: "database \(scratch.name)")

    #expect(try db.refusal(of: script) == nil)
  }

  @Test(
    arguments: [
      ("create table auth.x (id int)", "permission denied for schema auth"),
      ("create table auth.x as select 1", "permission denied for schema auth"),
      (
        "create function auth.x() returns int language sql as 'select 1'", "permission denied for schema auth"
      ),
      (
        "create or replace function auth.uid() returns uuid language sql as 'select null::uuid'",
        "permission denied for schema auth"
      ),
      ("create type storage.x as enum ('a')", "permission denied for schema storage"),
      ("create view storage.x as select 1", "permission denied for schema storage"),
      (
        "create table public.x (id int); alter table public.x set schema auth",
        "permission denied for schema auth"
      ),
      ("create table realtime.x (id int)", "permission denied for schema realtime"),
      ("create table vault.x (id int)", "permission denied for schema vault"),
      (
        "create function graphql_public.x() returns int language sql as 'select 1'",
        "permission denied for schema graphql_public"
      ),
      ("alter table auth.users add column nickname text", "must be owner of table users"),
      ("alter table auth.users drop column phone", "must be owner of relation users"),
      ("alter table auth.users rename to people", "must be owner of table users"),
      ("alter table auth.users owner to postgres", "must be owner of table users"),
      ("alter table auth.users alter email set not null", "must be owner of table users"),
      ("alter table storage.objects disable row level security", "must be owner of table objects"),
      ("alter table storage.objects force row level security", "must be owner of table objects"),
      (
        "alter table storage.objects disable trigger protect_objects_delete", "must be owner of table objects"
      ),
      ("alter table auth.oauth_clients enable row level security", "must be owner of table oauth_clients"),
      ("create policy p on auth.mfa_factors for select using (true)", "must be owner of table mfa_factors"),
      ("create index on storage.objects (owner)", "must be owner of table objects"),
      ("create rule r as on insert to storage.objects do nothing", "must be owner of table objects"),
      ("comment on table auth.users is 'x'", "must be owner of table users"),
      ("comment on column auth.users.id is 'x'", "must be owner of table users"),
      ("drop table auth.users cascade", "must be owner of table users"),
      ("drop function auth.uid() cascade", "must be owner of function uid"),
      ("drop function storage.foldername(text)", "must be owner of function foldername"),
      ("drop type auth.aal_level cascade", "must be owner of type aal_level"),
      ("drop index auth.users_instance_id_idx", "must be owner of index users_instance_id_idx"),
      ("drop schema auth cascade", "must be owner of schema auth"),
      ("drop owned by supabase_storage_admin", nil),
      (
        "set local session_replication_role = replica; create table auth.x (id int)",
        "permission denied for schema auth"
      ),
      (
        "alter default privileges for role supabase_auth_admin in schema auth grant all on tables to anon",
        "permission denied to change default privileges"
      ),
      ("alter event trigger pgrst_ddl_watch disable", "must be owner of event trigger pgrst_ddl_watch"),
      ("drop event trigger nomdev_guard_drops", "must be owner of event trigger nomdev_guard_drops"),
      ("set local role supabase_admin", #"permission denied to set role "supabase_admin""#),
      ("copy (select 1) to program 'true'", nil),
      ("alter role supabase_admin password 'x'", nil),
      ("alter role postgres superuser", nil),
      ("create role x superuser", nil),
      ("set local app.settings.x = 'y'; alter database postgres set app.settings.x = 'y'", nil),
      ("alter default privileges for role supabase_admin in schema public grant all on tables to anon", nil),
      ("create event trigger e on ddl_command_end execute function public.e()", nil),
      ("create extension file_fdw", #"permission denied to create extension "file_fdw""#),
      ("insert into nomdev_platform.managed_table values ('x')", "permission denied for table managed_table"),
    ] as [(String, String?)])
  func `may not`(_ script: String, message: String?) throws {
    let refusal = try #require(try db.refusal(of: script))

    if let message { #expect(refusal == "42501 \(message)") } else { #expect(refusal.hasPrefix("42501 ")) }
  }

  @Test(arguments: [
    "anon", "authenticated", "service_role", "authenticator", "dashboard_user", "pgbouncer",
    "supabase_auth_admin", "supabase_storage_admin", "supabase_functions_admin", "supabase_realtime_admin",
    "supabase_etl_admin", "supabase_read_only_user", "supabase_replication_admin",
  ])
  func `may not drop the reserved role`(_ role: String) throws {
    #expect(try db.refusal(of: "drop role \(role)") != nil)
    #expect(try db.refusal(of: "drop role supabase_admin") != nil)
  }

  @Test func `SET ROLE to a service lifts no rule`() throws {
    let refusal = try db.refusal(of: "set local role supabase_auth_admin; create table auth.x (id int)")

    #expect(refusal?.hasPrefix("42501 ") == true)
  }

  @Test func `a superuser that took the role of postgres is bound by the same rules`() throws {
    let admin = try scratch.connect(as: "supabase_admin")

    #expect(
      try admin.refusal(of: "set local role postgres; create table auth.x (id int)")
        == "42501 permission denied for schema auth")
    #expect(try admin.refusal(of: "create table auth.x (id int)") == nil)
  }

  @Test func `a service's own login changes its schema`() throws {
    let service = try scratch.connect(as: "supabase_auth_admin")

    #expect(try service.refusal(of: "create table auth.x (id int); alter table auth.users add y int") == nil)
  }

  @Test func `grants it could not make on the platform have no effect but a warning`() throws {
    var warnings: [String] = []
    db.onNotice = { warnings.append("\($0.state.rawValue) \($0.message)") }
    let rights =
      "select relacl from pg_class where oid in ('auth.users'::regclass, 'storage.objects'::regclass)"
    let before = try db.lines(rights)

    try db.run("grant insert, update on auth.users to anon")
    try db.run("revoke all on storage.objects from anon")
    try db.run("revoke execute on function auth.uid() from public")

    #expect(try db.lines(rights) == before)
    #expect(try db.value("select has_function_privilege('anon', 'auth.uid()', 'execute')") == "t")
    #expect(
      warnings == [
        #"01007 not all privileges were granted for "users""#,
        #"01006 not all privileges could be revoked for "uid""#,
      ])
  }

  @Test func `what it may pass on it passes on and takes back`() throws {
    try db.run("grant select on auth.users to authenticated")
    #expect(try db.value("select has_table_privilege('authenticated', 'auth.users', 'select')") == "t")

    try db.run("revoke select on auth.users from authenticated")
    #expect(try db.value("select has_table_privilege('authenticated', 'auth.users', 'select')") == "f")
  }

  @Test func `sees every row, and so do its definer functions`() throws {
    try db.run(
      script: """
        begin;
        create table public.t (id int);
        alter table public.t enable row level security;
        alter table public.t force row level security;
        insert into public.t values (1);
        create function public.n() returns bigint language sql security definer as 'select count(*) from public.t';
        """)

    #expect(try db.value("select count(*) from public.t") == "1")
    try db.run("set local role anon")
    #expect(try db.value("select public.n()") == "1")
    try db.run("rollback")
  }
}
