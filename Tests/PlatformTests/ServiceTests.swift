import Postgres
import Support
import Testing

/// Realtime, webhooks, GraphQL's placeholder, the watches that tell the API of a changed schema.
@Suite struct ServiceTests {
  let scratch: Scratch
  var db: Connection { scratch.db }

  init() throws {
    scratch = try Scratch()
  }

  @Test func `extensions are where the platform has them`() throws {
    let extensions = try db.lines(
      "select extname, extnamespace::regnamespace from pg_extension where extname <> 'plpgsql' order by 1")

    #expect(
      Set(extensions).isSuperset(of: ["uuid-ossp|extensions", "pgcrypto|extensions", "supabase_vault|vault"]))
    #expect(!extensions.contains { $0.hasPrefix("pg_graphql|") })
    #expect(extensions.contains("pgjwt|extensions") == (db.serverVersion < 170000))
  }

  @Test func `a broadcast is recorded where a policy decides who may read it`() throws {
    try db.run(
      script: """
        create table public.t (id int);
        create function public.tell() returns trigger language plpgsql security definer as $$
        begin
          perform realtime.broadcast_changes('room:1', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
          return null;
        end $$;
        create trigger tell after insert or update on public.t for each row execute function public.tell();
        insert into public.t values (7);
        create policy room on realtime.messages for select to authenticated using (realtime.topic() = 'room:1');
        """)

    #expect(
      try db.lines(
        "select topic, event, extension, payload -> 'record' ->> 'id', private from realtime.messages")
        == ["room:1|INSERT|broadcast|7|t"])
    try db.run(script: "begin; set local role authenticated")
    #expect(try db.value("select count(*) from realtime.messages") == "0")
    try db.run("set local realtime.topic = 'room:1'")
    #expect(try db.value("select count(*) from realtime.messages") == "1")
    try db.run("rollback")
  }

  @Test func `a message that cannot be sent is a warning`() throws {
    var warnings: [String] = []
    db.onNotice = { warnings.append($0.message) }

    try db.run(script: "begin; set local role anon; select realtime.send('{}', 'e', 't'); rollback")

    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("ErrorSendingBroadcastMessage") == true)
  }

  @Test func `a webhook is recorded, and queued where pg_net is there`() throws {
    try db.run(
      script: """
        create table public.t (id int);
        create trigger hook after insert on public.t for each row execute function
          supabase_functions.http_request('https://example.com/hook', 'POST', '{"Content-type": "application/json"}',
            '{}', '1000');
        insert into public.t values (1);
        """)
    #expect(try db.lines("select hook_name, request_id from supabase_functions.hooks") == ["hook|"])

    try db.run(script: "create extension pg_net; insert into public.t values (2)")
    #expect(try db.value("select count(request_id) from supabase_functions.hooks") == "1")
  }

  @Test func `graphql says that it is not enabled, until it is`() throws {
    let ask = "select graphql_public.graphql(query => '{ __typename }') -> 'errors' ->> 0"
    #expect(try db.value(SQL(trusted: ask)) == "pg_graphql extension is not enabled.")

    try db.run("create extension pg_graphql")
    #expect(try db.value(SQL(trusted: ask)) != "pg_graphql extension is not enabled.")

    try db.run("drop extension pg_graphql")
    #expect(try db.value(SQL(trusted: ask)) == "pg_graphql extension is not enabled.")
  }

  @Test func `jobs are scheduled by function and only read as a table`() throws {
    try db.run("create extension pg_cron")

    #expect(try db.value("select cron.schedule('nightly', '0 3 * * *', 'select 1')") != nil)
    #expect(try db.lines("select jobname from cron.job") == ["nightly"])
    #expect(try db.refusal(of: "delete from cron.job") == "42501 permission denied for table job")
  }

  @Test func `the watches that tell the API of changes are on and not the project's to change`() throws {
    #expect(
      try db.lines(
        "select evtname, evtevent, evtowner::regrole, evtenabled from pg_event_trigger where evtname like 'pgrst%' order by 1"
      ) == ["pgrst_ddl_watch|ddl_command_end|supabase_admin|O", "pgrst_drop_watch|sql_drop|supabase_admin|O"])
    #expect(
      try db.refusal(of: "drop event trigger pgrst_drop_watch")?.hasPrefix("42501 ") == true)
  }

  @Test func `the pooler's look-up is for the pooler`() throws {
    #expect(
      try db.refusal(of: "select * from pgbouncer.get_auth('postgres')")?.hasPrefix("42501 ") == true)
    let pooler = try scratch.database.connect(as: "pgbouncer")
    #expect(try pooler.lines("select username from pgbouncer.get_auth('postgres')") == ["postgres"])
  }
}
