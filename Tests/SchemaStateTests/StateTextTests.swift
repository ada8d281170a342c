import Catalog
import CatalogChanges
import Diagnostics
import Postgres
import SchemaState
import Support
import Testing

@Suite struct StateTextTests {
  private let hostile = """
    create schema "Shop-1";
    create table "Shop-1"."a  b" ("x:  y" text default e'line\\nbreak  and \\\\ more', "- " int, "no table" bool);
    create policy "can't: see" on "Shop-1"."a  b" using ("x:  y" = E'\\ttab');
    create function public.f() returns text language plpgsql as $$begin
      -- a comment:

      return ' | ';
    end
    $$;
    comment on table "Shop-1"."a  b" is e' leading and trailing \\n';
    """

  @Test func `is read back without loss`() throws {
    let database = try ScratchDatabase()
    let db = try database.connect()
    try db.run(script: hostile)
    let state = try Snapshot.read(db)

    let files = StateText.files(state).map { SourceFile(path: $0.name, text: $0.text) }
    let again = try StateReader.read(files)

    #expect(Comparison(declared: state, actual: again).differences == [])
    #expect(StateText.text(again) == StateText.text(state))
  }

  @Test func `says where a file is damaged`() throws {
    let text = "-- nomdev state, version 1\n\ntable public.t\n  owner: postgres\n  what is this\n"

    let error = #expect(throws: Diagnostic.self) {
      try StateReader.read([SourceFile(path: "checks/state/public.state", text: text)])
    }

    #expect(error?.code == "state.corrupt")
    #expect(error?.location?.line == 5)
    #expect(error?.location?.column == 3)
  }

  @Test func `does not take another file for a state`() {
    #expect(throws: Diagnostic.self) {
      try StateReader.read([SourceFile(path: "a", text: "create table t ();")])
    }
  }

  @Test func `leaves the platform out and keeps what was done to it`() throws {
    let before = try ScratchDatabase()
    let pristine = try Snapshot.read(try before.connect(as: "supabase_admin"))
    let after = try ScratchDatabase()
    let db = try after.connect()
    try db.run(
      script: "create policy p on storage.objects for select using (true); create table public.t (id int)")
    try db.run(script: "alter default privileges in schema public revoke truncate on tables from anon")

    let state = PlatformFilter(pristine: pristine).project(
      try Snapshot.read(try after.connect(as: "supabase_admin")))

    #expect(state["table storage.objects policy p"] != nil)
    #expect(state["table storage.objects"]?.isContext == true)
    #expect(state["table public.t"] != nil)
    #expect(state["table auth.users"] == nil)
    #expect(state.entries.contains { $0.kind == .defaultPrivilege && $0["grantee"] == "anon" })
  }

  @Test func `tells who gains and who loses`() throws {
    let (from, to) = (try ScratchDatabase(), try ScratchDatabase())
    let tables = "create table public.t (id int); grant select on public.t to authenticated;"
    try from.connect().run(script: tables)
    try to.connect().run(
      script: tables + """
        grant select on public.t to anon; revoke select on public.t from authenticated;
        create policy p on public.t for select to anon using (id > 0);
        alter publication supabase_realtime add table public.t;
        """)

    let comparison = Comparison(
      declared: try Snapshot.read(try from.connect()), actual: try Snapshot.read(try to.connect()))
    let gains = WhoGains(comparison)

    #expect(gains.text.contains("  gains SELECT on table public.t"))
    #expect(gains.text.contains("  loses SELECT on table public.t"))
    #expect(gains.text.contains("  gains select rows where (id > 0) of public.t  (through policy p)"))
    #expect(gains.text.contains("  gains changes of public.t  (through publication supabase_realtime)"))
    #expect(gains.headlines == ["anon gains SELECT on 1 table"])
  }
}
