import Arguments
import Diagnostics
import JSONValues
import Migrations
import Processes

/// One run of the migrator against a chosen database, told to the console as it goes.
struct MigrationRun {
  let workspace: Workspace
  let database: ChosenDatabase
  let options: Migrator.Options
  private var console: Console { workspace.console }

  init(workspace: Workspace, database: ChosenDatabase, options: Migrator.Options = .init()) {
    self.workspace = workspace
    self.database = database
    self.options = options
  }

  /// Prints what would run. Changes nothing, not even the ledger's own tables.
  func show(_ folder: MigrationFolder) throws -> ExitCode {
    let files = try pending(folder)
    try Migrator.judge(files, serverVersion: try database.connect().serverVersion) { console.report([$0]) }
    if console.format == .json {
      try console.print(json: [
        .init("database", .string(database.description)),
        .init("pending", .array(files.map { .string($0.source.path) })),
      ])
      return .success
    }
    try console.print("\(database.description)   \(counted(files.count, "migration")) pending")
    for file in files { try console.print("  \(file.fileName)") }
    try console.print(files.isEmpty ? "Nothing would run." : "Nothing was run.")
    return .success
  }

  /// Applies what is pending and prints the result.
  ///
  /// - Parameter confirmed: The user said yes beforehand to writing to a database that is not local.
  func apply(_ folder: MigrationFolder, confirmed: Bool) throws -> ExitCode {
    if !database.isLocal, !(try confirm(folder, confirmed: confirmed)) {
      try console.print("Nothing was run.")
      return .failure
    }
    let start = ContinuousClock.now
    let migrator = try Migrator(connect: database.connect, options: options)
    let canceller = migrator.canceller
    let interrupts = Interrupts.onInterrupt { canceller.cancel() }
    let width = folder.files.map(\.fileName.count).max() ?? 0
    var times: [(file: MigrationFile, duration: Duration)] = []
    var isFirst = true
    var refused: MigrationFile?
    // A failed run tells what it did as well: those files stay applied.
    defer {
      if let refused, console.format == .json { try? console.print(json: json(times, refused: refused)) }
    }
    let outcome = try withExtendedLifetime(interrupts) {
      try migrator.apply(folder, roles: try roles(), isInterrupted: { Interrupts.wasInterrupted }) { event in
        switch event {
        case .waiting(let holder): console.note("Another run is migrating this database; waiting. \(holder)")
        case .warning(let warning): console.report([warning])
        case .started(let file):
          if isFirst, console.format != .json { _ = try? console.print(database.description) }
          isFirst = false
          console.begin("  \(file.fileName)")
        case .applied(let file, let duration):
          times.append((file, duration))
          if console.format != .json {
            _ = try? console.print(Lines.dotted(file.fileName, Lines.time(duration), width: width))
          }
        case .refused(let file):
          refused = file
          if console.format != .json {
            _ = try? console.print(
              "  \(file.fileName)  refused\(times.isEmpty ? "" : "; files above stay applied")")
          }
        }
      }
    }
    try report(outcome, times, took: ContinuousClock.now - start)
    return .success
  }

  /// Applies what is pending and says nothing but warnings the server gave.
  func applyQuietly(_ folder: MigrationFolder) throws {
    let migrator = try Migrator(connect: database.connect, options: options)
    let canceller = migrator.canceller
    let interrupts = Interrupts.onInterrupt { canceller.cancel() }
    try withExtendedLifetime(interrupts) {
      _ = try migrator.apply(folder, roles: try roles(), isInterrupted: { Interrupts.wasInterrupted })
    }
  }

  /// Applies what is pending as one part of a larger job, which prints its own result.
  func applyAsPart(of folder: MigrationFolder) throws {
    let migrator = try Migrator(connect: database.connect, options: options)
    let canceller = migrator.canceller
    let interrupts = Interrupts.onInterrupt { canceller.cancel() }
    let outcome = try withExtendedLifetime(interrupts) {
      try migrator.apply(folder, roles: try roles(), isInterrupted: { Interrupts.wasInterrupted }) { event in
        switch event {
        case .waiting(let holder): console.note("Another run is migrating this database; waiting. \(holder)")
        case .warning(let warning): console.report([warning])
        case .started(let file): console.begin("  \(file.fileName)")
        case .applied, .refused: break
        }
      }
    }
    guard console.format == .text else { return }
    let count = outcome.applied.count
    try console.print(count == 0 ? "  migrations up to date" : "  \(counted(count, "migration")) applied")
  }

  private func report(
    _ outcome: Migrator.Outcome, _ times: [(file: MigrationFile, duration: Duration)], took: Duration
  ) throws {
    if console.format == .json {
      return try console.print(
        json: json(times) + [.init("newest", outcome.newest.map { .string($0.version) } ?? .null)])
    }
    if outcome.applied.isEmpty {
      let newest = outcome.newest.map { ", newest \($0.fileName)" } ?? ""
      try console.print("Up to date: \(counted(outcome.alreadyApplied, "migration")) applied\(newest).")
    } else {
      try console.print("Applied \(counted(outcome.applied.count, "migration")) in \(Lines.time(took)).")
    }
  }

  private func json(
    _ times: [(file: MigrationFile, duration: Duration)], refused: MigrationFile? = nil
  ) -> [JSON.Member] {
    let applied = times.map { file, duration in
      JSON.object([
        .init("version", .string(file.version)), .init("file", .string(file.source.path)),
        .init("milliseconds", .int(Int(duration / .milliseconds(1)))),
      ])
    }
    return [
      .init("database", .string(database.description)), .init("applied", .array(applied)),
      .init("refused", refused.map { .string($0.source.path) } ?? .null),
    ]
  }

  // MARK: - Before the run

  private func pending(_ folder: MigrationFolder) throws -> [MigrationFile] {
    try MigrationPlan(folder: folder, rows: try Ledger(try database.connect()).rows(for: folder))
      .filesToApply(
        upTo: options.target, includeOlder: options.includeOlder, allowMissing: options.allowMissing)
  }

  /// Shows a database that is not this machine's, and what it would get, and asks.
  private func confirm(_ folder: MigrationFolder, confirmed: Bool) throws -> Bool {
    let files = try pending(folder)
    if files.isEmpty { return true }
    console.note("\(database.description) is not a local database: \(database.reason ?? "it is elsewhere")")
    for file in files { console.note("  \(file.fileName)") }
    return try console.confirm(
      "Apply \(counted(files.count, "migration")) to \(database.description)?", assumingYes: confirmed)
  }

  /// A project of the Supabase CLI may keep roles in a file of their own, for its own new databases.
  private func roles() throws -> RolesFile? {
    guard database.isOwn, let path = workspace.project.roles else { return nil }
    return RolesFile(source: try workspace.source(path))
  }
}
