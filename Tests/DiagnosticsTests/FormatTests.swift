import Diagnostics
import JSONValues
import Testing

@Suite struct FormatTests {
  private let diagnostics = [
    Diagnostic(
      "lint.no-op", "hides what is, 100%", detail: "line one\r\nline two", hint: "write: \"create\"",
      at: SourceLocation(
        file: SourceFile(path: "a, b/ü:1.sql", text: "select 日本"), line: 1, column: 8, width: 2),
      sqlState: "42P07"),
    Diagnostic("lint.stale", "matches nothing", severity: .warning),
    Diagnostic("lint.no-op", "again", severity: .note),
  ]

  @Test func `renders as JSON`() {
    #expect(
      diagnostics.json().text(pretty: true) == #"""
        {
          "version": 1,
          "diagnostics": [
            {
              "severity": "error",
              "code": "lint.no-op",
              "message": "hides what is, 100%",
              "detail": "line one\r\nline two",
              "hint": "write: \"create\"",
              "sqlstate": "42P07",
              "location": {
                "file": "a, b/ü:1.sql",
                "line": 1,
                "column": 8,
                "endColumn": 10
              }
            },
            {
              "severity": "warning",
              "code": "lint.stale",
              "message": "matches nothing"
            },
            {
              "severity": "note",
              "code": "lint.no-op",
              "message": "again"
            }
          ]
        }
        """#)
    #expect([Diagnostic]().json().text() == #"{"version":1,"diagnostics":[]}"#)
  }

  @Test func `renders as GitHub annotations`() {
    #expect(
      diagnostics.gitHubAnnotations() == """
        ::error file=a%2C b/ü%3A1.sql,line=1,col=8,endColumn=10,title=lint.no-op::hides what is, 100%25%0A\
        line one%0D%0Aline two%0Ahint: write: "create"
        ::warning title=lint.stale::matches nothing
        ::notice title=lint.no-op::again

        """)
  }

  @Test func `renders as SARIF`() throws {
    let rule = RuleDescription("lint.other", summary: "Finds other.", helpURI: "https://example.com/other")

    let log = diagnostics.sarif(tool: "nomdev", version: "1.2.3", rules: [rule])

    #expect(
      log
        == (try JSON(
          parsing: #"""
            {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{
              "tool": {"driver": {"name": "nomdev", "version": "1.2.3", "rules": [
                {"id": "lint.other", "shortDescription": {"text": "Finds other."}, "helpUri": "https://example.com/other"},
                {"id": "lint.no-op"}, {"id": "lint.stale"}]}},
              "columnKind": "unicodeCodePoints",
              "results": [
                {"ruleId": "lint.no-op", "ruleIndex": 1, "level": "error",
                 "message": {"text": "hides what is, 100%\nline one\r\nline two\nhint: write: \"create\""},
                 "locations": [{"physicalLocation": {
                   "artifactLocation": {"uri": "a%2C%20b/%C3%BC%3A1.sql"},
                   "region": {"startLine": 1, "startColumn": 8, "endColumn": 10}}}]},
                {"ruleId": "lint.stale", "ruleIndex": 2, "level": "warning", "message": {"text": "matches nothing"}},
                {"ruleId": "lint.no-op", "ruleIndex": 1, "level": "note", "message": {"text": "again"}}]}]}
            """#)))
  }

  @Test func `reports text that is not JSON`() {
    let error: any Error = JSONError(offset: 3, message: "expected a digit")

    #expect((error as? any Diagnosable)?.diagnostics.first?.code == "json.syntax")
  }
}
