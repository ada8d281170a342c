import Diagnostics
import Postgres
import Scripts

/// A change to the ledger that runs none of the file's SQL: for a database that already is, or no longer is,
/// as a migration leaves it.
package struct LedgerRepair: Sendable {
  package enum Status: String, CaseIterable, Sendable {
    case applied, reverted
  }

  package let version: String
  package let status: Status
  /// The folder's file of that version; nil where the folder has none.
  package let file: MigrationFile?
  /// The ledger's row before the change.
  package let row: LedgerRow?

  /// - Throws: ``Diagnostic`` `migrate.unknown-version` where neither the folder nor the ledger knows it,
  ///   or where the folder lacks the file that is to be marked as applied.
  package init(
    version: String, status: Status, folder: MigrationFolder, rows: [LedgerRow]
  ) throws {
    file = folder.files.first { $0.version == version }
    row = rows.first { $0.version == version }
    let isKnown = file != nil || (status == .reverted && row != nil)
    guard isKnown else { throw Diagnostic.unknownVersion(version, among: folder.files) }
    self.version = version
    self.status = status
  }

  /// Whether the ledger already says so; applying the repair then changes nothing.
  package var isDone: Bool {
    switch status {
    case .reverted: row == nil
    case .applied:
      if let file, let row { AppliedText.state(of: file, row) == .applied } else { false }
    }
  }

  /// One line in words, for the user to read before it happens.
  package var summary: String {
    let name = file?.fileName ?? row?.name.map { "\(version)_\($0)" } ?? version
    return switch (status, row) {
    case _ where isDone: "\(name): nothing to change"
    case (.reverted, _): "\(name): its ledger row is removed; no SQL of the file is undone"
    case (.applied, nil): "\(name): a ledger row is added; no SQL of the file is run"
    case (.applied, _?): "\(name): its ledger row takes the text and checksum of the file as it is now"
    }
  }

  /// Changes the ledger in one transaction, under the lock of the migrator.
  package func apply(on db: Connection, lockTimeout: Duration?) throws {
    if isDone { return }
    try SessionLock(db: db).take(timeout: lockTimeout, onWait: { _ in })
    let ledger = Ledger(db)
    let hasFacts = try ledger.prepare()
    var statements = ledger.removal(of: version, withFacts: hasFacts)
    if status == .applied, let file {
      let script = try RunnableScript(file.source, serverVersion: db.serverVersion, code: "migrate")
      statements += ledger.insertion(
        of: file, statements: script.ledgerTexts, milliseconds: 0, withFacts: hasFacts)
    }
    _ = try db.transaction { try db.pipeline(statements) }
  }
}

extension LedgerRow {
  /// The file this row was applied from, put together again; nil where the ledger kept no statements.
  package var file: (name: String, text: String)? {
    guard let statements, !statements.isEmpty else { return nil }
    let text = statements.map { $0.hasSuffix("\\.") ? $0 : "\($0);" }.joined(separator: "\n\n") + "\n"
    return ("\(version)_\(name ?? "migration").sql", text)
  }
}
