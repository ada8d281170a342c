import Arguments
import Catalog
import CatalogChanges
import Diagnostics
import JSONValues
import Migrations
import Postgres
import SchemaState

extension CommandTable {
  static let assert = Command(
    "assert", abstract: "Hold a database to the declared state.",
    discussion: """
      Compares what is there with checks/state/ and changes nothing. Each difference is told once, with both \
      values, the migration that last defined it and the statement that would mend it. Migrations that are not \
      applied yet are pending, not drift: the database is then held to what the applied ones make. With \
      --migrations the files themselves are proven to be what the migrations make.
      """,
    options: [
      fromMigrations, DatabaseOptions.url, DatabaseOptions.target, DatabaseOptions.trust,
      DatabaseOptions.directory,
      StateOptions.strict,
    ],
    examples: [
      Example("nomdev assert --migrations", "Prove in CI that checks/state/ is up to date."),
      Example("nomdev assert --target hosted", "Find what was changed by hand on the hosted project."),
    ],
    exitNotes: [ExitNote(.findings, "drift"), ExitNote(.failure, "not everything could be compared")]
  ) { arguments, console in
    try console.requireFormat(.text, .json, .github, .markdown, in: arguments)
    let workspace = try Workspace(arguments, console)
    return try AssertRun(arguments: arguments, workspace: workspace).run()
  }

  fileprivate static let fromMigrations = Flag(
    "migrations", help: "Compare with what the migrations make, not with a database.")
}

private struct AssertRun {
  let arguments: ParsedArguments
  let workspace: Workspace
  private var console: Console { workspace.console }

  init(arguments: ParsedArguments, workspace: Workspace) {
    self.arguments = arguments
    self.workspace = workspace
  }

  func run() throws -> ExitCode {
    let place = "\(workspace.project.checks)/state"
    guard let files = try workspace.stateFiles(place) else {
      throw Diagnostic(
        "assert.no-state", "there is no declared state in \(workspace.shown(place))",
        hint: "write it with: nomdev state --write")
    }
    let folder = try workspace.migrations(in: arguments[DatabaseOptions.directory])
    let declared = try StateReader.read(files)
    if arguments[CommandTable.fromMigrations] {
      let made = try workspace.snapshot(of: .migrations(folder))
      let comparison = Comparison(declared: declared, actual: made)
      return try finish(comparison, "the migrations", made, folder, pending: [], base: nil)
    }
    let database = try workspace.database(arguments, ifStackIsDown: .fail)
    let db = try database.connect()
    let filter = try workspace.platformFilter()
    let pending = try pending(folder, db)
    let expected = pending.isEmpty ? declared : try prefix(folder, without: pending)
    let tables = Set(expected.entries.filter { $0.kind == .row }.compactMap(\.parent))
    let rows = tables.map { RowTable(String($0.dropFirst("table ".count)), isComplete: false) }
    let live = try Snapshot.read(db, .init(rows: .chosen(rows + workspace.lookupTables)))
    guard filter.applies(to: live) else {
      throw Diagnostic(
        "assert.not-the-platform", "\(database.description) is no database of the platform",
        detail: "it has none of the platform's schemas", hint: "compare it with: nomdev diff")
    }
    let actual = filter.project(live, isHosted: !database.isLocal)
    let complete = Set(workspace.lookupTables.map { "table \($0.name)" })
    let comparison = Comparison(declared: expected, actual: actual, openTables: tables.subtracting(complete))
    return try finish(comparison, database.description, actual, folder, pending: pending, base: live)
  }

  private func pending(_ folder: MigrationFolder, _ db: Connection) throws -> [MigrationFile] {
    do {
      let plan = MigrationPlan(folder: folder, rows: try Ledger(db).rows(for: folder))
      return plan.files(.pending, .late)
    } catch SQLState.insufficientPrivilege {
      console.report([
        Diagnostic(
          "assert.no-ledger", "the role \(db.user) may not read which migrations are applied",
          hint: "all are taken as applied", severity: .warning)
      ])
      return []
    }
  }

  /// What the applied migrations alone make.
  private func prefix(_ folder: MigrationFolder, without pending: [MigrationFile]) throws -> Snapshot {
    let applied = folder.files.filter { file in !pending.contains { $0.version == file.version } }
    return try Replay(workspace: workspace, grants: workspace.grants).projectState(
      of: folder.holding(applied))
  }

  private func finish(
    _ comparison: Comparison, _ name: String, _ state: Snapshot, _ folder: MigrationFolder,
    pending: [MigrationFile], base: Snapshot?
  ) throws -> ExitCode {
    let finder = OriginFinder(comparison.isEqual ? [] : folder.files.map(\.source))
    let report = DriftReport(
      comparison, sides: .init(declared: "declared", actual: "actual"),
      plan: ChangePlan(comparison, .init(base: base))
    ) { entry, comparison in
      let state = comparison.declared[entry.path] == nil ? comparison.actual : comparison.declared
      return finder.origin(of: entry, in: state)?.location
    }
    switch console.format {
    case .json:
      try console.print(
        json: report.json + [.init("pending", .array(pending.map { .string($0.source.path) }))])
    case .github: try console.write(report.diagnostics.gitHubAnnotations())
    case .markdown: try console.write(report.markdown)
    default:
      for line in report.lines { try console.print(line) }
      for file in pending { try console.print("pending: \(file.source.path)") }
      let count = counted(comparison.declared.entries.count, "entry", "entries")
      let verdict =
        report.items.isEmpty ? "No drift: \(name) is as declared, \(count)." : "\(report.summary)."
      // What could not be seen is told below; nothing is called in order then.
      try console.print(
        report.items.isEmpty && !state.unseen.isEmpty ? "Not everything could be compared." : verdict)
    }
    let code = try StateOptions.verdict(state, arguments, console)
    if code == .failure { return .failure }
    return report.items.isEmpty ? code : .findings
  }
}
