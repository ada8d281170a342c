import Diagnostics
import Documents
import Testing

struct TOMLTests {
  private func read(_ text: String) throws -> Node {
    try Node(toml: SourceFile(path: "nomdev.toml", text: text))
  }

  @Test(arguments: [
    ("", "{}"), ("# nothing", "{}"),
    ("a = 1\nb = -2\nc = 0xFF\nd = 1_000", "{a: 1, b: -2, c: 255, d: 1000}"),
    ("a = 1.5\nb = inf\nc = 5e-1", "{a: 1.5f, b: inff, c: 0.5f}"),
    ("a = true\nb = 'x'\nc = \"t\\t\\u00e9\"", "{a: true, b: 'x', c: 't\té'}"),
    ("a = \"\"\"\nx\ny\"\"\"", "{a: 'x\ny'}"), ("a = '''\nx\\y'''", "{a: 'x\\y'}"),
    (
      "a = 2026-11-30T10:00:00Z\nb = 2026-11-30\nc = 07:32:00",
      "{a: '2026-11-30T10:00:00Z', b: '2026-11-30', c: '07:32:00'}"
    ),
    ("a.b.c = 1\na.d = 2", "{a: {b: {c: 1}, d: 2}}"),
    (
      "[z]\nb = 1\na = 2\n[y.x]\n[[t]]\nn=1\n[[t]]\nn=2", "{z: {b: 1, a: 2}, y: {x: {}}, t: [{n: 1}, {n: 2}]}"
    ),
    ("a = [1, 'x', { b = [] }]", "{a: [1, 'x', {b: []}]}"), ("\"a b\" = 1\n'' = 2", "{a b: 1, : 2}"),
    ("a = 9223372036854775807", "{a: 9223372036854775807}"), ("a = \"\\u0000\\\"\"", "{a: '\u{0}\"'}"),
    ("\u{FEFF}a = 1\r\nb = 2\r\n", "{a: 1, b: 2}"),
  ])
  func `reads the values of TOML in the order written`(text: String, expected: String) throws {
    let node = try read(text)

    #expect(shown(node) == expected)
  }

  @Test func `knows where keys and values stand`() throws {
    let node = try read("# é\n[api]\nport = 54321\n\"é\" = 'x'\n")

    let members = try #require(node["api"]).members()
    #expect(members.map { [$0.keyLocation.line, $0.keyLocation.column] } == [[3, 1], [4, 1]])
    #expect(members.map { [$0.node.location.line, $0.node.location.column] } == [[3, 8], [4, 7]])
  }

  @Test(arguments: [
    ("a = 1\na = 2\n", ":2:"), ("a = \n", ":1:"), ("[a\n", ":1:"), ("a = 'x\n", ":1:"),
    ("a = 1 b = 2", ":1:7"),
    ("a = 99999999999999999999", ":1:"), ("[a]\n[a]\n", ":2:"), ("a = [1,\n", ":"), ("a = 2026-13-01", ":1:"),
    ("a = \"\\q\"", ":1:"), ("a.b = 1\na.b.c = 2", ":2:"),
  ])
  func `refuses with the place`(text: String, place: String) {
    let shown = refusal { try read(text) }

    #expect(shown.hasPrefix("error[toml.syntax]: "))
    #expect(shown.contains("--> nomdev.toml\(place)"))
  }

  @Test func `bounds depth in brackets and in dotted keys`() {
    let brackets = "a = " + String(repeating: "[", count: 10_000)
    let dots = Array(repeating: "a", count: 500_000).joined(separator: ".")

    #expect(refusal { try read(brackets) }.contains("toml.syntax"))
    #expect(refusal { try read("x = 1\n\(dots) = 1") }.contains("a key has more than 128 parts"))
    #expect(refusal { try read("[\(dots)]") }.contains("a key has more than 128 parts"))
  }
}
