import Arguments
import Diagnostics
import JSONValues
import Migrations
import Platform
import Processes
import Seeding
import Targets

extension CommandTable {
  static let seed = Command(
    "seed", abstract: "Load the project's sample data into a local database.",
    discussion: """
      Applies pending migrations, then runs the seed files in name order, all in one transaction: it happens or it \
      doesn't. What checks/seed/ promises of the data is checked before anything is kept. Works on this machine \
      only: a database elsewhere, or behind a tunnel, is refused before anything is sent to it.
      """,
    options: [
      reset, DatabaseOptions.url, DatabaseOptions.trust, DatabaseOptions.directory, seeds,
      DatabaseOptions.grants, Shared.yes,
    ],
    examples: [
      Example("nomdev seed --reset", "Rebuild the project's database: platform, migrations, seeds."),
      Example("nomdev seed", "Bring sample rows back that were changed by hand."),
    ],
    exitNotes: [ExitNote(.failure, "nothing was loaded")]
  ) { arguments, console in
    try console.requireFormat(.text, .json, in: arguments)
    let workspace = try Workspace(arguments, console, required: arguments[DatabaseOptions.directory] == nil)
    return try SeedRun(arguments: arguments, workspace: workspace).run()
  }

  fileprivate static let reset = Flag(
    "reset", help: "Rebuild the database first; everything in it is deleted.")
  fileprivate static let seeds = Option<String>(
    "seeds", value: "dir", completing: .directories, help: "Run the seed files of this folder.")
}

/// One `seed`: reset, migrate, load, check, summarise.
private struct SeedRun {
  let arguments: ParsedArguments
  let workspace: Workspace
  private var console: Console { workspace.console }

  init(arguments: ParsedArguments, workspace: Workspace) {
    self.arguments = arguments
    self.workspace = workspace
  }

  func run() throws -> ExitCode {
    let start = ContinuousClock.now
    let folder = try workspace.migrations(in: arguments[DatabaseOptions.directory])
    let files = try seedFiles()
    guard let target = try target() else {
      try console.print("Nothing was changed.")
      return .failure
    }
    try migrate(folder, target)
    let seeder = try Seeder(target)
    let canceller = seeder.canceller
    let interrupts = Interrupts.onInterrupt { canceller.cancel() }
    let width = files.map(\.name.count).max() ?? 0
    let outcome = try withExtendedLifetime(interrupts) {
      try seeder.seed(
        files, buckets: buckets, checks: try checks(), isInterrupted: { Interrupts.wasInterrupted }
      ) { event in
        switch event {
        case .warning(let warning): console.report([warning])
        case .started(let file): console.begin("  \(file.name)")
        case .loaded(let file, let rows, let duration):
          guard console.format == .text else { return }
          let value = "\(counted(rows, "row")) .. \(Lines.time(duration))"
          _ = try? console.print(Lines.dotted(file.name, value, width: width))
        }
      }
    }
    try report(outcome, target, took: ContinuousClock.now - start)
    return .success
  }

  private func report(_ outcome: Seeder.Outcome, _ target: LoopbackTarget, took: Duration) throws {
    if console.format == .json {
      return try console.print(json: [
        .init("database", .string(target.description)), .init("files", .int(outcome.files)),
        .init("rows", .int(outcome.rows)), .init("checks", .int(outcome.checks)),
        .init(
          "summary",
          .array(
            outcome.summary.map {
              .object([.init("label", .string($0.label)), .init("value", .string($0.value))])
            })),
      ])
    }
    let width = outcome.summary.map(\.label.count).max() ?? 0
    for line in outcome.summary {
      let label = line.label + String(repeating: " ", count: width - line.label.count)
      try console.print("  \(label)  \(line.value)")
    }
    let checked = outcome.checks > 0 ? ", \(counted(outcome.checks, "promise")) kept" : ""
    try console.print(
      "Seeded \(counted(outcome.rows, "row")) from \(counted(outcome.files, "file"))\(checked) in \(Lines.time(took))."
    )
  }

  // MARK: - Parts

  private func seedFiles() throws -> [SourceFile] {
    if let folder = arguments[CommandTable.seeds] {
      guard Files.status(folder)?.kind == .folder else {
        throw Diagnostic("seed.no-folder", "there is no folder \(folder)", hint: "look at --seeds")
      }
      return try Files.names(in: folder).filter { $0.hasSuffix(".sql") }
        .sorted { $0.precedesBytewise($1) }
        .map { try workspace.source("\(folder)/\($0)") }
    }
    console.report(workspace.project.seeds.warnings)
    if !workspace.project.seeds.isEnabled {
      console.note("Seeding is switched off in the project's settings: [db.seed] enabled = false.")
      return []
    }
    return try workspace.project.seeds.files.map { try workspace.source($0) }
  }

  private var buckets: [Bucket] {
    workspace.project.settings.storage.buckets.map {
      Bucket(
        name: $0.name, isPublic: $0.isPublic, fileSizeLimit: $0.fileSizeLimit,
        allowedMIMETypes: $0.allowedMIMETypes)
    }
  }

  private func checks() throws -> SeedChecks {
    func files(_ name: String) throws -> [SourceFile] {
      let path = "\(workspace.project.checks)/seed/\(name).sql"
      return Files.exists(path) ? [try workspace.source(path)] : []
    }
    return SeedChecks(verification: try files("verify"), summary: try files("summary"))
  }

  /// The database to seed, made new where that was asked for; nil when the user said no.
  private func target() throws -> LoopbackTarget? {
    let keeper = workspace.keeper(trusting: arguments[DatabaseOptions.trust])
    let isReset = arguments[CommandTable.reset]
    if let url = arguments[DatabaseOptions.url] {
      let target = try keeper.admit(url)
      guard isReset else { return target }
      guard try confirmDeletion(in: target.description) else { return nil }
      try DatabaseReset(target).run()
      return try keeper.admit(url)
    }
    let grants = arguments[DatabaseOptions.grants]
    if isReset {
      let stack = try workspace.stack(grants: grants)
      if stack.hasData, !(try confirmDeletion(in: "the stack of \(workspace.project.name)")) { return nil }
      let start = ContinuousClock.now
      let status = try stack.reset()
      if console.format == .text {
        try console.print(
          "\(ConnectionString.redacted(status.databaseURL))   new in \(Lines.time(ContinuousClock.now - start))"
        )
      }
      return try keeper.admit(status.socketURL)
    }
    return try keeper.admit(try workspace.runningStack(grants: grants, ifDown: .start).socketURL)
  }

  private func confirmDeletion(in place: String) throws -> Bool {
    try console.confirm("This deletes all data in \(place). Continue?", assumingYes: arguments[Shared.yes])
  }

  private func migrate(_ folder: MigrationFolder, _ target: LoopbackTarget) throws {
    let database = ChosenDatabase(
      description: target.description, connect: { try target.connect() }, isLocal: true, reason: nil,
      isOwn: arguments[DatabaseOptions.url] == nil, owner: nil)
    try MigrationRun(workspace: workspace, database: database).applyAsPart(of: folder)
  }
}
