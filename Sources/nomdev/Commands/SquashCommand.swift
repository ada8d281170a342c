import Arguments
import Catalog
import CatalogChanges
import Diagnostics
import JSONValues
import Migrations
import Platform
import Processes
import SchemaState
import Squash
import Stack

extension CommandTable {
  static let squash = Command(
    "squash", abstract: "Fold migrations into one baseline, proven equal.",
    discussion: """
      Replays the files and what would replace them on throw-away databases, under both grant profiles, and \
      compares everything, rows included. Only when nothing differs is a file touched: the baseline takes the \
      version of the last file folded, and the old files move to the archive folder beside. A database that had \
      them applied is recognised by migrate, which replaces their ledger rows by the baseline's.
      """,
    options: [to, out, MigrateOptions.dryRun, delete, DatabaseOptions.directory],
    examples: [
      Example("nomdev squash --dry-run", "Prove and show the baseline, touching nothing."),
      Example("nomdev squash --to 20261001000000", "Fold what is older, keep the rest."),
    ],
    exitNotes: [
      ExitNote(.findings, "not proven equal, or something must be accepted first; nothing was written"),
      ExitNote(.failure, "a file of the chain or the baseline was refused; nothing was written"),
    ]
  ) { arguments, console in
    try console.requireFormat(.text, .json, in: arguments)
    let workspace = try Workspace(arguments, console, required: arguments[DatabaseOptions.directory] == nil)
    return try SquashRun(arguments: arguments, workspace: workspace).run()
  }

  fileprivate static let to = Option<String>(
    "to", value: "version", help: "Fold up to this version; all without it.")
  fileprivate static let out = Option<String>(
    "out", value: "path", completing: .files, help: "Write the baseline here and leave the folder as it is.")
  fileprivate static let delete = Flag("delete", help: "Remove the old files instead of archiving them.")
}

private struct SquashRun {
  let arguments: ParsedArguments
  let workspace: Workspace
  private var console: Console { workspace.console }
  private let path: String

  init(arguments: ParsedArguments, workspace: Workspace) {
    self.arguments = arguments
    self.workspace = workspace
    path = arguments[DatabaseOptions.directory] ?? workspace.project.migrations
  }

  func run() throws -> ExitCode {
    let replacement = FileReplacement(folder: Files.real(path) ?? path)
    guard let lock = try replacement.lock() else {
      throw Diagnostic(
        "squash.locked", "another squash of \(workspace.shown(path)) is running", hint: "wait for it to end")
    }
    defer { withExtendedLifetime(lock) {} }
    if try replacement.finishInterrupted() {
      console.note("Finished the squash that was interrupted before.")
    }
    let folder = try workspace.migrations(in: arguments[DatabaseOptions.directory])
    let files = try folded(folder)
    guard files.count > 1 || files.first.map({ LedgerFold.versions(of: $0).isEmpty }) == true,
      let last = files.last
    else {
      try console.print("Nothing to fold.")
      return .success
    }
    let start = ContinuousClock.now
    let profiles = GrantProfile.allCases
    console.begin("  replaying \(counted(files.count, "file"))")
    let runs = try profiles.map { try replay(folder.holding(files), $0) }
    let problems = try unaccepted(runs, files)
    guard problems.isEmpty else {
      console.report(problems.map(\.diagnostic))
      try console.print("Nothing was written.")
      return .findings
    }
    let baseline = Baseline(
      runs, versions: files.map(\.version),
      earlier: files.flatMap { LedgerFold.versions(of: $0) + LedgerFold.earlierVersions(of: $0) },
      origins: OriginFinder(files.map(\.source)))
    let file = MigrationFile(
      version: last.version, name: "baseline",
      source: SourceFile(path: "\(last.version)_baseline.sql", text: baseline.text))
    console.begin("  proving \(file.fileName)")
    for (profile, run) in zip(profiles, runs) where !(try isProven(folder.holding([file]), run, profile)) {
      return .findings
    }
    return try write(file, files, replacement, took: ContinuousClock.now - start)
  }

  private func folded(_ folder: MigrationFolder) throws -> [MigrationFile] {
    guard let version = arguments[CommandTable.to] else { return folder.files }
    guard let index = folder.files.firstIndex(where: { $0.version == version }) else {
      throw Diagnostic("squash.unknown-version", "no migration has version \(version)", hint: "look at --to")
    }
    return Array(folder.files[...index])
  }

  // MARK: - Replaying and proving

