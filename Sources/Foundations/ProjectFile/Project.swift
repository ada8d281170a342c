import Diagnostics
import Documents

/// A project's folders and settings, read from `nomdev.toml`, `supabase/config.toml`, or neither.
package struct Project: Sendable {
  /// The project's folder, absolute. The paths below are absolute too.
  package let root: String
  /// The `project_id`, else the folder's name.
  package var name: String
  package var migrations: String
  /// The folder of checks. It need not exist.
  package var checks: String
  package var seeds = Seeds()
  /// SQL that makes roles before the first migration; nil where there is none.
  package var roles: String?
  package var settings = ProjectSettings()
  package var targets: [TargetDeclaration] = []
  /// Servers the project vouches for, by PostgreSQL's system identifier.
  package var trustedSystemIdentifiers: [String] = []
  /// Tables whose rows are part of the declared state.
  package var stateRows: [String] = []
  /// The process's environment, completed from the project's env files; what was set already wins.
  package var environment: [String: String] = [:]
  /// What the user should be told: unknown keys, variables that aren't set.
  package var warnings: [Diagnostic] = []

  /// The seed files that exist, in the order they run.
  package struct Seeds: Sendable, Hashable {
    package var isEnabled = true
    package var files: [String] = []
    /// Patterns that matched nothing; to be told when seeding, not by every command.
    package var warnings: [Diagnostic] = []

    package init() {}
  }

  /// Finds the project of a folder and reads it.
  ///
  /// - Parameters:
  ///   - directory: Where to begin, absolute; the project may be any folder above.
  ///   - environment: The process's own.
  /// - Throws: `project.not-found`, or everything that is wrong with the files, with places.
  package static func load(from directory: String, environment: [String: String]) throws -> Project {
    guard let root = root(above: directory) else {
      throw Diagnostic(
        "project.not-found", "no project found in \(directory) or a folder above",
        detail: "a project has a nomdev.toml, a supabase/config.toml or a migrations folder",
        hint: "change to the project's folder, or make a migrations folder")
    }
    return try load(root: root, workingDirectory: directory, environment: environment)
  }

  /// Reads the project in exactly this folder, even an empty one.
  package static func load(
    root: String, workingDirectory: String? = nil, environment: [String: String]
  ) throws -> Project {
    let folder = Folder(root)
    let files = EnvironmentFiles(environment: environment)
    let environment = files.merged(from: [folder.path("supabase"), folder.path], onto: environment)
    var project = Project(
      root: folder.path, name: folder.name, migrations: folder.path("migrations"),
      checks: folder.path("checks"), environment: environment)
    if !folder.hasFolder("migrations"), folder.hasFolder("supabase/migrations") || folder.hasSupabaseConfig {
      project.migrations = folder.path("supabase/migrations")
    }
    if folder.hasFile("supabase/roles.sql") { project.roles = folder.path("supabase/roles.sql") }
    var problems: [Diagnostic] = []
    var seedFolder: String?
    do { try project.readSupabaseConfig(in: folder) } catch let error as any Diagnosable {
      problems += error.diagnostics
    }
    do { seedFolder = try project.readOwnFile(in: folder) } catch let error as any Diagnosable {
      problems += error.diagnostics
    }
    if !problems.isEmpty { throw DiagnosticList(problems) }
    try project.findSeeds(in: folder, chosen: seedFolder)
    return project
  }

  /// The nearest folder, this or one above, with a project file; else the nearest with migrations.
  package static func root(above directory: String) -> String? {
    let folders = sequence(first: Folder(directory)) { $0.parent }
    if let found = folders.first(where: \.hasProjectFile) { return found.path }
    return folders.first(where: \.hasMigrations)?.path
  }

  /// A folder's own `seeds/*.sql`, else what `[db.seed]` names.
  private mutating func findSeeds(in folder: Folder, chosen: String?) throws {
    if let own = chosen ?? (folder.hasFolder("seeds") ? "seeds" : nil) {
      seeds.files = try folder.files(in: own, ending: ".sql")
      return
    }
    seeds.isEnabled = settings.seed.isEnabled
    let supabase = Folder(folder.path("supabase"))
    for pattern in settings.seed.paths ?? ["./seed.sql"] {
      let matches = supabase.matches(of: pattern)
      seeds.files += matches.filter { !seeds.files.contains($0) && !$0.hasSuffix(".gz") }
      if matches.isEmpty, settings.seed.paths != nil {
        seeds.warnings.append(
          Diagnostic(
            "project.seed-missing", "no seed file matches \"\(pattern)\"",
            hint: "paths in [db.seed].sql_paths are relative to the supabase folder", severity: .warning))
      }
      for packed in matches where packed.hasSuffix(".gz") {
        seeds.warnings.append(
          Diagnostic(
            "project.seed-compressed", "the compressed seed file \(packed) is passed over",
            hint: "unpack it", severity: .warning))
      }
    }
  }
}
