import Arguments
import Catalog
import CatalogChanges
import Cluster
import Diagnostics
import Migrations
import Platform
import Postgres
import Processes
import SchemaState
import Stack
import Targets

/// What a state can be read from.
enum StateSource {
  case database(ChosenDatabase)
  case migrations(MigrationFolder)
  case files([SourceFile])

  /// What it is called in reports.
  var description: String {
    switch self {
    case .database(let database): database.description
    case .migrations(let folder): folder.path
    case .files(let files): files.first.flatMap { Files.parent(of: $0.path) } ?? "state files"
    }
  }
}

extension Workspace {
  /// A side of `diff`, by what the user typed: a target's name, a connection string, a folder of migrations, a
  /// folder or file of state.
  func stateSource(_ text: String, trusting identifiers: [String]) throws -> StateSource {
    if let files = try stateFiles(text) { return .files(files) }
    if Files.status(text)?.kind == .folder { return .migrations(try migrations(in: text)) }
    if text == "migrations" { return .migrations(try migrations(in: nil)) }
    if text == "state", let files = try stateFiles("\(project.checks)/state") { return .files(files) }
    let keeper = keeper(trusting: identifiers)
    if let target = project.targets.first(where: { $0.name == text }), target.kind != .embedded {
      return .database(ChosenDatabase(try DatabaseTarget.named(target, guardedBy: keeper)))
    }
    guard text.contains("://") || text.contains("=") else {
      throw Diagnostic(
        "diff.unknown-side", "there is nothing to compare at \(text)",
        hint:
          "name a folder of migrations, a folder of state files, a target of nomdev.toml or a connection string"
      )
    }
    return .database(ChosenDatabase(try DatabaseTarget.named(text, guardedBy: keeper)))
  }

  /// The files of a folder of state, or one file; nil where there is none.
  func stateFiles(_ path: String) throws -> [SourceFile]? {
    if path.hasSuffix(".state"), Files.status(path)?.kind == .file { return [try source(path)] }
    guard Files.status(path)?.kind == .folder else { return nil }
    let names = Files.names(in: path).filter { $0.hasSuffix(".state") }.sorted { $0.precedesBytewise($1) }
    return names.isEmpty ? nil : try names.map { try source("\(path)/\($0)") }
  }

  /// The whole state of a side, or the project's part of it where the side is a platform database.
  ///
  /// - Parameter rows: Tables whose rows to read from a live database.
  func snapshot(
    of source: StateSource, rows: [RowTable] = [], needs: Bool = false, without filter: PlatformFilter? = nil
  ) throws -> Snapshot {
    switch source {
    case .files(let files): return try StateReader.read(files)
    case .migrations(let folder):
      return try Replay(workspace: self, grants: grants).projectState(of: folder, needs: needs)
    case .database(let database):
      let live = try Snapshot.read(
        try database.connect(), .init(needs: needs, rows: .chosen(rows + lookupTables)))
      return try (filter ?? platformFilter()).project(live, isHosted: !database.isLocal)
    }
  }

  /// The tables the project file names.
  var lookupTables: [RowTable] { project.stateRows.map { RowTable($0, isComplete: true) } }

  func platformFilter(grants: GrantProfile? = nil) throws -> PlatformFilter {
    PlatformFilter(pristine: try PristinePlatform(grants: grants ?? self.grants).snapshot())
  }
}

/// The platform before the first migration. Read once for each version of it and kept beside the template.
struct PristinePlatform {
  let grants: GrantProfile

  func snapshot() throws -> Snapshot {
    let template = try TemplateCluster.ready()
    let path = "\(template.folder)/pristine-\(grants.rawValue)-\(CatalogQuery.fingerprint).state"
    if let text = try? Files.read(path),
      let kept = try? StateReader.read([SourceFile(path: path, text: text)])
    {
      return kept
    }
    let stack = try EphemeralStack(grants: grants)
    let state = try Snapshot.read(try stack.connect(), .init(rows: .all))
    let text = "-- nomdev state, version 1\n" + StateText.text(state)
    // Kept for the next time; without it everything works, only slower.
    try? Files.write(text, to: path)
    return state
  }
}

/// Runs migrations on a throw-away platform database to see what they make.
struct Replay {
  let workspace: Workspace
  let grants: GrantProfile

  /// What the migrations add to the platform, with the rows they put in.
  func projectState(of folder: MigrationFolder, needs: Bool = false) throws -> Snapshot {
    let filter = try workspace.platformFilter(grants: grants)
    let first = try state(of: folder, needs: needs)
    let state = filter.project(first)
    guard VolatileRows.mayHold(state) else { return state }
    return VolatileRows.marked(state, other: filter.project(try self.state(of: folder, needs: false)))
  }

  /// The whole database after the last migration.
  func state(of folder: MigrationFolder, needs: Bool) throws -> Snapshot {
    let stack = try EphemeralStack(grants: grants)
    let database = ChosenDatabase(
      description: "a throw-away database", connect: { try stack.connect() }, isLocal: true, reason: nil,
      isOwn: true,
      owner: stack)
    try MigrationRun(workspace: workspace, database: database).applyQuietly(folder)
    return try Snapshot.read(try stack.connect(), .init(needs: needs, rows: .all))
  }
}
