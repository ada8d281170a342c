import Diagnostics
import Documents
import Testing

/// Renders a tree on one line, to compare whole documents at a glance.
func shown(_ node: Node) -> String {
  switch node.value {
  case .null: "null"
  case .bool(let flag): "\(flag)"
  case .int(let number): "\(number)"
  case .float(let number): "\(number)f"
  case .string(let text): "'\(text)'"
  case .array(let items): "[" + items.map(shown).joined(separator: ", ") + "]"
  case .table(let members):
    "{" + members.map { "\($0.key): \(shown($0.node))" }.joined(separator: ", ") + "}"
  }
}

/// The diagnostics a document is refused with, as the user sees them.
func refusal(_ body: () throws -> some Any, sourceLocation: Testing.SourceLocation = #_sourceLocation)
  -> String
{
  do {
    _ = try body()
    Issue.record("nothing was refused", sourceLocation: sourceLocation)
  } catch let error as any Diagnosable {
    return error.diagnostics.map { $0.rendered() }.joined(separator: "\n")
  } catch {
    Issue.record("an error without a diagnostic: \(error)", sourceLocation: sourceLocation)
  }
  return ""
}

struct YAMLTests {
  private func read(_ text: String) throws -> Node {
    try Node(yaml: SourceFile(path: "checks/a.yaml", text: text))
  }

  @Test(arguments: [
    ("yes", "'yes'"), ("No", "'No'"), ("on", "'on'"), ("true", "true"), ("False", "false"),
    ("~", "null"), ("", "null"), ("null", "null"), ("nULL", "'nULL'"),
    ("12", "12"), ("-3", "-3"), ("+4", "4"), ("007", "7"), ("0x1F", "31"), ("0o17", "15"), ("0x-1", "'0x-1'"),
    ("1_000", "'1_000'"), ("12:30", "'12:30'"), ("1.5", "1.5f"), (".5", "0.5f"), ("1e3", "1000.0f"),
    ("1.", "1.0f"), (".", "'.'"), ("-", "[null]"), ("1e", "'1e'"), (".inf", "inff"), ("-.INF", "-inff"),
    ("inf", "'inf'"), ("nan", "'nan'"), ("2026-11-30", "'2026-11-30'"),
    ("99999999999999999999", "'99999999999999999999'"),
    ("\"12\"", "'12'"), ("'true'", "'true'"), ("!!str 12", "'12'"), ("! 12", "'12'"),
    ("|\n  a\n  b\n", "'a\nb\n'"), (">-\n  a\n  b\n", "'a b'"), ("\u{FEFF}a: 1", "{a: 1}"),
    ("{ a: [1, x], b: {} }", "{a: [1, 'x'], b: {}}"), ("---\na: 1\n...\n", "{a: 1}"),
    ("1: one\ntrue: two", "{1: 'one', true: 'two'}"), ("# nothing\n", "null"),
  ])
  func `reads the core schema and leaves the rest as text`(text: String, expected: String) throws {
    let node = try read(text)

    #expect(shown(node) == expected)
  }

  @Test func `knows where every key and value stands`() throws {
    let node = try read("suite: Meals\nactors:\n  cook: { data: Ada }\n")

    let cook = try #require(node["actors"]?.members().first)
    #expect([cook.keyLocation.line, cook.keyLocation.column, cook.keyLocation.width] == [3, 3, 4])
    let data = try #require(cook.node["data"])
    #expect([data.location.line, data.location.column, data.location.width] == [3, 17, 3])
  }

  @Test func `counts columns in characters not bytes`() throws {
    let node = try read("{ ä: ü, b: 1 }")

    #expect(node["b"]?.location.column == 12)
  }

  @Test func `an alias stands for its anchor at its own place`() throws {
    let node = try read("a: &x [1, 2]\nb: *x\n")

    #expect(shown(node) == "{a: [1, 2], b: [1, 2]}")
    #expect(node["b"]?.location.line == 2)
  }

  @Test func `refuses a key written twice and shows both places`() {
    #expect(
      refusal { try read("api:\n  port: 1\n  host: x\n  port: 2\n") } == """
        error[yaml.duplicate-key]: the key `port` is written twice
          --> checks/a.yaml:4:3
         4 |   port: 2
           |   ^^^^
        detail: it stands at checks/a.yaml:2:3 already
        hint: keep one of them
        """)
  }

  @Test func `refuses a tab as indentation in plain words`() {
    let text = refusal { try read("api:\n\tport: 1\n") }

    #expect(text.hasPrefix("error[yaml.syntax]: a tab is used for indentation\n  --> checks/a.yaml:2:1"))
  }

  @Test(arguments: [
    ("a: 1\n---\nb: 2\n", "second document", ":2:1"),
    ("a: *b\n", "no anchor `&b`", ":1:4"),
    ("a: &a [*a]\n", "no anchor `&a`", ":1:8"),
    ("a: !secret x\n", "the tag `!secret`", ":1:4"),
    ("a: !!binary x\n", "the tag `tag:yaml.org,2002:binary`", ":1:4"),
    ("a: !!set { x }\n", "the tag", ":1:4"),
    ("[a]: 1\n", "a key must be a plain text", ":1:1"),
    ("a: [1, 2\n", "did not find expected", ":2:1"),
    ("a: \"x\n", "unexpected end of stream", ":2:1"),
    ("a: b: c\n", "mapping values are not allowed", ":1:5"),
    ("a: \u{0}\n", "control characters", ":1:4"),
  ])
  func `refuses with the place`(text: String, message: String, place: String) {
    let shown = refusal { try read(text) }

    #expect(shown.contains(message))
    #expect(shown.contains("checks/a.yaml\(place)"))
  }

  @Test func `bounds what aliases can blow up to`() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...20 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }

    #expect(refusal { try read(text) }.contains("error[document.limit]"))
  }

  @Test func `bounds depth and size`() {
    let deep = String(repeating: "[", count: 100_000)
    let large = "a: " + String(repeating: "x", count: DocumentLimits.bytes)

    #expect(refusal { try read(deep) }.contains("nested deeper"))
    #expect(refusal { try read(large) }.contains("too large"))
  }
}
