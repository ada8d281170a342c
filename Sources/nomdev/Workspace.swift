import Arguments
import Diagnostics
import Migrations
import Platform
import Processes
import ProjectFile
import Stack
import Targets

/// The project a command works on, with its settings read and its paths made ready to be shown.
struct Workspace {
  let project: Project
  let console: Console

  /// Finds and reads the project, and says what is odd about its files.
  ///
  /// - Parameter required: Whether there must be one; otherwise the folder itself serves, even an empty one.
  init(_ arguments: ParsedArguments, _ console: Console, required: Bool = true) throws {
    let chosen = arguments[Global.project]
    guard let directory = Files.real(chosen) else {
      throw Diagnostic("project.no-folder", "there is no folder \(chosen)", hint: "look at --project")
    }
    let environment = ProcessEnvironment.all
    if required || Project.root(above: directory) != nil {
      project = try Project.load(from: directory, environment: environment)
    } else {
      project = try Project.load(root: directory, environment: environment)
    }
    self.console = console
    console.report(project.warnings)
  }

  /// A path as the user would type it: relative to where they are, when it lies below.
  func shown(_ path: String) -> String {
    let here = Files.workingFolder
    return path.hasPrefix("\(here)/") ? String(path.dropFirst(here.count + 1)) : path
  }

  /// The migrations of a folder, the project's own where none is given, and what is worth a word about them.
  func migrations(in chosen: String?) throws -> MigrationFolder {
    let path = chosen ?? project.migrations
    guard Files.status(path)?.kind == .folder else {
      throw Diagnostic(
        "migrate.no-folder", "there is no folder \(shown(path))",
        hint: "make the first migration with: nomdev migrate new NAME")
    }
    let entries = try Files.names(in: path)
      .filter { $0.hasSuffix(".sql") && Files.status("\(path)/\($0)")?.kind == .file }
      .map { MigrationFolder.Entry(fileName: $0, bytes: try Files.readBytes("\(path)/\($0)")) }
    let folder = try MigrationFolder(path: shown(path), entries: entries)
    console.report(folder.warnings)
    return folder
  }

  /// A text file of the project, known by its short path.
  func source(_ path: String) throws -> SourceFile {
    SourceFile(path: shown(path), text: try Files.read(path))
  }

  /// The stack of this project, as its settings want it.
  func stack(grants: GrantProfile? = nil) throws -> ProjectStack {
    var stack = try ProjectStack(
      project: project.root, port: .preferred(project.settings.ports.database),
      grants: grants ?? self.grants)
    stack.settings = project.settings.database.settings
    return stack
  }

  /// The profile the project asks for.
  var grants: GrantProfile {
    switch project.settings.api.grants {
    case .explicit: .explicit
    case .legacy: .legacy
    }
  }

  /// What decides whether a database may be emptied.
  ///
  /// - Parameter identifiers: Servers the user vouches for beside those the project file names.
  func keeper(trusting identifiers: [String] = []) -> LoopbackGuard {
    LoopbackGuard(
      environment: ProcessEnvironment.all,
      trustedSystemIdentifiers: project.trustedSystemIdentifiers + identifiers)
  }
}
