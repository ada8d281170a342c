import CPlatformSQL
import Platform
import Postgres
import Support
import Testing

/// The stand-ins for extensions: created by `postgres`, honest about what they are, recording what they
/// were asked to do. Where the real extension is installed, these tests hold the real one to the same.
@Suite struct StandInTests {
  let scratch: Scratch
  var db: Connection { scratch.db }

  init() throws {
    scratch = try Scratch()
  }

  /// The control files built into the program.
  static let controls: [(name: String, text: String)] = (0..<Int(nomdev_extension_file_count)).compactMap {
    let file = nomdev_extension_files_pointer()[$0]
    let name = String(cString: file.name)
    guard name.hasSuffix(".control") else { return nil }
    let bytes = UnsafeBufferPointer(start: file.bytes, count: file.length)
    return (String(name.dropLast(".control".count)), String(decoding: bytes, as: UTF8.self))
  }

  @Test func `every stand-in says so, runs without a superuser and has its script`() {
    let names = Set(
      (0..<Int(nomdev_extension_file_count)).map {
        String(cString: nomdev_extension_files_pointer()[$0].name)
      })

    #expect(Self.controls.count >= 26)
    for (name, text) in Self.controls {
      #expect(text.hasPrefix("comment = 'nomdev stand-in: "), "\(name)")
      #expect(text.contains("\nsuperuser = true\ntrusted = true\n"), "\(name)")
      let version = text.split(separator: "'").dropFirst(3).first.map(String.init) ?? ""
      #expect(names.contains("\(name)--\(version).sql"), "\(name)")
    }
  }

  @Test func `postgres creates every one of them, and drops it again`() throws {
    // Two belong to the platform, which makes them.
    let others = Self.controls.filter { !["pgjwt", "supabase_vault"].contains($0.name) }
    for (name, text) in others {
      let place = text.contains("\nschema = ") ? "" : " with schema extensions"
      try db.run(script: "create extension if not exists \"\(name)\"\(place) cascade")
    }
    for (name, _) in others {
      #expect(try db.refusal(of: "drop extension if exists \"\(name)\" cascade") == nil, "\(name)")
    }
  }