  private func replay(_ folder: MigrationFolder, _ profile: GrantProfile) throws -> Baseline.Run {
    let stack = try EphemeralStack(grants: profile)
    let database = ChosenDatabase(
      description: "a throw-away database", connect: { try stack.connect() }, isLocal: true, reason: nil,
      isOwn: true,
      owner: stack)
    try MigrationRun(workspace: workspace, database: database).applyQuietly(folder)
    let db = try stack.connect(as: "supabase_admin")
    let full = try Snapshot.read(db, .init(needs: true, rows: .all))
    guard full.unseen.isEmpty else { throw StateOptions.diagnostics(full, isStrict: false)[0] }
    let pristine = try PristinePlatform(grants: profile).snapshot()
    let state = PlatformFilter(pristine: pristine).project(full)
    let known = Set(state.entries.filter { [.sequence, .identitySequence].contains($0.kind) }.map(\.name))
    var sequences: [String: String] = [:]
    for row in try db.rows(
      """
      select format('%I.%I', schemaname, sequencename), last_value from pg_catalog.pg_sequences
      where last_value is not null
      """)
    {
      if let name = row[0], let value = row[1], known.contains(name) { sequences[name] = value }
    }
    return Baseline.Run(state: state, pristine: pristine, sequences: sequences)
  }

  private func isProven(_ folder: MigrationFolder, _ run: Baseline.Run, _ profile: GrantProfile) throws
    -> Bool
  {
    let again: Baseline.Run
    do {
      again = try replay(folder, profile)
    } catch let error as any Diagnosable {
      console.report(error.diagnostics)
      throw Diagnostic(
        "squash.not-applicable", "the baseline does not apply; nothing was written",
        hint: "fold fewer files with --to, or report the statement above")
    }
    let comparison = Comparison(declared: run.state, actual: again.state)
    let moved = run.sequences.filter { again.sequences[$0.key] != $0.value }.keys.sorted()
    if comparison.isEqual, moved.isEmpty { return true }
    let report = DriftReport(comparison, sides: .init(declared: "chain", actual: "baseline"))
    for line in report.lines { try console.print(line) }
    for name in moved { try console.print("different[state.different]: the value of sequence \(name)") }
    try console.print("Not equal under the grant profile \(profile.rawValue); nothing was written.")
    return false
  }

  private func unaccepted(_ runs: [Baseline.Run], _ files: [MigrationFile]) throws -> [Uncapturable] {
    let acceptances = "\(workspace.project.checks)/squash.accept"
    let accepted = Uncapturable.accepted(Files.exists(acceptances) ? try workspace.source(acceptances) : nil)
    return Uncapturable.all(runs[0].state, runs[runs.count - 1].state, files: files.map(\.source))
      .filter { !accepted.contains($0.name) }
  }

  // MARK: - Writing

  private func write(
    _ file: MigrationFile, _ old: [MigrationFile], _ replacement: FileReplacement, took: Duration
  ) throws -> ExitCode {
    let verdict =
      "\(counted(old.count, "file")) folded, proven equal under both grant profiles in \(Lines.time(took))"
    if arguments[MigrateOptions.dryRun] {
      if console.format == .json { return try printJSON(file, old, written: nil) }
      try console.write(file.source.text)
      console.note("\(verdict); nothing was written.")
      return .success
    }
    var place = arguments[CommandTable.out]
    if let path = place {
      if Files.status(path)?.kind == .folder { place = "\(path)/\(file.fileName)" }
      try Files.write(file.source.text, to: place ?? path, mode: 0o644)
    } else {
      try replacement.run(
        file.fileName, file.source.text, old: old.map(\.fileName), isDeleting: arguments[CommandTable.delete])
      place = "\(path)/\(file.fileName)"
    }
    if console.format == .json { return try printJSON(file, old, written: place) }
    try console.print("Wrote \(workspace.shown(place ?? path)): \(verdict).")
    if arguments[CommandTable.out] == nil, !arguments[CommandTable.delete] {
      try console.print("The old files are in \(workspace.shown(replacement.archive)).")
    }
    return .success
  }

  private func printJSON(_ file: MigrationFile, _ old: [MigrationFile], written: String?) throws -> ExitCode {
    try console.print(json: [
      .init("baseline", .string(file.fileName)), .init("written", written.map { .string($0) } ?? .null),
      .init("folded", .array(old.map { .string($0.fileName) })), .init("proven", true),
      .init("sql", .string(file.source.text)),
    ])
    return .success
  }
}
