import Diagnostics
import Postgres
import Scripts

/// Applies a folder's pending migrations to one database.
package struct Migrator {
  package struct Options: Sendable {
    /// The last version to apply; nil applies all.
    package var target: String?
    package var includeOlder = false
    package var allowMissing = false
    /// How long a statement, or this run, waits for a lock; nil waits as the server is configured.
    package var lockTimeout: Duration?
    package var statementTimeout: Duration?

    package init() {}
  }

  /// What happens while a run goes on, for whoever shows it.
  package enum Event {
    case waiting(holder: String)
    case warning(Diagnostic)
    case started(MigrationFile)
    case applied(MigrationFile, Duration)
    case refused(MigrationFile)
  }

  /// What a run did: the files it applied, in order, and where the database stands.
  package struct Outcome: Sendable {
    package let applied: [MigrationFile]
    package let newest: MigrationFile?
    package let alreadyApplied: Int
  }

  let db: Connection
  let connect: @Sendable () throws -> Connection
  let options: Options

  /// - Parameter connect: Opens another session to the same database, to look from beside.
  package init(connect: @escaping @Sendable () throws -> Connection, options: Options = Options()) throws {
    self.connect = connect
    self.options = options
    db = try connect()
  }

  package var canceller: Canceller { db.canceller() }

  /// Applies the pending files, oldest first, each in its own transaction together with its ledger row.
  ///
  /// A refused file is rolled back whole and ends the run; files applied before it stay applied. Running
  /// twice is safe: the second run finds nothing pending. Several runs at once wait for each other.
  ///
  /// - Parameters:
  ///   - roles: Runs before the first file of a new database, once.
  ///   - isInterrupted: Asked between statements and before a file is kept; a statement under way is ended by
  ///     ``canceller``.
  /// - Throws: Before any change: ``DiagnosticList`` where the folder and the ledger disagree or a file can't
  ///   be run safely, ``Diagnostic`` `migrate.locked`, `migrate.transaction-pooler`. At a refused file:
  ///   `ScriptError`, its outcome so far having been reported by events.
  package func apply(
    _ folder: MigrationFolder, roles: RolesFile? = nil, isInterrupted: @escaping () -> Bool = { false },
    onEvent: @escaping (Event) -> Void = { _ in }
  ) throws -> Outcome {
    let ledger = Ledger(db)
    var plan = MigrationPlan(folder: folder, rows: try ledger.rows(for: folder))
    if try files(of: plan).isEmpty, try !needs(roles, plan) { return outcome(plan, applied: []) }

    try Pooler.refuseTransactionMode(db, second: connect)
    let lock = SessionLock(db: db)
    try lock.take(timeout: options.lockTimeout, isInterrupted: isInterrupted) {
      onEvent(.waiting(holder: $0))
    }
    plan = MigrationPlan(folder: folder, rows: try ledger.rows(for: folder))
    let files = try files(of: plan)
    let needsRoles = try needs(roles, plan)
    if files.isEmpty, !needsRoles { return outcome(plan, applied: []) }
    let scripts = try Self.judge(files, serverVersion: db.serverVersion) { onEvent(.warning($0)) }

    let hasFacts = try ledger.prepare()
    if let roles, needsRoles { try roles.run(on: try connect(), withFacts: hasFacts) }
    let platform = try PlatformStatements(db, for: scripts)
    let runner = FileRunner(
      db: db, connect: connect, ledger: ledger, options: options, hasFacts: hasFacts, platform: platform,
      isInterrupted: isInterrupted)
    for (file, written) in zip(files, scripts) {
      let script = platform.adapted(written) { onEvent(.warning($0)) }
      if isInterrupted() { throw Diagnostic.interrupted }
      onEvent(.started(file))
      let clock = ContinuousClock()
      do {
        let elapsed = try clock.measure { try runner.run(file, script, onEvent: onEvent) }
        onEvent(.applied(file, elapsed))
      } catch {
        onEvent(.refused(file))
        throw error
      }
      if script.mayReleaseLock { try lock.keep() }
    }
    return outcome(plan, applied: files)
  }

  private func files(of plan: MigrationPlan) throws -> [MigrationFile] {
    try plan.filesToApply(
      upTo: options.target, includeOlder: options.includeOlder, allowMissing: options.allowMissing)
  }

  /// Whether the roles are still to be made: nothing was applied yet, and they were not made before.
  private func needs(_ roles: RolesFile?, _ plan: MigrationPlan) throws -> Bool {
    guard roles != nil, plan.missing.isEmpty, plan.items.allSatisfy({ $0.row == nil }) else { return false }
    return try !Ledger(db).hasRoles()
  }

  private func outcome(_ plan: MigrationPlan, applied: [MigrationFile]) -> Outcome {
    let before = plan.files(.applied, .unverified, .edited)
    let newest = ((plan.newestApplied.map { [$0] } ?? []) + applied).max {
      $0.fileName.precedesBytewise($1.fileName)
    }
    return Outcome(applied: applied, newest: newest, alreadyApplied: before.count)
  }

  /// Looks at every pending file before the first one runs, and reports all that is wrong at once.
  ///
  /// - Parameter serverVersion: libpq's number, 150018 for 15.18.
  @discardableResult
  package static func judge(
    _ files: [MigrationFile], serverVersion: Int, onWarning: (Diagnostic) -> Void
  ) throws -> [RunnableScript] {
    var scripts: [RunnableScript] = []
    var problems: [Diagnostic] = []
    for file in files {
      do {
        let script = try RunnableScript(file.source, serverVersion: serverVersion, code: "migrate")
        for warning in script.warnings { onWarning(warning) }
        if script.statements.isEmpty { onWarning(.empty(file)) }
        scripts.append(script)
      } catch let error as DiagnosticList {
        problems += error.diagnostics
      }
    }
    guard problems.isEmpty else { throw DiagnosticList(problems) }
    return scripts
  }
}

extension RunnableScript {
  /// Whether a statement in it could let go of the session's advisory locks.
  fileprivate var mayReleaseLock: Bool {
    let text = file.text.lowercased()
    return text.contains("advisory_unlock") || text.contains("discard")
  }
}

extension Diagnostic {
  static let interrupted = Diagnostic(
    "migrate.interrupted", "interrupted; nothing of the file under way was kept",
    hint: "run the same command again to go on")

  fileprivate static func empty(_ file: MigrationFile) -> Diagnostic {
    Diagnostic(
      "migrate.empty", "\(file.source.path) holds no statement and is recorded as applied",
      severity: .warning)
  }
}
