import Catalog
import CatalogChanges
import Postgres
import Support
import Testing

@Suite struct SingleChangeTests {
  @Test func `there are enough of them`() { #expect(Changes.all.count >= 80) }

  @Test(arguments: Changes.all) func `a change is seen, mended and gone`(change: Change) throws {
    let declared = try database(change.before, change.after)
    let actual = try database(change.before, of: change)

    let wanted = try state(declared)
    let comparison = Comparison(declared: wanted, actual: try state(actual))
    #expect(!comparison.isEqual)

    try mend(comparison, actual)
    let rest = Comparison(declared: wanted, actual: try state(actual)).differences
    #expect(rest.map { "\($0.change.rawValue) \($0.path) \($0.values)" } == [])
  }

  @Test(arguments: Changes.all) func `a change is taken back`(change: Change) throws {
    // A label stays for ever, and so does the order of columns.
    if ["label added", "no longer generated"].contains(change.name) { return }
    let declared = try database(change.before, of: change)
    let actual = try database(change.before, change.after)

    let wanted = try state(declared)
    let comparison = Comparison(declared: wanted, actual: try state(actual))
    #expect(!comparison.isEqual)

    try mend(comparison, actual)
    let rest = Comparison(declared: wanted, actual: try state(actual)).differences
    #expect(rest.map { "\($0.change.rawValue) \($0.path) \($0.values)" } == [])
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
    let needsPlatform = (scripts + [change?.after ?? ""]).contains { text in ["storage.", "auth.", "extensions"].contains(where: text.contains) }
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
