import Diagnostics
import Postgres
import Scripts

/// Runs one file on a session that is clean before it and writes its ledger row.
struct FileRunner {
  let db: Connection
  let connect: @Sendable () throws -> Connection
  let ledger: Ledger
  let options: Migrator.Options
  /// Whether nomdev's own tables are there.
  let hasFacts: Bool
  let platform: PlatformStatements
  /// Asked where a cancel would find no statement to end.
  let isInterrupted: () -> Bool

  func run(_ file: MigrationFile, _ script: RunnableScript, onEvent: @escaping (Migrator.Event) -> Void)
    throws
  {
    let start = ContinuousClock.now
    let watch = options.lockTimeout.map { timeout in
      BlockerWatch(of: db.backendPID, pause: min(timeout / 10, .milliseconds(200)), connect: connect)
    }
    let notices = NoticeBox()
    db.onNotice = { notices.all.append($0) }
    defer {
      db.onNotice = nil
      for notice in notices.all { notice.warning(for: file).map { onEvent(.warning($0)) } }
    }
    do {
      switch script.mode {
      case .transaction(let begin): try runWhole(file, script, begin: begin, start: start)
      case .statementByStatement: try StepRunner(self, file, script, start: start, onEvent: onEvent).run()
      }
      _ = watch?.finish()
    } catch {
      let blockers = watch?.finish()
      guard db.transactionStatus != .unknown else { throw error }
      if db.transactionStatus != .idle { _ = try? db.run("rollback") }
      throw explained(error, blockers: blockers)
    }
  }

  private func runWhole(
    _ file: MigrationFile, _ script: RunnableScript, begin: String, start: ContinuousClock.Instant
  ) throws {
    try db.run(script: cleanSession + begin)
    try db.run(script.chunks(substitute: platform.substitute), of: file.source, code: "migrate.sql")
    guard db.transactionStatus == .inTransaction else {
      throw Diagnostic(
        "migrate.ended-transaction", "\(file.source.path) ended the transaction it was run in",
        detail: "what it did may be kept, though the ledger has no row for it",
        hint: "look at the database, then run: nomdev migrate repair \(file.version) --status applied")
    }
    try finish(file, script, start: start, before: ownRole, after: ["commit"])
  }

  /// The ledger row and the commit, in one round trip.
  func finish(
    _ file: MigrationFile, _ script: RunnableScript, start: ContinuousClock.Instant, before: [SQL],
    after: [SQL]
  ) throws {
    if isInterrupted() { throw Diagnostic.interrupted }
    let elapsed = Int((ContinuousClock.now - start) / .milliseconds(1))
    let rows = ledger.insertion(
      of: file, statements: script.ledgerTexts, milliseconds: elapsed, withFacts: hasFacts)
    do {
      try db.pipeline(before + rows + after)
    } catch let error as PostgresError where error.completedStatements == (before + rows).count {
      // Deferred constraints and constraint triggers speak up only now.
      var placed = ScriptError(
        error, at: script.statements.last?.location ?? file.source.location(byte: 0), code: "migrate.sql")
      placed.note = "raised at the end of the file, when its transaction was committed"
      throw placed
    }
  }

  /// What a file before this one may have left in the session, put back to what a new session has. `discard
  /// all` would be shorter and would let go of the lock.
  var cleanSession: String {
    var text = """
      close all; set session authorization default; reset all; deallocate all; unlisten *; \
      discard plans; discard temp; discard sequences;
      """
    if let role = migrationRole { text += "set role \(role);" }
    if let timeout = options.lockTimeout { text += "set lock_timeout = \(timeout.wholeMilliseconds);" }
    if let timeout = options.statementTimeout {
      text += "set statement_timeout = \(timeout.wholeMilliseconds);"
    }
    return text
  }

  /// A file may end as another role, which could not write the ledger.
  var ownRole: [SQL] {
    var all: [SQL] = ["set local session authorization default"]
    if let role = migrationRole { all.append("set local role \(identifier: role)") }
    return all
  }

  /// Objects must belong to `postgres`, whose default privileges the platform set up, also where the log-in
  /// is the platform's superuser or one of the short-lived log-ins its tools make.
  private var migrationRole: String? {
    db.user == "supabase_admin" || db.user.hasPrefix("cli_login_") ? "postgres" : nil
  }

  private func explained(_ error: any Error, blockers: String?) -> any Error {
    guard var placed = error as? ScriptError else { return error }
    switch placed.error.state {
    case .lockNotAvailable:
      placed.note = blockers.map { "waited for \($0)" }
      placed.advice = "end that process or wait for it, then run the same command again"
    case .queryCanceled where placed.error.message.contains("user request"):
      placed.note = "interrupted; the file was rolled back"
    default: break
    }
    return placed
  }
}

/// Notices arrive while a statement runs; they are shown when the file has ended.
private final class NoticeBox {
  var all: [PostgresError] = []
}

extension PostgresError {
  /// A server notice worth a warning: its own warnings, and the "already exists, skipping" of a statement
  /// that silently did nothing.
  fileprivate func warning(for file: MigrationFile) -> Diagnostic? {
    // An extension is installed or not; there is nothing else to assert of it that a statement could miss.
    let isSkip =
      severity == "NOTICE" && !message.hasPrefix("extension ")
      && ["42P07", "42P06", "42710", "42701", "42723"].contains(state.rawValue)
    guard isSkip || severity == "WARNING" else { return nil }
    return Diagnostic(
      isSkip ? "migrate.skipped" : "migrate.server-warning", "\(file.fileName): \(message)",
      detail: detail,
      hint: isSkip ? "the statement did nothing; assert the state the object must be in instead" : hint,
      sqlState: state.rawValue, severity: .warning)
  }
}

extension Duration {
  var wholeMilliseconds: Int { max(1, Int(self / .milliseconds(1))) }
}
