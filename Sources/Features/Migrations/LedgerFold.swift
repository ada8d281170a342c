import Diagnostics
import Postgres
import Scripts

/// A ledger that has the migrations a baseline folds: the rows of those become the row of the baseline. No SQL of
/// any file is run.
package struct LedgerFold: Sendable {
  package let baseline: MigrationFile
  /// The rows that go.
  package let versions: [String]

  /// The versions a file says it folds, oldest first; empty for an ordinary migration.
  package static func versions(of file: MigrationFile) -> [String] {
    list(of: file, "-- Folds: ")
  }

  /// The versions that baselines before this one folded.
  package static func earlierVersions(of file: MigrationFile) -> [String] {
    list(of: file, "-- Folded before: ")
  }

  private static func list(of file: MigrationFile, _ mark: String) -> [String] {
    for line in file.source.text.split(separator: "\n", maxSplits: 8) {
      guard line.hasPrefix("--") else { return [] }
      if line.hasPrefix(mark) { return line.dropFirst(mark.count).split(separator: " ").map(String.init) }
    }
    return []
  }

  /// - Returns: Nil where nothing is to be rewritten: no baseline, none of what it folds applied, or done already.
  /// - Throws: ``Diagnostic`` `migrate.half-folded` where the ledger has a part of what is folded.
  package init?(folder: MigrationFolder, rows: [LedgerRow]) throws {
    guard let file = folder.files.first(where: { !Self.versions(of: $0).isEmpty }) else { return nil }
    let folded = Self.versions(of: file)
    let present = folded.filter { version in rows.contains { $0.version == version } }
    if present.isEmpty { return nil }
    if let row = rows.first(where: { $0.version == file.version }) {
      if present == [file.version], AppliedText.state(of: file, row) != .edited { return nil }
      if folded.count == 1, AppliedText.state(of: file, row) != .edited { return nil }
    }
    guard present.count == folded.count else {
      let lacking = folded.filter { !present.contains($0) }
      throw Diagnostic(
        "migrate.half-folded", "the database has a part of the migrations that \(file.fileName) folds",
        detail: "it lacks \(lacking.joined(separator: ", "))",
        hint: "apply the others first, with --dir and the archived files")
    }
    baseline = file
    let earlier = Self.earlierVersions(of: file)
    versions = folded + earlier.filter { version in rows.contains { $0.version == version } }
  }

  /// Rewrites the ledger in one transaction, under the lock of the migrator.
  package func apply(on db: Connection, lockTimeout: Duration?) throws {
    try SessionLock(db: db).take(timeout: lockTimeout, onWait: { _ in })
    let ledger = Ledger(db)
    let hasFacts = try ledger.prepare()
    let script = try RunnableScript(baseline.source, serverVersion: db.serverVersion, code: "migrate")
    let statements =
      versions.flatMap { ledger.removal(of: $0, withFacts: hasFacts) }
      + ledger.insertion(of: baseline, statements: script.ledgerTexts, milliseconds: 0, withFacts: hasFacts)
    _ = try db.transaction { try db.pipeline(statements) }
  }
}
