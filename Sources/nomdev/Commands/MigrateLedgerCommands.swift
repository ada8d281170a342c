import Arguments
import Diagnostics
import JSONValues
import Migrations
import Processes

extension CommandTable {
  static let migrateStatus = Command(
    "status", abstract: "Show what is applied, pending, edited, late or missing.",
    discussion: "Reads the ledger and changes nothing.",
    options: MigrateOptions.common + [MigrateOptions.check],
    examples: [Example("nomdev migrate status --check", "Fail in CI when something is pending.")],
    exitNotes: [ExitNote(.findings, "with --check: the database is not up to date")]
  ) { arguments, console in
    try console.requireFormat(.text, .json, in: arguments)
    let (database, _, plan) = try comparison(arguments, console)
    if console.format == .json {
      try console.print(json: MigrationListing(plan).json(database: database.description))
    } else {
      try console.print(database.description)
      for line in MigrationListing(plan).lines { try console.print(line) }
    }
    return arguments[MigrateOptions.check] && !plan.isUpToDate ? .findings : .success
  }

  static let migrateVerify = Command(
    "verify", abstract: "Check that every applied file still is what was applied.",
    discussion: "Compares checksums, or the statements another tool recorded. Changes nothing.",
    options: MigrateOptions.common,
    exitNotes: [ExitNote(.findings, "a file was edited, is missing, or has nothing to be compared with")]
  ) { arguments, console in
    try console.requireFormat(.text, .json, in: arguments)
    let (database, _, plan) = try comparison(arguments, console)
    let doubtful = MigrationListing(plan, only: [.edited, .unverified])
    let verified = plan.files(.applied).count
    if console.format == .json {
      try console.print(
        json: doubtful.json(database: database.description) + [.init("verified", .int(verified))])
    } else {
      for line in doubtful.entries { try console.print(line) }
      try console.print(
        "\(counted(verified, "applied migration")) verified, \(doubtful.count) not, in \(database.description)."
      )
    }
    return doubtful.count == 0 ? .success : .findings
  }

  static let migrateNew = Command(
    "new", abstract: "Make an empty migration file with the next version.",
    options: [DatabaseOptions.directory], arguments: [newName],
    examples: [Example("nomdev migrate new add_invites", "Make migrations/<UTC time>_add_invites.sql.")]
  ) { arguments, console in
    try console.requireFormat(.text, in: arguments)
    let workspace = try Workspace(arguments, console, required: false)
    let path = arguments[DatabaseOptions.directory] ?? workspace.project.migrations
    try Files.makeFolder(path, mode: 0o755)
    let file = try NewMigration(name: arguments[newName], after: try workspace.migrations(in: path).files)
    let target = "\(path)/\(file.fileName)"
    guard !Files.exists(target) else {
      throw Diagnostic("migrate.exists", "\(workspace.shown(target)) is there already")
    }
    try Files.write(file.text, to: target, mode: 0o644)
    try console.print(workspace.shown(target))
    return .success
  }

  private static let newName = Argument<String>("name", help: "What it does, such as add_invites.")

  static let migrateRepair = Command(
    "repair", abstract: "Mark a version as applied or reverted without running it.",
    discussion: """
      For a database that already is as a migration leaves it, or no longer is. Prints the database and the \
      change before it acts.
      """,
    options: MigrateOptions.common
      + [MigrateOptions.status, MigrateOptions.lockTimeout, Shared.yes], arguments: [repairVersion],
    examples: [
      Example("nomdev migrate repair 20260101000000 --status applied", "Take the file as it is for applied.")
    ]
  ) { arguments, console in
    try console.requireFormat(.text, in: arguments)
    let (database, folder, _) = try comparison(arguments, console)
    let db = try database.connect()
    let repair = try LedgerRepair(
      version: arguments[repairVersion], status: arguments[MigrateOptions.status], folder: folder,
      rows: try Ledger(db).rows())
    try console.print(database.description)
    try console.print("  \(repair.summary)")
    if repair.isDone { return .success }
    if !database.isLocal,
      !(try console.confirm(
        "Change the ledger of \(database.description)?", assumingYes: arguments[Shared.yes]))
    {
      try console.print("Nothing was changed.")
      return .failure
    }
    try repair.apply(on: db, lockTimeout: arguments[MigrateOptions.lockTimeout])
    try console.print("Marked \(repair.version) as \(repair.status.rawValue).")
    return .success
  }

  private static let repairVersion = Argument<String>("version", help: "The digits before the file's name.")

  static let migrateFetch = Command(
    "fetch", abstract: "Write the files a database has and the folder lacks.",
    discussion: "The files are put together from the ledger's statements. Changes nothing in the database.",
    options: MigrateOptions.common,
    exitNotes: [ExitNote(.findings, "the ledger holds no statements for some of them")]
  ) { arguments, console in
    try console.requireFormat(.text, in: arguments)
    let (database, folder, plan) = try comparison(arguments, console, withStatements: true)
    var isComplete = true
    for row in plan.missing {
      guard let file = row.file else {
        console.report([
          Diagnostic(
            "migrate.no-statements", "\(row.version) can't be fetched: its ledger row holds no statements",
            hint: "get the file from whoever applied it", severity: .warning)
        ])
        isComplete = false
        continue
      }
      let path = "\(folder.path)/\(file.name)"
      guard !Files.exists(path) else { throw Diagnostic("migrate.exists", "\(path) is there already") }
      try Files.write(file.text, to: path, mode: 0o644)
      try console.print(path)
    }
    if plan.missing.isEmpty {
      try console.print("The folder has every migration of \(database.description).")
    }
    return isComplete ? .success : .findings
  }

  /// What most subcommands begin with: the folder, the database, and how they compare.
  private static func comparison(
    _ arguments: ParsedArguments, _ console: Console, withStatements: Bool = false
  ) throws -> (ChosenDatabase, MigrationFolder, MigrationPlan) {
    let workspace = try Workspace(arguments, console, required: arguments[DatabaseOptions.directory] == nil)
    let folder = try workspace.migrations(in: arguments[DatabaseOptions.directory])
    let database = try workspace.database(arguments, ifStackIsDown: .fail)
    let rows = try Ledger(try database.connect()).rows(for: folder, withStatements: withStatements)
    return (database, folder, MigrationPlan(folder: folder, rows: rows))
  }
}