  @Test func `a request is recorded as it would be sent, and polling for its answer ends`() throws {
    try db.run(
      script: """
        create extension pg_net with schema extensions;
        select net.http_post('https://example.com/hook', '{"a": 1}', '{"q": "a b"}');
        """)

    #expect(
      try db.lines("select method, url, convert_from(body, 'UTF8') from net.http_request_queue")
        == [#"POST|https://example.com/hook?q=a%20b|{"a": 1}"#])
    #expect(try db.value("select (net._http_collect_response(1)).status") == "ERROR")
  }

  @Test func `the http extension never reports a success`() throws {
    try db.run("create extension http with schema extensions")

    #expect(
      try db.value("select status from http_post('https://example.com', '{}', 'application/json')") == "503")
    #expect(
      try db.lines("select method, uri, content from extensions.http_stand_in_request")
        == ["POST|https://example.com|{}"])
  }

  @Test(arguments: [
    ("0 3 * * *", true), ("*/5 0-6 1,15 jan-mar mon", true), ("@daily", true), ("30 seconds", true),
    ("0 0 $ * *", true), ("61 * * * *", false), ("every day", false), ("* * * *", false),
    ("60 seconds", false),
  ])
  func `a schedule is taken or refused as pg_cron does`(schedule: String, isTaken: Bool) throws {
    try db.run("create extension pg_cron with schema extensions")

    let isRefused = try db.refusal(of: "select cron.schedule('job', '\(schedule)', 'select 1')") != nil
    #expect(isRefused == !isTaken)
    #expect(
      try db.value("select extnamespace::regnamespace from pg_extension where extname = 'pg_cron'")
        == "pg_catalog")
  }

  @Test func `a secret is read back by whom the platform lets read it`() throws {
    try db.run("select vault.create_secret('hush', 'token')")

    #expect(try db.value("select decrypted_secret from vault.decrypted_secrets") == "hush")
    #expect(try db.value("select secret = 'hush' from vault.secrets") == "f")
    #expect(
      try db.refusal(of: "insert into vault.secrets (secret) values ('x')")
        == "42501 permission denied for table secrets")
    #expect(
      try db.refusal(of: "set local role authenticated; select * from vault.decrypted_secrets")
        == "42501 permission denied for schema vault")
  }

  @Test func `a queue hands each message out once, archives and counts`() throws {
    try db.run(
      script: """
        create extension pgmq;
        select pgmq.create('jobs');
        select pgmq.send('jobs', '{"n": 1}'); select pgmq.send('jobs', '{"n": 2}');
        """)

    #expect(try db.lines("select msg_id, message ->> 'n' from pgmq.read('jobs', 30, 1)") == ["1|1"])
    #expect(try db.lines("select msg_id from pgmq.read('jobs', 30, 5)") == ["2"])
    #expect(try db.lines("select * from pgmq.read('jobs', 30, 5)") == [])
    #expect(
      try db.lines("select pgmq.archive('jobs', 1), pgmq.delete('jobs', 2), pgmq.delete('jobs', 2)") == [
        "t|t|f"
      ])
    #expect(try db.lines("select msg_id from pgmq.a_jobs") == ["1"])
    #expect(try db.lines("select queue_length, total_messages from pgmq.metrics('jobs')") == ["0|2"])
  }

  @Test func `vectors are measured exactly and checked against the column`() throws {
    try db.run(
      script: """
        create extension vector with schema extensions;
        create table public.items (id int, at vector(3));
        insert into public.items values (1, '[1,2,3]'), (2, '[4,5,6]'), (3, '[-1,0,0]');
        create index on public.items using hnsw (at vector_cosine_ops);
        create index on public.items using ivfflat (at vector_l2_ops);
        """)

    #expect(try db.lines("select id from public.items order by at <-> '[4,4,4]'") == ["2", "1", "3"])
    #expect(
      try db.lines(
        "select at <-> '[1,2,5]', at <#> '[1,1,1]', at <+> '[0,0,0]' from public.items where id = 1")
        == ["2|-6|6"])
    #expect(try db.value("select avg(at) from public.items where id < 3") == "[2.5,3.5,4.5]")
    #expect(
      try db.refusal(of: "insert into public.items values (4, '[1,2]')")
        == "22000 expected 3 dimensions, not 2")
    #expect(
      try db.refusal(of: "select '[1,2]'::vector <-> '[1,2,3]'::vector")
        == "22000 different vector dimensions 2 and 3")
    #expect(try db.refusal(of: "select 'abc'::vector")?.hasPrefix("22P02 ") == true)
  }

  @Test func `a token is signed like everybody's, and a forged one is not valid`() throws {
    try db.run("create extension if not exists pgjwt with schema extensions")

    // HMAC-SHA-256 of these two parts, computed elsewhere.
    #expect(
      try db.value(
        "select sign('{\"sub\":\"1234567890\",\"name\":\"John Doe\",\"iat\":1516239022}', 'secret')")?
        .hasSuffix(
          ".XbPfbIHMI6arZ3Y922BhjWgQzWXcXNrz0ogtVhfEd2o") == true)
    #expect(try db.value("select valid from verify(sign('{\"a\":1}', 'k'), 'k')") == "t")
    #expect(try db.value("select valid from verify(sign('{\"a\":1}', 'k'), 'other')") == "f")
    #expect(try db.value("select valid from verify(sign('{\"exp\":1}', 'k'), 'k')") == "f")
  }

  @Test func `a JSON schema is checked, and a keyword that isn't is refused`() throws {
    try db.run("create extension pg_jsonschema with schema extensions")
    let schema = #"{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":1}}}"#

    #expect(try db.value("select json_matches_schema(\(schema), '{\"n\": 2}')") == "t")
    for wrong in ["{}", "[]", #"{"n": 0}"#, #"{"n": 1.5}"#, #"{"n": "1"}"#] {
      #expect(try db.value("select json_matches_schema(\(schema), \(wrong))") == "f", "\(wrong)")
    }
    #expect(
      try db.refusal(of: #"select jsonb_matches_schema('{"if": {}}', '1')"#)?.hasPrefix("0A000 ") == true)
  }
}
