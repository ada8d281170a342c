import Arguments
import Diagnostics
import JSONValues
import Platform
import Stack

extension CommandTable {
  static let stack = Command(
    "stack", abstract: "Run the project's private PostgreSQL.",
    discussion: """
      A PostgreSQL of the project's own, made into a platform database: roles, auth, storage and default \
      privileges as on Supabase. It listens on this machine only, keeps its data in .nomdev/ and needs no Docker.
      """,
    subcommands: [stackUp, stackDown, stackStatus, stackReset, stackLogs, stackEnv])

  private static let stackUp = Command(
    "up", abstract: "Start the stack, or find it running.",
    options: [DatabaseOptions.grants],
    examples: [Example("nomdev stack up", "Returns when the database takes connections.")]
  ) { arguments, console in
    try console.requireFormat(.text, .json, in: arguments)
    let workspace = try Workspace(arguments, console)
    let status = try workspace.stack(grants: arguments[DatabaseOptions.grants]).up()
    if let asked = arguments[DatabaseOptions.grants], let kept = status.grants, asked != kept {
      console.report([.keepsProfile(kept, asked: asked)])
    }
    try StackListing(status).print(on: console, verb: status.wasRunning ? "was running" : "started")
    return .success
  }

  private static let stackDown = Command("down", abstract: "Stop the stack; its data stay.") {
    arguments, console in
    try console.requireFormat(.text, in: arguments)
    let wasRunning = try Workspace(arguments, console).stack().down()
    try console.print(wasRunning ? "The stack is stopped; its data stay." : "The stack was not running.")
    return .success
  }

  private static let stackStatus = Command(
    "status", abstract: "Show where the stack is and what it stands in for.",
    exitNotes: [ExitNote(.findings, "the stack is not running")]
  ) { arguments, console in
    try console.requireFormat(.text, .json, in: arguments)
    guard let status = try Workspace(arguments, console).stack().status() else {
      if console.format == .json {
        try console.print(json: [.init("running", .bool(false))])
      } else {
        try console.print("The stack is not running.")
      }
      return .findings
    }
    try StackListing(status).print(on: console, verb: "is running")
    return .success
  }

  private static let stackReset = Command(
    "reset", abstract: "Make the stack new: an empty platform database.",
    discussion: "Migrations and seeds are not run; for those see: nomdev seed --reset.",
    options: [DatabaseOptions.grants, Shared.yes]
  ) { arguments, console in
    try console.requireFormat(.text, .json, in: arguments)
    let workspace = try Workspace(arguments, console)
    let question =
      "This deletes all data of the stack in \(workspace.shown(workspace.project.root)). Continue?"
    guard try console.confirm(question, assumingYes: arguments[Shared.yes]) else {
      try console.print("Nothing was changed.")
      return .failure
    }
    let status = try workspace.stack(grants: arguments[DatabaseOptions.grants]).reset()
    try StackListing(status).print(on: console, verb: "is new")
    return .success
  }

  private static let stackLogs = Command(
    "logs", abstract: "Print the server's last log lines.", options: [logLines]
  ) { arguments, console in
    try console.requireFormat(.text, in: arguments)
    let stack = try Workspace(arguments, console).stack()
    for line in stack.log(lines: arguments[logLines]) { try console.print(line) }
    return .success
  }

  private static let logLines = DefaultedOption<Int>(
    "lines", short: "n", value: "count", default: 50, help: "Print this many lines.")

  private static let stackEnv = Command(
    "env", abstract: "Print the stack's addresses as shell variables.",
    discussion: "The names are those of: supabase status -o env.",
    examples: [Example("eval \"$(nomdev stack env)\" && psql \"$DB_URL\"", "Open the database in psql.")],
    exitNotes: [ExitNote(.failure, "the stack is not running")]
  ) { arguments, console in
    try console.requireFormat(.text, in: arguments)
    let status = try Workspace(arguments, console).runningStack(ifDown: .fail)
    try console.print(StackVariables.shell(status))
    return .success
  }
}

/// What `stack up` and `stack status` print.
struct StackListing {
  private let status: StackStatus

  init(_ status: StackStatus) { self.status = status }

  func print(on console: Console, verb: String) throws {
    let details = try status.details()
    if console.format == .json { return try console.print(json: json(details)) }
    try console.print("The stack \(verb).")
    try console.print("  database    \(status.databaseURL)")
    try console.print("  PostgreSQL  \(details.version), grants: \(status.grants?.rawValue ?? "unknown")")
    try console.print("  data        \(status.dataFolder)")
    if !details.standIns.isEmpty {
      try console.print(
        "  stand-ins   \(details.standIns.count) extensions do not do their work: nomdev doctor")
      let installed = details.standIns.filter(\.isInstalled).map(\.name)
      if !installed.isEmpty {
        try console.print("              in use here: \(installed.joined(separator: ", "))")
      }
    }
    if status.isOutdated() {
      console.report([
        Diagnostic(
          "stack.outdated", "the stack's data were made by another version of nomdev",
          hint: "bring the platform up to date with: nomdev seed --reset", severity: .warning)
      ])
    }
  }

  private func json(_ details: StackStatus.Details) -> [JSON.Member] {
    [
      .init("running", .bool(true)), .init("database_url", .string(status.databaseURL)),
      .init("postgresql", .string(details.version)),
      .init("grants", status.grants.map { .string($0.rawValue) } ?? .null),
      .init("data", .string(status.dataFolder)), .init("outdated", .bool(status.isOutdated())),
      .init(
        "stand_ins",
        .array(
          details.standIns.map {
            .object([.init("name", .string($0.name)), .init("installed", .bool($0.isInstalled))])
          })),
    ]
  }
}

extension Diagnostic {
  fileprivate static func keepsProfile(_ profile: GrantProfile, asked: GrantProfile) -> Diagnostic {
    Diagnostic(
      "stack.grants", "the stack keeps the grants profile its data were made with: \(profile.rawValue)",
      hint: "to change it: nomdev seed --reset --grants \(asked.rawValue)", severity: .warning)
  }
}
