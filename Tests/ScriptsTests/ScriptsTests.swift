import Diagnostics
import Postgres
import SQLSyntax
import Scripts
import Testing

@Suite struct ScriptsTests {
  private func script(_ text: String, server: Int = 150_000) throws -> RunnableScript {
    try RunnableScript(SourceFile(path: "f.sql", text: text), serverVersion: server, code: "t")
  }

  private func refusal(_ text: String) -> [Diagnostic] {
    let error = #expect(throws: DiagnosticList.self) { try script(text) }
    return error?.diagnostics ?? []
  }

  @Test func `cuts a file at its COPY data, every byte at its own offset`() throws {
    let text =
      "select 1;\r\ncopy a from stdin;\r\n1\tä\r\n\\.\r\nselect 2;\ncopy b from stdin;\n\\.\nselect 3"
    let bytes = Array(text.utf8)

    let chunks = try script(text).chunks()

    #expect(chunks.count == 3)
    for chunk in chunks {
      #expect(Array(bytes[chunk.offset...].prefix(chunk.text.utf8.count)) == Array(chunk.text.utf8))
    }
    #expect(String(decoding: chunks[0].copyData, as: UTF8.self) == "1\tä\r\n")
    #expect(chunks[1].copyData == [])
    #expect(chunks.map(\.statements.count) == [2, 2, 1])
    #expect(chunks[2].text.contains("select 3"))
  }

  @Test(
    arguments: [
      ("select 1;\nselect 'ää😀', nosuch", 25, 2, 15), ("select 1;\r\n\tnosuch", 13, 2, 2),
      ("nosuch", 1, 1, 1), ("select\n  nosuch", 10, 2, 3),
    ])
  func `places the server's position, counted in characters`(
    text: String, position: Int, line: Int, column: Int
  )
    throws
  {
    let chunk = try #require(try script(text).chunks().first)
    let error = PostgresError(state: .syntaxError, message: "no", position: position)

    let placed = ScriptError(error, in: chunk, of: SourceFile(path: "f.sql", text: text), code: "t.sql")

    #expect(placed.location.line == line)
    #expect(placed.location.column == column)
  }

  @Test func `places a position behind COPY data in the file, not in the message`() throws {
    let text = "copy a from stdin;\n1\n2\n\\.\nselect 1;\nselect nosuch;\n"
    let chunk = try #require(try script(text).chunks().last)
    let position = (chunk.text.unicodeScalars.count) - "nosuch;\n".count + 1

    let placed = ScriptError(
      PostgresError(state: .syntaxError, message: "no", position: position), in: chunk,
      of: SourceFile(path: "f.sql", text: text), code: "t.sql")

    #expect(placed.location.line == 6)
    #expect(placed.location.column == 8)
  }

  @Test func `places an error without position by the statements that had ended`() throws {
    let text = "select 1;\n\n  select 2;\nselect 3;"
    let chunk = try #require(try script(text).chunks().first)
    for (completed, line, column) in [(0, 1, 1), (1, 3, 3), (2, 4, 1), (9, 4, 1)] {
      var error = PostgresError(state: .syntaxError, message: "no")
      error.completedStatements = completed
      let placed = ScriptError(error, in: chunk, of: SourceFile(path: "f.sql", text: text), code: "t.sql")
      #expect(placed.location.line == line)
      #expect(placed.location.column == column)
    }
  }

  @Test func `sends a substitute as a message of its own`() throws {
    let chunks = try script("select 1;\nselect 2;\nselect 3;").chunks {
      $0.text == "select 2" ? "select 'other'" : nil
    }

    #expect(chunks.map(\.text) == ["select 1;\n", "select 'other'", ";\nselect 3;"])
    let error = PostgresError(state: .syntaxError, message: "no", position: 9)
    let file = SourceFile(path: "f.sql", text: "select 1;\nselect 2;\nselect 3;")
    #expect(ScriptError(error, in: chunks[1], of: file, code: "t").location.line == 2)
    #expect(ScriptError(error, in: chunks[2], of: file, code: "t").location.line == 3)
  }

  @Test func `leaves out begin and commit without moving a byte`() throws {
    let text = "begin;\ncreate table ä ();\ncommit;\n"

    let script = try script(text)

    #expect(script.mode == .transaction(begin: "begin"))
    let chunk = try #require(script.chunks().first)
    #expect(chunk.text.utf8.count == text.utf8.count)
    #expect(!chunk.text.contains("begin") && !chunk.text.contains("commit"))
    #expect(script.statements.map(\.text) == ["create table ä ()"])
  }

  @Test func `takes what stands before a late begin into its transaction`() throws {
    let script = try script("set search_path = public;\nbegin;\nselect 1;\ncommit;")

    #expect(script.mode == .transaction(begin: "begin"))
    #expect(script.statements.map(\.text) == ["set search_path = public", "select 1"])
  }

  @Test(arguments: [
    ("select 1;\ncommit;\nselect 2;", "t.commit-inside", 2), ("begin;\nselect 1;", "t.commit-inside", 1),
    ("begin;\nselect 1;\ncommit;\nbegin;\nselect 2;\ncommit;", "t.commit-inside", 3),
    ("select 1;\nrollback;", "t.commit-inside", 2), ("\\connect x", "t.meta-command", 1),
    ("begin;\nvacuum;\ncommit;", "t.outside-transaction", 2),
  ])
  func `refuses what could leave it half done`(text: String, code: String, line: Int) throws {
    let found = refusal(text)

    #expect(found.map(\.code) == [code])
    #expect(found.first?.location?.line == line)
  }

  @Test func `leaves out what pg_dump writes for psql and for newer servers`() throws {
    let text = "\\restrict abc\nset transaction_timeout = 0;\nselect 1;\n\\unrestrict abc\n"

    let script = try script(text)

    #expect(script.statements.map(\.text) == ["select 1"])
    #expect(script.warnings.map(\.code) == ["t.newer-setting"])
    #expect(script.chunks().map(\.text.utf8.count) == [text.utf8.count])
    #expect(try self.script("set transaction_timeout = 0;", server: 170_000).warnings.isEmpty)
  }

  @Test(arguments: [
    "vacuum;", "create index concurrently on a (b);", "-- nomdev: no-transaction\nselect 1; commit;",
  ])
  func `runs statement by statement what needs it`(text: String) throws {
    #expect(try script(text).mode == .statementByStatement)
  }

  @Test func `gives the ledger each statement with its comments and rows`() throws {
    let texts = try script("-- why\nselect 1;\ncopy a from stdin;\n1\n\\.\n").ledgerTexts

    #expect(texts == ["-- why\nselect 1", "copy a from stdin;\n1\n\\."])
  }
}
