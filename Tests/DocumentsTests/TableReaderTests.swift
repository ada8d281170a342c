import Diagnostics
import Documents
import Testing

struct TableReaderTests {
  private enum Mode: String, CaseIterable { case session, transaction }

  private func reader(_ text: String) throws -> TableReader {
    TableReader(try Node(toml: SourceFile(path: "nomdev.toml", text: text)))
  }

  @Test func `reads values and leaves missing ones to the caller's default`() throws {
    let root = try reader("[api]\nport = 1\nschemas = ['a']\nmode = 'session'\n[target.a]\nx = true\n")

    let api = root.table("api")
    #expect(api.int("port", in: 1...65535) == 1)
    #expect(api.strings("schemas") == ["a"])
    #expect(api.choice("mode", of: Mode.self) == .session)
    #expect(root.table("db").int("port") == nil)
    #expect(root.namedTables("target").map { "\($0.name) \($0.table.bool("x") == true)" } == ["a true"])
    #expect(try root.finish(unknownKeys: .error).isEmpty)
  }

  @Test func `collects every problem in the order of the document`() throws {
    let root = try reader("[api]\nmode = 'sesion'\nprot = 1\nport = 70000\n[db]\nport = 'x'\n")

    let db = root.table("db").int("port")
    let api = root.table("api")
    _ = (api.int("port", in: 1...65535), api.choice("mode", of: Mode.self))
    #expect(db == nil)
    #expect(
      refusal { try root.finish(unknownKeys: .error) } == """
        error[document.choice]: "sesion" is not one of the choices
          --> nomdev.toml:2:8
         2 | mode = 'sesion'
           |        ^
        hint: perhaps you meant "session"; give one of "session", "transaction"
        error[document.unknown-key]: unknown key `prot` in [api]
          --> nomdev.toml:3:1
         3 | prot = 1
           | ^^^^
        hint: perhaps you meant `port`
        error[document.range]: 70000 is out of range
          --> nomdev.toml:4:8
         4 | port = 70000
           |        ^
        hint: give a number from 1 to 65535
        error[document.type]: expected a whole number, found a text ("x")
          --> nomdev.toml:6:8
         6 | port = 'x'
           |        ^
        """)
  }

  @Test func `unknown keys can be only told`() throws {
    let root = try reader("[local_smpt]\nport = 1\n")

    _ = root.table("local_smtp")
    let warnings = try root.finish(unknownKeys: .warning)
    #expect(warnings.map(\.message) == ["unknown key `local_smpt`"])
    #expect(warnings.map(\.hint) == ["perhaps you meant `local_smtp`"])
  }

  @Test func `a missing key that is needed names the table`() throws {
    let root = try reader("[target.prod]\n")

    for (_, table) in root.namedTables("target") { _ = table.required("kind", table.string("kind")) }
    #expect(refusal { try root.finish(unknownKeys: .error) }.contains("[target.prod] needs the key `kind`"))
  }

  @Test(arguments: [
    ("prot", "port"), ("Port", "port"), ("ports", "port"), ("schema", "schemas"), ("xyzzy", nil),
  ])
  func `suggests the nearest name`(name: String, expected: String?) {
    #expect(nearestNames(to: name, among: ["port", "schemas", "max_rows"]).first == expected)
  }
}
