import Arguments
import Diagnostics
import JSONValues
import Migrations
import Processes

extension CommandTable {
  static let migrate = Command(
    "migrate", abstract: "Apply pending migrations, oldest first.",
    discussion: """
      Each file runs in one transaction together with its ledger row: it is applied whole or not at all. A file \
      with a statement that can't run in a transaction runs statement by statement, and a run that was stopped \
      goes on where it was. Several runs at once wait for each other.
      """,
    options: migrateOptions,
    examples: [
      Example("nomdev migrate", "Apply what is pending to the project's stack."),
      Example("nomdev migrate --ephemeral", "Prove that the whole chain applies from nothing."),
      Example("nomdev migrate --db-url \"$DB_URL\" --dry-run", "Show what a hosted database would get."),
    ],
    exitNotes: [
      ExitNote(.failure, "a file was refused or the run could not start; files before it stay applied")
    ],
    subcommands: [
      migrateUp, migrateStatus, migrateNew, migrateVerify, migrateRepair, migrateFetch, migrateLint,
    ],
    run: runMigrate)

  private static let migrateUp = Command(
    "up", abstract: "Apply pending migrations: the same as migrate alone.",
    options: migrateOptions, run: runMigrate)

  static let migrateOptions: [any OptionKey] =
    [DatabaseOptions.ephemeral, MigrateOptions.includeOlder, MigrateOptions.allowMissing]
    + MigrateOptions.common
    + [
      MigrateOptions.dryRun, MigrateOptions.target, MigrateOptions.lockTimeout,
      MigrateOptions.statementTimeout, DatabaseOptions.grants, Shared.yes,
    ]

  private static func runMigrate(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    try console.requireFormat(.text, .json, .github, in: arguments)
    let workspace = try Workspace(arguments, console, required: arguments[DatabaseOptions.directory] == nil)
    let folder = try workspace.migrations(in: arguments[DatabaseOptions.directory])
    // Starting the stack makes its data: a dry run leaves nothing behind at all.
    let database = try workspace.database(
      arguments, ifStackIsDown: arguments[MigrateOptions.dryRun] ? .fail : .start)
    var options = Migrator.Options()
    options.target = arguments[MigrateOptions.target]
    options.includeOlder = arguments[MigrateOptions.includeOlder]
    options.allowMissing = arguments[MigrateOptions.allowMissing]
    options.lockTimeout = arguments[MigrateOptions.lockTimeout]
    options.statementTimeout = arguments[MigrateOptions.statementTimeout]
    let run = MigrationRun(workspace: workspace, database: database, options: options)
    return try withExtendedLifetime(database) {
      // What would run after the ledger was rewritten can't be told before.
      if try foldLedger(folder, database, arguments, console) { return .success }
      if arguments[MigrateOptions.dryRun] { return try run.show(folder) }
      return try run.apply(folder, confirmed: arguments[Shared.yes])
    }
  }
}

extension CommandTable {
  /// A database that has the files a baseline folds gets the baseline's ledger row in their place.
  ///
  /// - Returns: Whether this is a dry run that ends here.
  private static func foldLedger(
    _ folder: MigrationFolder, _ database: ChosenDatabase, _ arguments: ParsedArguments, _ console: Console
  ) throws -> Bool {
    guard folder.files.contains(where: { !LedgerFold.versions(of: $0).isEmpty }) else { return false }
    let db = try database.connect()
    guard let fold = try LedgerFold(folder: folder, rows: try Ledger(db).rows(for: folder)) else {
      return false
    }
    let what =
      "\(counted(fold.versions.count, "ledger row")) of \(database.description) by that of \(fold.baseline.fileName)"
    if arguments[MigrateOptions.dryRun] {
      console.note("Would replace \(what); no SQL of it is run.")
      return true
    }
    if !database.isLocal, !(try console.confirm("Replace \(what)?", assumingYes: arguments[Shared.yes])) {
      return false
    }
    try fold.apply(on: db, lockTimeout: arguments[MigrateOptions.lockTimeout])
    console.note("Replaced \(what); no SQL of it was run.")
    return false
  }
}

/// The options of `migrate` and its subcommands.
enum MigrateOptions {
  static let dryRun = Flag("dry-run", help: "Show what would run, then stop.")
  static let target = Option<String>("to", value: "version", help: "Stop after this version.")
  static let includeOlder = Flag(
    "include-older", help: "Apply files that are older than the newest applied one.")
  static let allowMissing = Flag(
    "allow-missing", help: "Go on though the database has migrations this folder lacks.")
  static let lockTimeout = Option<Duration>(
    "lock-timeout", value: "time", help: "Wait no longer for a lock than this, such as 5s.")
  static let statementTimeout = Option<Duration>(
    "statement-timeout", value: "time", help: "Let no statement run longer than this.")
  static let check = Flag("check", help: "Exit with 1 when the database is not up to date.")
  static let status = RequiredOption<LedgerRepair.Status>(
    "status", value: "status", help: "Mark the version as this.")

  /// What says which folder and which database.
  static let common: [any OptionKey] = [
    DatabaseOptions.directory, DatabaseOptions.url, DatabaseOptions.target, DatabaseOptions.trust,
  ]
}

extension LedgerRepair.Status: ArgumentValue {}
