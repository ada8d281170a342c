import Arguments
import Diagnostics
import Platform
import Postgres
import ProjectFile
import Stack
import Targets

extension GrantProfile: ArgumentValue {}

/// The options that say which database a command means, worded alike everywhere.
enum DatabaseOptions {
  static let url = Option<String>(
    "db-url", value: "url", environment: "NOMDEV_DB_URL",
    help: "Use this database instead of the project's stack.")
  static let target = Option<String>(
    "target", value: "name", help: "Use the database of this target of nomdev.toml.")
  static let ephemeral = Flag(
    "ephemeral", help: "Use a throw-away platform database that is gone afterwards.")
  static let grants = Option<GrantProfile>(
    "grants", value: "profile",
    help: "What API roles get on new objects of a database made now: explicit is nothing.")
  static let trust = RepeatedOption<String>(
    "trust-system", value: "id", help: "Vouch for a local server by its system identifier.")
  static let directory = Option<String>(
    "dir", value: "dir", completing: .directories, help: "Read migrations from this folder.")
}

/// The database a command works on.
struct ChosenDatabase {
  /// Where it is, without password.
  let description: String
  let connect: @Sendable () throws -> Connection
  /// Whether it may be written to without being shown and confirmed first.
  let isLocal: Bool
  /// Why it is not local, where it is not.
  let reason: String?
  /// Whether it is the project's own: its stack or a throw-away one.
  let isOwn: Bool
  /// What has to live as long as the database is used.
  let owner: EphemeralStack?
}

extension Workspace {
  /// What to do when the project's stack does not run.
  enum Absent { case start, fail }

  /// The database the options name: a throw-away one, a URL, a target of the project file, or the project's
  /// stack.
  func database(_ arguments: ParsedArguments, ifStackIsDown absent: Absent) throws -> ChosenDatabase {
    var grants = grants
    if arguments.lists(DatabaseOptions.grants) { grants = arguments[DatabaseOptions.grants] ?? grants }
    if arguments.lists(DatabaseOptions.ephemeral), arguments[DatabaseOptions.ephemeral] {
      let stack = try EphemeralStack(grants: grants)
      let cluster = stack.cluster
      return ChosenDatabase(
        description: "a throw-away database", connect: { try cluster.connect() }, isLocal: true, reason: nil,
        isOwn: true, owner: stack)
    }
    let keeper = keeper(trusting: arguments[DatabaseOptions.trust])
    if let url = arguments[DatabaseOptions.url] {
      return ChosenDatabase(try DatabaseTarget.named(url, guardedBy: keeper))
    }
    if let name = arguments[DatabaseOptions.target], let target = try declaration(name) {
      return ChosenDatabase(try DatabaseTarget.named(target, guardedBy: keeper))
    }
    let status = try runningStack(grants: grants, ifDown: absent)
    return ChosenDatabase(
      description: ConnectionString.redacted(status.databaseURL), connect: { try status.connect() },
      isLocal: true, reason: nil, isOwn: true, owner: nil)
  }

  /// The project's stack, running.
  func runningStack(grants: GrantProfile? = nil, ifDown absent: Absent) throws -> StackStatus {
    let stack = try stack(grants: grants)
    switch absent {
    case .start:
      let status = try stack.up()
      if !status.wasRunning {
        console.note("Started the stack on port \(status.port); it runs on until: nomdev stack down")
      }
      return status
    case .fail:
      guard let status = try stack.status() else {
        throw Diagnostic(
          "stack.down", "the stack of this project is not running",
          hint: "start it with: nomdev stack up, or name a database with --db-url")
      }
      return status
    }
  }

  /// The target of that name in the project file; nil where it is the project's own stack.
  func declaration(_ name: String) throws -> TargetDeclaration? {
    guard let target = project.targets.first(where: { $0.name == name }) else {
      let known = project.targets.map(\.name).joined(separator: ", ")
      throw Diagnostic(
        "project.unknown-target", "nomdev.toml declares no target \(name)",
        detail: known.isEmpty ? nil : "it declares \(known)",
        hint: "add a section [target.\(name)] with a db_url")
    }
    return target.kind == .embedded ? nil : target
  }
}

extension ChosenDatabase {
  init(_ target: DatabaseTarget) {
    var reason: String?
    if case .hosted(let hosted) = target { reason = hosted.reason.diagnostics.first?.message }
    self.init(
      description: target.description, connect: { try target.connect() }, isLocal: target.isLoopback,
      reason: reason, isOwn: false, owner: nil)
  }
}
