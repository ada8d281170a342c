import Diagnostics
import Testing

@Suite struct TextTests {
  /// A diagnostic at the first place `word` stands in `text`.
  private func rendered(_ text: String, at word: String, style: Style = .plain) throws -> String {
    let file = SourceFile(path: "migrations/1_a.sql", text: text)
    let range = try #require(text.utf8.firstRange(of: word.utf8))
    let offset = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    let place = file.location(byte: offset, length: word.utf8.count)
    return Diagnostic("migrate.sql", "no", at: place).rendered(style: style)
  }

  @Test func `shows all parts`() {
    let file = SourceFile(
      path: "migrations/0007_accounts.sql", text: "create table account (\n  email citex\n)")
    let diagnostic = Diagnostic(
      "migrate.sql", "type \"citex\" does not exist", detail: "first line\nsecond line", hint: "write citext",
      at: file.location(byte: 31, length: 5), sqlState: "42704")

    #expect(
      diagnostic.rendered() == """
        error[migrate.sql]: type "citex" does not exist (42704)
          --> migrations/0007_accounts.sql:2:9
         2 |   email citex
           |         ^^^^^
        detail: first line
                second line
        hint: write citext
        """)
  }

  @Test func `shows no place where there is none`() {
    let diagnostic = Diagnostic("seed.count", "39 recipes", severity: .warning)

    #expect(diagnostic.rendered() == "warning[seed.count]: 39 recipes")
    #expect(
      diagnostic.rendered(style: .colour)
        == "\u{1B}[33mwarning[seed.count]\u{1B}[0m: \u{1B}[1m39 recipes\u{1B}[0m")
  }

  @Test func `shows only the path where the file has no such line`() {
    let place = SourceLocation(file: SourceFile(path: "a.sql", text: "x"), line: 9, column: 3)

    #expect(Diagnostic("a.b", "no", at: place).rendered() == "error[a.b]: no\n  --> a.sql:9:3")
  }

  @Test func `keeps tabs so that the caret lines up`() throws {
    #expect(
      try rendered("\tselect\t1 +\tx;", at: "x") == """
        error[migrate.sql]: no
          --> migrations/1_a.sql:1:13
         1 | \tselect\t1 +\tx;
           | \t      \t   \t^
        """)
  }

  @Test func `takes a carriage return for part of the line end`() throws {
    let text = "select 1;\r\nselect x;\r\n"

    #expect(
      try rendered(text, at: "x") == """
        error[migrate.sql]: no
          --> migrations/1_a.sql:2:8
         2 | select x;
           |        ^
        """)
  }

  @Test(arguments: [
    ("select 'é' + x", "             ^"),  // precomposed
    ("select 'e\u{301}' + x", "             ^"),  // a combining accent takes no column
    ("select '日本' + x", "                ^"),  // two columns each
    ("select 'ｶﾅ' + x", "              ^"),  // half-width katakana
    ("select '한글' + x", "                ^"), ("select '😀' + x", "              ^"),
    ("select '👍🏽' + x", "              ^"),  // with a skin tone
    ("select '👩‍🍳' + x", "              ^"),  // joined
    ("select '🇩🇪🇫🇷' + x", "                ^"),  // two flags
    ("select '❤️' + x", "              ^"),  // made an emoji by a variation selector
    ("select '\u{200B}' + x", "            ^"),  // zero width
  ])
  func `pads by what a terminal shows`(line: String, caret: String) throws {
    let last = try rendered(line, at: "x").split(separator: "\n").last.map(String.init)

    #expect(last == "   | \(caret)")
  }

  @Test func `underlines wide characters over their whole width`() throws {
    #expect(try rendered("select 日本;", at: "日本").hasSuffix("\n   |        ^^^^"))
  }

  @Test func `points past the end of the last line`() {
    let file = SourceFile(path: "a.sql", text: "select (")

    #expect(
      Diagnostic("a.b", "no", at: file.location(byte: 99)).rendered() == """
        error[a.b]: no
          --> a.sql:1:9
         1 | select (
           |         ^
        """)
  }

  @Test func `underlines no more than the line`() throws {
    #expect(try rendered("select (1\n+ 2);", at: "(1\n+ 2)").hasSuffix(" 1 | select (1\n   |        ^^"))
  }

  @Test func `shows a window of a very long line`() throws {
    let text = String(repeating: "a", count: 1_000) + "HERE" + String(repeating: "b", count: 1_000)

    let lines = try rendered(text, at: "HERE").split(separator: "\n").map(String.init)

    #expect(lines[1] == "  --> migrations/1_a.sql:1:1001")
    #expect(lines[2] == " 1 | …\(String(repeating: "a", count: 80))HERE\(String(repeating: "b", count: 76))…")
    #expect(lines[3] == "   | \(String(repeating: " ", count: 81))^^^^")
  }

  @Test func `shows both ends of a very long line`() throws {
    let long = String(repeating: "a", count: 200)

    let start = try rendered("X" + long, at: "X").split(separator: "\n").map(String.init)
    #expect(start[2].hasPrefix(" 1 | Xaaa") && start[2].hasSuffix("a…"))
    #expect(start[3] == "   | ^")

    let end = try rendered(long + "X", at: "X").split(separator: "\n").map(String.init)
    #expect(end[2].hasPrefix(" 1 | …aaa") && end[2].hasSuffix("aX"))
    #expect(end[3].hasSuffix(" ^") && end[3].count == end[2].count)
  }

  @Test func `sends the terminal no commands from a file or a server`() throws {
    #expect(try rendered("select '\u{1B}[2J' + x", at: "x").contains(" 1 | select '\u{FFFD}[2J' + x\n"))
    #expect(Diagnostic("a.b", "\u{1B}]0;x\u{7}").rendered() == "error[a.b]: \u{FFFD}]0;x\u{FFFD}")
  }

  @Test(
    arguments: [
      (true, [:], nil, true), (false, [:], nil, false), (true, ["NO_COLOR": "1"], nil, false),
      (true, ["NO_COLOR": ""], nil, true), (true, ["TERM": "dumb"], nil, false),
      (false, [:], true, true), (true, ["NO_COLOR": "1"], true, true), (true, [:], false, false),
    ] as [(Bool, [String: String], Bool?, Bool)])
  func `decides on colour`(isTerminal: Bool, environment: [String: String], choice: Bool?, coloured: Bool) {
    let style = Style.chosen(isTerminal: isTerminal, environment: environment, choice: choice)

    #expect((style.bold("x") != "x") == coloured)
  }
}
