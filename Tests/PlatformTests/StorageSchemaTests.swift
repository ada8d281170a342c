import Postgres
import Support
import Testing

@Suite(.serialized) struct StorageSchemaTests {
  let scratch: Scratch
  var db: Connection { scratch.db }

  init() throws {
    scratch = try Scratch.shared()
  }

  @Test(arguments: [
    ("a/b/c.txt", "{a,b}|c.txt|txt"), ("c.txt", "{}|c.txt|txt"), ("/a/b", "{\"\",a}|b|b"),
    ("a/b/", "{a,b}||"),
    ("a/c.tar.gz", "{a}|c.tar.gz|gz"), ("noext", "{}|noext|noext"), (".hidden", "{}|.hidden|hidden"),
    ("a/x.", "{a}|x.|"),
  ])
  func `takes a name apart`(name: String, parts: String) throws {
    let row = try db.rows(
      "select storage.foldername(\(name)), storage.filename(\(name)), storage.extension(\(name))")

    #expect(row.first?.values.map { $0 ?? "" }.joined(separator: "|") == parts)
  }

  @Test func `a name without a folder has no first folder`() throws {
    #expect(try db.value("select (storage.foldername('file.txt'))[1] is null") == "t")
  }

  @Test func `the most common policy keeps people in their own folder`() throws {
    let ada = "7f8d2c1e-0000-4000-8000-000000000001"
    try db.run(
      script: """
        insert into storage.buckets (id, name) values ('photos', 'photos');
        create policy own on storage.objects to authenticated
          using ((storage.foldername(name))[1] = auth.uid()::text)
          with check ((storage.foldername(name))[1] = auth.uid()::text);
        savepoint request;
        select set_config('request.jwt.claims', '{"sub": "\(ada)"}', true);
        set local role authenticated;
        insert into storage.objects (bucket_id, name) values ('photos', '\(ada)/me.jpg');
        """)

    #expect(try db.lines("select name from storage.objects") == ["\(ada)/me.jpg"])
    let error = #expect(throws: PostgresError.self) {
      try db.run("insert into storage.objects (bucket_id, name) values ('photos', 'other/me.jpg')")
    }
    #expect(error?.state == .insufficientPrivilege)
  }

  @Test func `without a policy the API's roles see nothing and service_role everything`() throws {
    try db.run("insert into storage.buckets (id, name, public) values ('b', 'b', true)")

    for (role, count) in [("anon", "0"), ("authenticated", "0"), ("service_role", "1")] {
      try db.run(script: "savepoint request; set local role \(role)")
      #expect(try db.value("select count(*) from storage.buckets") == count)
      try db.run("rollback to request")
    }
    #expect(
      try db.refusal(
        of: "set local role anon; insert into storage.objects (bucket_id, name) values ('b', 'x')")
        == #"42501 new row violates row-level security policy for table "objects""#)
    #expect(
      try db.lines(
        "select count(*) from pg_class where relnamespace = 'storage'::regnamespace and relkind = 'r' and not relrowsecurity"
      )
        == ["0"])
  }

  @Test(arguments: ["postgres", "supabase_admin", "supabase_storage_admin"])
  func `rows are not deleted behind the files' back, not even none`(user: String) throws {
    try db.run("rollback")
    let session = try scratch.database.connect(as: user)

    for table in ["objects", "buckets"] {
      #expect(
        try session.refusal(of: "delete from storage.\(table)")
          == "42501 Direct deletion from storage tables is not allowed. Use the Storage API instead.")
    }
    #expect(
      try session.refusal(of: "set local storage.allow_delete_query = 'true'; delete from storage.objects")
        == nil)
  }

  @Test func `a bucket with files in it stays`() throws {
    try db.run(
      script: """
        insert into storage.buckets (id, name) values ('b', 'b');
        insert into storage.objects (bucket_id, name) values ('b', 'x');
        """)

    let refusal = try db.refusal(
      of: "set local storage.allow_delete_query = 'true'; delete from storage.buckets")
    #expect(refusal?.hasPrefix("23503 ") == true)
  }

  @Test(arguments: [
    ("insert into storage.objects (bucket_id, name, path_tokens) values (null, 'x', '{x}')", "428C9"),
    ("insert into storage.objects (bucket_id, name) values ('nowhere', 'x')", "23503"),
    ("insert into storage.buckets (id, name) values ('a', repeat('n', 101))", "P0001"),
    ("insert into storage.buckets (id, name) values ('a', 'n'), ('b', 'n')", "23505"),
    ("insert into storage.buckets (id) values ('a')", "23502"),
  ])
  func `refuses`(_ statement: String, state: String) throws {
    #expect(try db.refusal(of: statement)?.prefix(5) == state[...])
  }

  @Test func `an update sets the time`() throws {
    try db.run(
      script: """
        insert into storage.buckets (id, name) values ('b', 'b');
        insert into storage.objects (bucket_id, name, updated_at) values ('b', 'x', '2020-01-01');
        update storage.objects set metadata = '{}';
        """)

    #expect(try db.value("select updated_at > '2021-01-01' from storage.objects") == "t")
  }

  // MARK: Listings

  private func fill() throws {
    try db.run("insert into storage.buckets (id, name) values ('b', 'b')")
    try db.run(
      """
      insert into storage.objects (bucket_id, name, created_at, metadata)
      select 'b', name, timestamptz '2026-01-01' + place * interval '1 hour', '{"size": 10}'
      from unnest(array['a/1.txt', 'a/b/c.txt', 'a.txt', 'Zed/y.txt', 'file_1', 'file-1', 'a/2.txt'])
        with ordinality as u (name, place)
      """)
  }

  @Test func `search shows one level, folders without their slash, upper and lower case alike`() throws {
    try fill()

    #expect(
      try db.lines("select name, id is null from storage.search('', 'b')")
        == ["a.txt|f", "a|t", "file-1|f", "file_1|f", "Zed|t"])
    #expect(
      try db.lines("select name, id is null from storage.search('A/', 'b', levels => 2)")
        == ["1.txt|f", "2.txt|f", "b|t"])
    #expect(try db.lines("select name from storage.search('', 'b', search => 'FI')") == ["file-1", "file_1"])
    #expect(try db.lines("select name from storage.search('', 'b', 2, 1, 1)") == ["a", "file-1"])
    #expect(
      try db.lines(
        "select name from storage.search('', 'b', sortcolumn => 'created_at', sortorder => 'desc')")
        == ["a", "Zed", "file-1", "file_1", "a.txt"])
  }

  @Test func `search_v2 pages with the last name as its cursor`() throws {
    try fill()

    #expect(
      try db.lines("select key, name from storage.search_v2('a/', 'b', 10, 2)")
        == ["1.txt|a/1.txt", "2.txt|a/2.txt", "b|a/b"])
    #expect(try db.lines("select name from storage.search_v2('', 'b', 2)") == ["Zed", "a.txt"])
    #expect(
      try db.lines("select name from storage.search_v2('', 'b', 2, start_after => 'a.txt')") == [
        "a", "file-1",
      ])
    #expect(
      try db.lines("select name from storage.search_v2('', 'b', 9, start_after => 'a')") == [
        "file-1", "file_1",
      ])
    #expect(
      try db.lines("select name from storage.search_v2('', 'b', 9, sort_order => 'desc')")
        == ["file_1", "file-1", "a", "a.txt", "Zed"])
  }

  @Test func `a listing shows only what the caller's policies show, folders included`() throws {
    try fill()
    try db.run(
      script: """
        create policy part on storage.objects for select to anon using (name like 'a/b/%');
        savepoint request; set local role anon;
        """)

    #expect(try db.lines("select name from storage.search('', 'b')") == ["a"])
    #expect(try db.lines("select name from storage.list_objects_with_delimiter('b', 'a/', '/')") == ["a/b"])
    try db.run("rollback to request")
  }

  @Test func `the size of a bucket is the sum of its files`() throws {
    try fill()

    #expect(try db.lines("select * from storage.get_size_by_bucket()") == ["70|b"])
  }

  @Test func `a policy can tell which operation is running`() throws {
    let ask =
      "select storage.allow_only_operation('object.list'), storage.allow_any_operation(array['object.get', 'storage.object.list'])"
    #expect(try db.lines(ask) == ["f|f"])

    try db.run(script: "savepoint request; set local storage.operation = 'storage.object.list'")
    #expect(try db.lines(ask) == ["t|t"])
    #expect(
      try db.lines("select storage.allow_only_operation('object.get'), storage.allow_only_operation('')") == [
        "f|f"
      ])
    try db.run("rollback to request")
  }

  @Test func `asking whether an object could be inserted leaves nothing`() throws {
    try db.run("insert into storage.buckets (id, name) values ('b', 'b')")

    #expect(try db.refusal(of: "select storage.can_insert_object('b', 'x', null, '{}')") == "PT200 ROLLBACK")
    #expect(
      try db.refusal(of: "set local role anon; select storage.can_insert_object('b', 'x', null, '{}')")?
        .hasPrefix("42501 ") == true)
  }
}
