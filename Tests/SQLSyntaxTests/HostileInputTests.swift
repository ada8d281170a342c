import SQLSyntax
import Testing

/// Inputs that make a parser slow or make it crash. Time is not asserted: quadratic reading of these would
/// show as minutes.
struct HostileInputTests {
  @Test func `reads megabytes of one token`() {
    let body = "do $$ begin " + String(repeating: "perform 1; -- $ 'x'\n", count: 50_000) + "end $$"
    #expect(texts(body + "; select 1").count == 2)
    #expect(texts("/* " + String(repeating: "/* ; */ ' ", count: 80_000) + "*/ select 1").count == 1)
    #expect(texts("select '" + String(repeating: "''", count: 200_000) + "'").count == 1)
  }

  @Test func `reads thousands of statements on one line`() {
    #expect(texts(String(repeating: "select 1;", count: 20_000)).count == 20_000)
  }

  @Test(arguments: [
    ("(", "1", ")"), ("not ", "true", ""), ("1+", "1", ""), ("(select ", "1", ")"),
    ("case when true then ", "1", " end"), ("array[", "1", "]"), ("- ", "1", ""), ("a.", "b", ""),
    ("select 1 union ", "select 1", ""), ("f(", "1", ")"), ("$a$", "", ""), ("(", "", ""), ("\\\n", "", ""),
  ])
  func `survives ten thousand levels`(before: String, middle: String, after: String) {
    for count in [500, 950, 1_450, 2_950, 10_000] {
      let deep = String(repeating: before, count: count) + middle + String(repeating: after, count: count)
      let read = script("select " + deep + ";\nselect 1")
      #expect(!read.statements.isEmpty)
      #expect(read.trees().count == read.statements.count)
    }
  }

  @Test func `still gives the trees of what stands beside a deep statement`() {
    let read = script("select 1" + String(repeating: "+1", count: 50_000) + "; create table a (b int)")

    #expect(read.trees().map { $0?.content?.type } == [nil, "CreateStmt"])
  }
}
