import Diagnostics
import Lint
import Testing

struct LinterTests {
  private func codes(_ texts: String..., rules: [Rule] = Linter.rules) -> [String] {
    Linter.lint(migrations(texts), rules: rules).map { "\(place($0.location)) \($0.code)" }
  }

  @Test func `is quiet on a chain that says what it means`() {
    let clean = """
      create type public.mood as enum ('ok', 'bad');
      create table public.desk (id int primary key, owner uuid not null, mood public.mood);
      create index desk_owner on public.desk (owner);
      alter table public.desk enable row level security;
      create policy own on public.desk for select to authenticated using (owner = auth.uid());
      revoke all on public.desk from anon, authenticated;
      grant select, insert on public.desk to authenticated;
      create function public.on_desk() returns trigger language plpgsql security definer set search_path = '' as $$
      begin
        insert into public.seen (id) values (new.id) on conflict (id) do nothing;
        return new;
      end $$;
      create trigger on_desk after insert on public.desk for each row execute function public.on_desk();
      insert into public.desk (id) values (1) on conflict (id) do update set id = excluded.id, mood = excluded.mood;
      create extension if not exists pg_trgm with schema extensions;
      """
    #expect(codes(clean, "alter table public.desk add column label text;\ndrop index desk_owner;") == [])
  }

  @Test func `takes the case of an index that is built without a lock`() {
    let found = codes(
      "create table desk (floor int, label text);\n",
      "create unique index concurrently if not exists desk_label on desk (floor, label);\n")

    #expect(found == ["0002.sql:1:1 lint.if-not-exists"])
  }

  @Test func `calls no valid syntax wrong`() {
    let text = """
      create table step (id int primary key, before int references step, hours numeric);
      with recursive chain as (select id from step union all select s.id from step s join chain c on s.before = c.id)
      update step set hours = 0 from chain as c where c.id = step.id;
      alter table step add column is_first boolean generated always as (before is null) stored not null;
      merge into step using (values (1)) s (id) on step.id = s.id when matched then delete returning step.id;
      """
    let found = Linter.lint(migrations([text]))

    #expect(found.map(\.code) == ["lint.not-assessed"])
    #expect(found.map(\.severity) == [.note])
    #expect(place(found.first?.location) == "0001.sql:5:1")
    let shown = found.map { $0.rendered() }.joined().lowercased()
    for word in ["syntax error", "parse error", "could not parse", "cannot parse"] {
      #expect(!shown.contains(word))
    }
  }

  @Test func `judges the statements around one that is beyond the grammar`() {
    #expect(
      codes(
        "create table if not exists a (b int);\nselect * from json_table('[]', '$' columns (id for ordinality)) t;\ndrop table if exists a;"
      ) == [
        "0001.sql:1:1 lint.if-not-exists", "0001.sql:2:1 lint.not-assessed",
        "0001.sql:3:1 lint.drop-if-exists",
      ])
  }

  @Test func `reads COPY data, psql's commands and quotes as what they are`() {
    #expect(
      codes(
        "\\set x 'create table if not exists a ();'\ncopy a from stdin;\ncreate table if not exists b;\nabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij\n\\.\nselect 'drop table if exists a';"
      ) == [])
  }

  @Test func `finds its place in bodies within bodies`() {
    let text = """
      do $outer$
      begin
        if true then
          execute $inner$
            do $x$ begin
              create table if not exists a (b int);
            end $x$
          $inner$;
          execute 'insert into t values (''ö'') ' ||
            'on conflict do nothing';
        end if;
      end
      $outer$;
      create function f() returns void language sql as 'select ''a''; drop table if exists b';
      select f();
      """
    #expect(
      codes(text) == [
        "0001.sql:6:9 lint.if-not-exists", "0001.sql:9:13 lint.on-conflict-do-nothing",
        "0001.sql:14:65 lint.drop-if-exists",
      ])
  }

  @Test func `reads a body that assigns to the fields of a record`() {
    #expect(
      codes(
        """
        do $$ declare r record; n public.desk; begin
          r := null; r.a := 1; r."b" = 2;
          n.label := r.a; create table if not exists a (b int);
        end $$;
        """) == ["0001.sql:3:19 lint.if-not-exists"])
  }

  @Test func `reads a body that returns rows by its output columns`() {
    #expect(
      codes(
        """
        create function f() returns table (n int) language plpgsql as $$ begin
          n := 1; return next; create table if not exists a (b int); return;
        end $$;
        """) == ["0001.sql:2:24 lint.if-not-exists"])
  }

  @Test func `weighs a function the chain calls like the chain itself`() {
    let function =
      "create function f() returns void language plpgsql as $$ begin\n  create table if not exists a (b int);\nend $$;\n"

    #expect(Linter.lint(migrations([function])).map(\.severity) == [.warning])
    #expect(Linter.lint(migrations([function + "select public.f();"])).map(\.severity) == [.error])
    #expect(
      Linter.lint(migrations([function + "do $$ begin perform f(); end $$;"])).map(\.severity) == [.error])
  }

  @Test func `is stronger about tables that are not the project's own`() {
    func detail(_ text: String) -> String? { Linter.lint(migrations([text])).first?.detail }

    #expect(
      detail("insert into auth.users (id) values (1) on conflict do nothing")?.contains("platform") == true)
    #expect(
      detail("insert into other.t (id) values (1) on conflict do nothing")?.contains("platform") == true)
    #expect(detail("create schema own; insert into own.t (id) values (1) on conflict do nothing") == nil)
    #expect(detail("insert into t (id) values (1) on conflict do nothing") == nil)
  }

  @Test func `reports only the files that are asked for and reads the others`() {
    let files = migrations([
      "create table if not exists a (b int);", "create table if not exists a (b int, c int);",
    ])

    let found = Linter.lint(files) { $0.path == "0002.sql" }

    #expect(found.map(\.code) == ["lint.if-not-exists", "lint.lost-column"])
    #expect(found.allSatisfy { $0.location?.file.path == "0002.sql" })
  }

  @Test func `survives what is no SQL at all`() {
    for text in [
      "", "\u{0}", "'", "$$", "((((", "do $$ begin if", "create function f() as", "\\", "do 'begin'",
      "\u{FEFF}",
    ] {
      _ = Linter.lint(migrations([text, text]))
    }
    _ = Linter.lint(
      migrations(["do $$ begin " + String(repeating: "if true then ", count: 5_000) + "end $$"]))
    for (before, after) in [("1+", ""), ("not ", ""), ("(select ", ")"), ("array[", "]"), ("f(", ")")] {
      for count in [950, 1_450, 2_950, 50_000] {
        let deep = String(repeating: before, count: count) + "1" + String(repeating: after, count: count)
        _ = Linter.lint(migrations(["update t set a = " + deep]))
      }
    }
  }
}
