import Diagnostics
import SQLSyntax
import Testing

/// Shared by the suites of this target.
func script(_ text: String) -> Script { Script.parse(SourceFile(path: "m.sql", text: text)) }

func texts(_ text: String) -> [String] { script(text).statements.map(\.text) }

extension Script {
  var usesGrammar: Bool { parser == .postgres }
}

/// A statement PostgreSQL 15 does not know, so that the file it stands in is cut by tokens alone.
let newer = "select * from json_table('[]', '$' columns (id for ordinality)) t"

struct ScriptTests {
  @Test func `cuts statements without their semicolons, blanks and comments`() {
    let read = script("-- a\nselect 1 ; /* b */\n\n  select 'x;y'\n;;\nselect 3")

    #expect(read.statements.map(\.text) == ["select 1", "select 'x;y'", "select 3"])
    #expect(read.statements.map(\.location.line) == [2, 4, 6])
    #expect(read.statements.map(\.location.column) == [1, 3, 1])
    #expect(
      read.statements.map { read.source.text($0.leadingComments.first ?? 0..<0) } == ["-- a", "/* b */", ""])
    #expect(read.usesGrammar)
  }

  @Test func `gives the same statements with the grammar as without it`() {
    let cases = [
      "select 1; select 2",
      "create function f(a int) returns int language sql begin atomic select a; select case when a > 1 then a else (case a when 1 then 2 end) end; end; select 2",
      "do $outer$ begin execute $inner$ select ';' $inner$; end $outer$; select 1 /* ; /* ; */ ; */; select 2",
      "create rule r as on insert to t do also (insert into a values (1); insert into b values (2)); select 1",
      "select E'it\\'s; '; select U&'\\0041;', U&\"a;b\"",
      "select E'a'\n  'b\\';c'; select 2",
      "insert into fn_atomic values (1, 'begin; atomic', 'end;'); create table case_end (pending int, atomic boolean)",
      "create function begin(a int) returns int language sql as 'select 1;'; select a$b$ from t$; select 1",
      "select $1; select $$;$$, $a_1$;$$;$a_1$, 1.5, b'1', x'F'",
      "begin; select 1; end; select \"a\"\";\" from t",
      "copy (select 1 from t) to stdout; select 2",
    ]
    for text in cases {
      let read = script(text)
      let without = script(text + ";\n" + newer)

      #expect(read.usesGrammar, "\(text)")
      #expect(!without.usesGrammar)
      #expect(without.statements.dropLast().map(\.text) == read.statements.map(\.text), "\(text)")
      #expect(without.statements.last?.text == newer)
    }
  }

  @Test func `says as a note what the grammar stumbled over, and never fails`() throws {
    let read = script(
      "select 'ö';\nmerge into m using s on true when not matched then insert values (1) returning m.id;")

    guard case .fallback(let reason) = read.parser else {
      Issue.record("the grammar of PostgreSQL 15 read a MERGE with RETURNING")
      return
    }
    #expect(reason.code == "syntax.beyond-grammar")
    #expect(reason.severity == .note)
    #expect(reason.location?.line == 2)
    #expect(reason.location?.column == 70)
    #expect(!reason.rendered().lowercased().contains("could not parse"))
    #expect(read.statements.count == 2)
  }

  @Test func `keeps COPY data apart and places right`() {
    let text =
      "copy fruit (id, name) from stdin;\n1\tapple; 'pear\n2\t\\N ö\n\\.\ncreate table after_copy (id int);"
    for read in [script(text), script(text + newer)] {
      #expect(read.statements[0].kind == .copyFromStdin)
      #expect(read.statements[0].copyData.map(read.source.text) == "1\tapple; 'pear\n2\t\\N ö\n")
      #expect(read.statements[1].text == "create table after_copy (id int)")
      #expect(read.statements[1].location.line == 5)
      #expect(read.metaCommands.isEmpty)
    }
    #expect(script(text).usesGrammar)
    #expect(
      script("copy a from stdin; -- x\r\n1\r\n\\.\r\nselect 1").statements.map(\.text) == [
        "copy a from stdin", "select 1",
      ])
    let open = script("copy a from stdin;\n1\n2")
    #expect(open.statements[0].copyData.map(open.source.text) == "1\n2")
    let none = script("copy a from stdin;\n\\.\nselect 1")
    #expect(none.statements[0].copyData?.isEmpty == true)
    #expect(script("copy a from 'stdin'").statements[0].copyData == nil)
  }

  @Test func `reports psql's own commands and reads the rest`() {
    let read = script("\\set x 1 ;\n  \\restrict abc\nselect '\n\\no' ;\n")

    #expect(read.metaCommands.map(\.text) == ["\\set x 1 ;", "\\restrict abc"])
    #expect(read.metaCommands.map(\.location.column) == [1, 3])
    #expect(read.statements.map(\.text) == ["select '\n\\no'"])
    #expect(read.usesGrammar)
  }

  @Test func `accepts a byte order mark and CRLF`() {
    let read = script("\u{FEFF}create table a (id int);\r\n\tselect 1;\r\n")

    #expect(read.statements.map(\.text) == ["create table a (id int)", "select 1"])
    #expect(read.statements[1].location.line == 2)
    #expect(read.statements[1].location.column == 2)
    #expect(read.usesGrammar)
  }

  @Test func `counts columns in characters`() {
    let read = script("select 'kött'; select 2; /* ö */ select 3")

    #expect(read.statements.map(\.location.column) == [1, 16, 34])
    #expect(read.location(byte: read.statements[2].range.lowerBound).column == 34)
    #expect(read.location(byte: 8, length: 5).width == 4)
  }

  @Test func `finds nothing in a file of comments`() {
    #expect(texts("-- nothing here yet\n/* really */").isEmpty)
    #expect(texts("").isEmpty)
    #expect(texts(" ;; ").isEmpty)
  }

  @Test func `refuses to show the grammar a NUL byte`() {
    let read = script("select 1;\u{0} select 2")

    guard case .fallback(let reason) = read.parser else {
      Issue.record("a text with a NUL byte was read only up to it")
      return
    }
    #expect(reason.detail?.contains("NUL") == true)
    #expect(read.statements.count == 2)
  }

  @Test func `reads what is left open to the end`() {
    for open in ["'a;", "\"a;", "$$a;", "/* a;", "E'\\", "$x$ $y$", "(a;", "U&'a"] {
      #expect(script("select 1; select " + open).statements.count == 2, "\(open)")
    }
  }
}
