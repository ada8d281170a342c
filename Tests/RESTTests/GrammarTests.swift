import JSONValues
import Testing

@testable import REST

@Suite struct GrammarTests {
  private func failure(_ query: String, isCall: Bool = false) -> (message: String, details: String)? {
    do {
      _ = try QueryParameters(query, isCall: isCall)
      return nil
    } catch let error as RESTError {
      return (error.message, error.details.string ?? "")
    } catch { return nil }
  }

  @Test(arguments: [
    (
      "id=0", "\"failed to parse filter (0)\" (line 1, column 1)",
      "unexpected \"0\" expecting \"not\" or operator (eq, gt, ...)"
    ),
    (
      "id=in.1,2", "\"failed to parse filter (in.1,2)\" (line 1, column 4)",
      "unexpected \"1\" expecting \"(\""
    ),
    (
      "select=id,clients(name[])",
      "\"failed to parse select parameter (id,clients(name[]))\" (line 1, column 16)",
      "unexpected '[' expecting letter, digit, \"-\", \"->>\", \"->\", \"::\", \".\", \")\", \",\" or end of input"
    ),
    (
      "order=id.ac", "\"failed to parse order (id.ac)\" (line 1, column 4)",
      "unexpected \"c\" expecting \"asc\", \"desc\", \"nullsfirst\" or \"nullslast\""
    ),
    (
      "order=id.descc", "\"failed to parse order (id.descc)\" (line 1, column 8)",
      "unexpected 'c' expecting delimiter (.), \",\" or end of input"
    ),
    (
      "or=()", "\"failed to parse logic tree (())\" (line 1, column 4)",
      "unexpected \")\" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)"
    ),
    (
      "and=(id.eq.1,not.xor(a.eq.2))",
      "\"failed to parse logic tree ((id.eq.1,not.xor(a.eq.2)))\" (line 1, column 17)",
      "unexpected \"x\" expecting logic operator (and, or)"
    ),
    (
      "columns=", "\"failed to parse columns parameter ()\" (line 1, column 1)",
      "unexpected end of input expecting field name (* or [a..z0..9_$])"
    ),
  ])
  func `a failure says where and what was expected`(query: String, message: String, details: String) {
    let failure = failure(query)
    #expect(failure?.message == message)
    #expect(failure?.details == details)
  }

  @Test func `a key without a value says nothing, and the rest of a value belongs to it`() throws {
    let parameters = try QueryParameters("id&select&name=eq.a.b,c(d)", isCall: false)

    #expect(parameters.filters.count == 1)
    guard case .quantified("=", false, nil, "a.b,c(d)") = parameters.filters[0].value.operation else {
      Issue.record("another operation: \(parameters.filters[0].value.operation)")
      return
    }
  }

  @Test func `a list takes quoted elements apart and raw ones as they are`() throws {
    let parameters = try QueryParameters(#"name=in.("a,b","c\"d",x"y, z)"#, isCall: false)

    guard case .among(let items) = parameters.filters[0].value.operation else {
      Issue.record("no list")
      return
    }
    #expect(items == ["a,b", "c\"d", "x\"y", " z"])
  }

  @Test func `of a call, values without an operator are arguments`() throws {
    let parameters = try QueryParameters("id=5&id=gt.2", isCall: true)

    #expect(parameters.arguments.map(\.value) == ["5"])
    #expect(parameters.filters.count == 1)
    // What begins like an operator must be one.
    #expect(failure("name=in.formation", isCall: true) != nil)
  }

  @Test func `limits and offsets make ranges, and nonsense is ignored`() throws {
    func range(_ query: String) throws -> RowRange? {
      try QueryParameters(query, isCall: false).ranges["limit"]
    }
    #expect(try range("limit=5&offset=2") == RowRange(lower: 2, upper: 6))
    #expect(try range("limit=abc") == .all)
    #expect(try range("limit=0") == RowRange.none)
    #expect(try range("limit=1&limit=2") == RowRange(lower: 0, upper: 1))
    #expect(try range("limit=9223372036854775807&offset=9223372036854775807") != nil)
  }

  @Test func `nesting is bounded`() {
    let deep = String(repeating: "a(", count: 5_000) + String(repeating: ")", count: 5_000)
    #expect(failure("select=" + deep)?.details == "nested deeper than 64 levels")
    let tree = String(repeating: "and(", count: 5_000) + "id.eq.1" + String(repeating: ")", count: 5_000)
    #expect(failure("and=(" + tree + ")")?.details == "nested deeper than 64 levels")
  }

  @Test func `long queries take linear time`() throws {
    let list = (1...20_000).map(String.init).joined(separator: ",")
    _ = try QueryParameters(
      "id=in.(\(list))&select=" + Array(repeating: "a", count: 5_000).joined(separator: ","), isCall: false)
  }

  @Test func `query strings are decoded once, broken escapes kept`() {
    let pairs = QueryString("a=1+2&b=%2B%20;c=%zz%4&d&=e").pairs
    #expect(pairs.map(\.key) == ["a", "b", "c", "d", ""])
    #expect(pairs.map(\.value) == ["1 2", "+ ", "%zz%4", nil, "e"])
  }

  @Test func `accepted types come by preference`() {
    let types = AcceptHeader.mediaTypes(
      "text/csv;q=0.5, */*;q=0.1, application/json, Application/Vnd.Pgrst.Object+json")
    #expect(types == [.json, .object(stripped: false), .csv, .any])
    #expect(
      MediaType("application/vnd.pgrst.plan+json; for=\"text/csv\"; options=analyze|wal")
        == .plan(of: .csv, isJSON: true, options: [.analyze, .wal]))
  }

  @Test func `near names are found, far ones are not`() {
    let set = FuzzySet(["films", "directors", "roles"])
    #expect(set.best(for: "film", minimum: 0.75) == "films")
    #expect(set.best(for: "direktors", minimum: 0.75) == "directors")
    #expect(set.best(for: "zzz", minimum: 0.33) == nil)
  }

  @Test func `role claim paths lead to the role`() throws {
    let claims = try JSON(parsing: #"{"a":{"b c":["x","y"]},"role":"r"}"#)
    #expect(try RoleClaimPath(".role").value(in: claims)?.string == "r")
    #expect(try RoleClaimPath(#".a."b c"[1]"#).value(in: claims)?.string == "y")
    #expect(try RoleClaimPath(#".a."b c"[?(@ ^== "x")]"#).value(in: claims)?.string == "x")
    #expect(throws: RoleClaimPathError.self) { try RoleClaimPath("role") }
  }
}
