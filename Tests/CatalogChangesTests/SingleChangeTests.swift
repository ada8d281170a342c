import Catalog
import CatalogChanges
import Postgres
import Support
import Testing

@Suite struct SingleChangeTests {
  @Test func `there are enough of them`() { #expect(Changes.all.count >= 80) }

  @Test(arguments: Changes.all) func `a change is seen, mended and taken back`(change: Change) throws {
    let without = try database(change.before, of: change)
    let with = try database(change.before, change.after)
    let (before, after) = (try state(without), try state(with))

    let change = (name: change.name, forth: Comparison(declared: after, actual: before))
    #expect(!change.forth.isEqual)
    try mend(change.forth, without)
    expectNone(Comparison(declared: after, actual: try state(without)))

    // A label stays for ever, and what was generated can't be generated again.
    if ["label added", "no longer generated"].contains(change.name) { return }
    try mend(Comparison(declared: before, actual: after), with)
    expectNone(Comparison(declared: before, actual: try state(with)))
  }

  private func expectNone(_ comparison: Comparison, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      comparison.differences.map { "\($0.change.rawValue) \($0.path) \($0.values)" } == [],
      sourceLocation: sourceLocation)
  }

  private func mend(_ comparison: Comparison, _ database: ScratchDatabase) throws {
    let db = try database.connect(as: "supabase_admin")
    try db.run("set role postgres")
    for text in ChangePlan(comparison).texts {
      do {
        try db.run(script: text)
      } catch SQLState.insufficientPrivilege {
        // What only the server's owner may do.
        try db.run("reset role")
        try db.run(script: text)
        try db.run("set role postgres")
      }
    }
  }

  private func database(_ scripts: String..., of change: Change? = nil) throws -> ScratchDatabase {
    // The platform's thousands of objects are compared only where a change needs them.
    let needsPlatform = (scripts + [change?.after ?? ""]).contains { text in
      ["storage.", "auth.", "extensions"].contains(where: text.contains)
    }
    let database = try ScratchDatabase(bare: !needsPlatform)
    let db = try database.connect(as: "supabase_admin")
    for script in scripts where !script.isEmpty {
      try db.run("set role postgres")
      do {
        try db.run(script: script)
      } catch SQLState.insufficientPrivilege {
        try db.run("reset role")
        try db.run(script: script)
      }
    }
    return database
  }

  private func state(_ database: ScratchDatabase) throws -> Snapshot {
    try Snapshot.read(
      try database.connect(as: "supabase_admin"),
      .init(needs: true, rows: .chosen([RowTable("public.t", isComplete: true)])))
  }
}
