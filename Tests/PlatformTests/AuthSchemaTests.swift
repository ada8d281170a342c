import Postgres
import Support
import Testing

@Suite(.serialized) struct AuthSchemaTests {
  let scratch: Scratch
  var db: Connection { scratch.db }
  let ada = "7f8d2c1e-0000-4000-8000-000000000001"
  let bob = "7f8d2c1e-0000-4000-8000-000000000002"

  init() throws {
    scratch = try Scratch.shared()
  }

  // MARK: Who is calling

  @Test func `outside a request nobody is calling`() throws {
    #expect(try db.lines("select auth.uid(), auth.role(), auth.email(), auth.jwt()") == ["|||"])
  }

  @Test func `the claims say who is calling`() throws {
    try db.run("savepoint request")
    try db.run(
      "select set_config('request.jwt.claims', \(#"{"sub": "\#(ada)", "role": "authenticated", "email": "ada@example.com"}"#), true)"
    )

    #expect(
      try db.lines("select auth.uid(), auth.role(), auth.email(), auth.jwt() ->> 'sub'")
        == ["\(ada)|authenticated|ada@example.com|\(ada)"])

    // What was local to a transaction reads as '' afterwards, which counts as absent.
    try db.run("rollback to request")
    #expect(try db.value("select current_setting('request.jwt.claims', true)") == "")
    #expect(try db.value("select auth.uid()") == nil)
  }

  @Test func `a legacy setting per claim wins over the claims, unless it is empty`() throws {
    try db.run("savepoint request")
    try db.run("select set_config('request.jwt.claims', \(#"{"sub": "\#(ada)", "role": "a"}"#), true)")
    try db.run("select set_config('request.jwt.claim.sub', \(bob), true)")
    try db.run("select set_config('request.jwt.claim.role', '', true)")

    #expect(try db.lines("select auth.uid(), auth.role()") == ["\(bob)|a"])
    try db.run("rollback to request")
  }

  @Test func `the singular setting holds a whole token of its own`() throws {
    try db.run("savepoint request")
    try db.run("select set_config('request.jwt.claims', '{\"a\": 1}', true)")
    try db.run("select set_config('request.jwt.claim', '{\"a\": 2}', true)")

    #expect(try db.value("select auth.jwt() ->> 'a'") == "2")
    try db.run("rollback to request")
  }

  @Test(arguments: [#"{"sub": "not a uuid"}"#, "{not json"])
  func `claims that make no sense are an error`(claims: String) throws {
    let script = "select set_config('request.jwt.claims', '\(claims)', true); select auth.uid()"

    #expect(try db.refusal(of: script)?.hasPrefix("22P02 invalid input syntax for type") == true)
  }

  @Test(arguments: ["anon", "authenticated", "service_role", "authenticator"])
  func `may be asked by anyone who may use the schema`(role: String) throws {
    // The login of the API itself may not: it asks as one of its roles.
    let refusal = try db.refusal(of: "set local role \(role); select auth.uid(), auth.jwt()")

    #expect((refusal == nil) == (role != "authenticator"))
  }

  // MARK: Tables

  @Test func `auth users has the platform's columns in the platform's order`() throws {
    let columns = try db.lines(
      """
      select string_agg(attname, ' ' order by attnum) from pg_attribute
      where attrelid = 'auth.users'::regclass and attnum > 0
      """)

    #expect(
      columns == [
        """
        instance_id id aud role email encrypted_password email_confirmed_at invited_at confirmation_token \
        confirmation_sent_at recovery_token recovery_sent_at email_change_token_new email_change \
        email_change_sent_at last_sign_in_at raw_app_meta_data raw_user_meta_data is_super_admin created_at \
        updated_at phone phone_confirmed_at phone_change phone_change_token phone_change_sent_at \
        confirmed_at email_change_token_current email_change_confirm_status banned_until \
        reauthentication_token reauthentication_sent_at is_sso_user deleted_at is_anonymous
        """
      ])
  }

  @Test func `nothing is filled in that the platform does not fill in`() throws {
    #expect(try db.refusal(of: "insert into auth.users default values")?.hasPrefix("23502 ") == true)

    try db.run("insert into auth.users (id) values (\(ada))")
    #expect(
      try db.lines(
        """
        select created_at, updated_at, aud, confirmation_token is null, phone_change, is_anonymous,
          email_change_confirm_status from auth.users
        """) == ["|||t||f|0"])
  }

  @Test(arguments: [
    ("insert into auth.users (id, confirmed_at) values (gen_random_uuid(), now())", "428C9"),
    (
      "insert into auth.identities (provider_id, user_id, identity_data, provider, email) values ('x', gen_random_uuid(), '{}', 'email', 'a')",
      "428C9"
    ),
    (
      "insert into auth.identities (id, user_id, identity_data, provider) values (gen_random_uuid(), gen_random_uuid(), '{}', 'email')",
      "23502"
    ),
    (
      "insert into auth.users (id, email) values (gen_random_uuid(), 'a@example.com'), (gen_random_uuid(), 'a@example.com')",
      "23505"
    ),
    ("insert into auth.users (id, phone) values (gen_random_uuid(), '1'), (gen_random_uuid(), '1')", "23505"),
    (
      "insert into auth.users (id, recovery_token) values (gen_random_uuid(), 'abc'), (gen_random_uuid(), 'abc')",
      "23505"
    ),
    ("insert into auth.users (id, email_change_confirm_status) values (gen_random_uuid(), 3)", "23514"),
    ("insert into auth.sessions (id, user_id) values (gen_random_uuid(), gen_random_uuid())", "23503"),
    ("select * from auth.refresh_tokens r join auth.users u on u.id = r.user_id", "42883"),
  ])
  func `refuses`(_ statement: String, state: String) throws {
    #expect(try db.refusal(of: statement)?.prefix(5) == state[...])
  }

  @Test(arguments: [
    "insert into auth.users (id, email) values (gen_random_uuid(), 'a@example.com'), (gen_random_uuid(), 'A@example.com')",
    "insert into auth.users (id, email, is_sso_user) values (gen_random_uuid(), 'a@example.com', true), (gen_random_uuid(), 'a@example.com', false)",
    "insert into auth.users (id, recovery_token, confirmation_token) values (gen_random_uuid(), '', '12 34'), (gen_random_uuid(), '', '12 34')",
  ])
  func `lets through`(_ statement: String) throws {
    #expect(try db.refusal(of: statement) == nil)
  }

  @Test func `the usual seed of a person works and goes with the person`() throws {
    try db.run(
      script: """
        insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
          raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token,
          email_change_token_new, email_change)
        values ('00000000-0000-0000-0000-000000000000', '\(ada)', 'authenticated', 'authenticated',
          'ada@example.com', crypt('password', gen_salt('bf', 4)), now(),
          '{"provider": "email", "providers": ["email"]}', '{}', now(), now(), '', '', '', '');
        insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at,
          updated_at)
        values ('\(ada)', '\(ada)', '{"sub": "\(ada)", "email": "Ada@example.com"}', 'email', now(), now(), now());
        insert into auth.sessions (id, user_id) values (gen_random_uuid(), '\(ada)');
        """)

    #expect(
      try db.lines(
        "select u.confirmed_at is not null, i.email from auth.users u join auth.identities i on i.user_id = u.id"
      )
        == ["t|ada@example.com"])
    try db.run("delete from auth.users")
    #expect(
      try db.lines("select (select count(*) from auth.identities), (select count(*) from auth.sessions)") == [
        "0|0"
      ])
  }

  @Test(arguments: ["anon", "authenticated", "service_role"])
  func `the API's roles cannot read people`(role: String) throws {
    #expect(
      try db.refusal(of: "set local role \(role); select 1 from auth.users")
        == "42501 permission denied for table users")
  }

  @Test func `row level security is on where the platform has it on`() throws {
    let without = try db.lines(
      """
      select relname from pg_class
      where relnamespace = 'auth'::regnamespace and relkind = 'r' and not relrowsecurity order by 1
      """)

    #expect(
      without == [
        "custom_oauth_providers", "oauth_authorizations", "oauth_client_states", "oauth_clients",
        "oauth_consents", "webauthn_challenges", "webauthn_credentials",
      ])
    #expect(try db.lines("select * from pg_policy") == [])
  }

  @Test func `every table and function belongs to the service`() throws {
    #expect(
      try db.lines(
        """
        select distinct relowner::regrole from pg_class where relnamespace = 'auth'::regnamespace
        union select distinct proowner::regrole from pg_proc where pronamespace = 'auth'::regnamespace
        """) == ["supabase_auth_admin"])
  }

  @Test func `a trigger on people runs as the service, without the project's search path`() throws {
    let scratch = try Scratch()
    try scratch.db.run(
      script: """
        create table public.profiles (id uuid primary key references auth.users on delete cascade);
        create function public.handle() returns trigger language plpgsql as $$
          begin insert into public.profiles values (new.id); return new; end $$;
        create trigger on_auth_user_created after insert on auth.users
          for each row execute function public.handle();
        """)
    let service = try scratch.database.connect(as: "supabase_auth_admin")

    // Without SECURITY DEFINER the service may not write the project's table.
    #expect(
      try service.refusal(of: "insert into auth.users (id) values ('\(ada)')")
        == "42501 permission denied for table profiles")

    try scratch.db.run("alter function public.handle() security definer")
    try service.run("insert into users (id) values (\(ada))")
    #expect(try scratch.db.lines("select id from public.profiles") == [ada])
    #expect(try service.value("show search_path") == "auth")
  }
}
