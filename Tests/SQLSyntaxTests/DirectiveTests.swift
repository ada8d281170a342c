import SQLSyntax
import Testing

struct DirectiveTests {
  @Test func `runs without a transaction only when the head of the file asks`() {
    #expect(
      script("-- 2026\n-- nomdev: no-transaction because the backfill commits in batches\nselect 1")
        .noTransaction?.reason == "the backfill commits in batches")
    #expect(script("/* nomdev: no-transaction */ select 1").noTransaction != nil)
    #expect(script("-- NOMDEV: no-transaction -- why").noTransaction?.reason == "why")
    #expect(script("-- nomdev: no-transaction: why not").noTransaction?.reason == "why not")
    #expect(script("select 1;\n-- nomdev: no-transaction\nselect 2").noTransaction == nil)
    #expect(script("select '-- nomdev: no-transaction'").noTransaction == nil)
    #expect(script("-- see nomdev: no-transaction").noTransaction == nil)
  }

  @Test func `reads what is allowed and why`() {
    let read = script(
      """
      -- nomdev: allow lint.if-not-exists, lint.drop-if-exists because the old tool made it
      create table if not exists a (b int); -- nomdev: allow lint.x
      -- nomdev: alow lint.x
      """)

    #expect(
      read.directives.map(\.request) == [
        .allow(rules: ["lint.if-not-exists", "lint.drop-if-exists"]), .allow(rules: ["lint.x"]),
        .unknown("alow lint.x"),
      ])
    #expect(read.directives.map(\.reason) == ["the old tool made it", nil, nil])
    #expect(read.directives.map(\.isAlone) == [true, false, true])
  }
}
