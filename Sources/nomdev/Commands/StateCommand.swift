import Arguments
import Catalog
import Diagnostics
import JSONValues
import Migrations
import Processes
import SchemaState

extension CommandTable {
  static let state = Command(
    "state", abstract: "Show or write what decides what the database does.",
    discussion: """
      Replays the migrations on a throw-away platform database and tells what they leave: tables, functions, \
      policies, rights, settings, configuration rows. With a database named, tells what is there. What the platform \
      brings along is left out. Written to checks/state/, one readable file a schema, it is what assert holds \
      databases to.
      """,
    options: [
      write, DatabaseOptions.directory, DatabaseOptions.url, DatabaseOptions.target, DatabaseOptions.trust,
      StateOptions.strict, DatabaseOptions.grants,
    ],
    examples: [
      Example("nomdev state --write", "Write checks/state/ from the migrations."),
      Example("nomdev state --target hosted", "Show what a live database has beyond the platform."),
    ],
    exitNotes: [
      ExitNote(.findings, "with --strict: something is there that no state can describe"),
      ExitNote(.failure, "the state could not be read in full"),
    ]
  ) { arguments, console in
    try console.requireFormat(.text, .json, in: arguments)
    let isElsewhere = arguments[DatabaseOptions.directory] != nil || arguments[DatabaseOptions.url] != nil
    let workspace = try Workspace(arguments, console, required: !isElsewhere)
    let source: StateSource
    if arguments[DatabaseOptions.url] != nil || arguments[DatabaseOptions.target] != nil {
      source = .database(try workspace.database(arguments, ifStackIsDown: .fail))
    } else {
      source = .migrations(try workspace.migrations(in: arguments[DatabaseOptions.directory]))
    }
    let state = try workspace.snapshot(of: source)
    if arguments[write] {
      try writeState(state, workspace, console)
    } else if console.format == .json {
      try console.print(json: StateJSON.members(state))
    } else {
      try console.write(StateText.text(state))
    }
    return try StateOptions.verdict(state, arguments, console)
  }

  private static let write = Flag("write", help: "Write the files of checks/state/ instead of showing them.")

  private static func writeState(_ state: Snapshot, _ workspace: Workspace, _ console: Console) throws {
    let folder = "\(workspace.project.checks)/state"
    let files = StateText.files(state)
    try Files.makeFolder(folder, mode: 0o755)
    let present = Files.names(in: folder).filter { $0.hasSuffix(".state") }
    var changed = 0
    for (name, text) in files {
      let path = "\(folder)/\(name)"
      if (try? Files.read(path)) == text { continue }
      try Files.write(text, to: path, mode: 0o644)
      changed += 1
    }
    for name in present where !files.contains(where: { $0.name == name }) {
      try Files.remove("\(folder)/\(name)")
      changed += 1
    }
    let place = workspace.shown(folder)
    if console.format == .json {
      try console.print(json: [
        .init("folder", .string(place)), .init("files", .array(files.map { .string($0.name) })),
        .init("changed", .int(changed)),
      ])
    } else {
      try console.print(
        changed == 0
          ? "\(place) is as the migrations leave it: \(counted(state.entries.count, "entry", "entries"))."
          : "Wrote \(counted(changed, "file")) of \(place): \(counted(state.entries.count, "entry", "entries"))."
      )
    }
  }
}

/// `1 entry`, `2 entries`.
func counted(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }

/// What `state`, `assert` and `diff` have in common.
enum StateOptions {
  static let strict = Flag("strict", help: "Fail on objects of kinds that can't be described.")

  /// Names what is not covered and what could not be seen; neither is ever passed over.
  static func verdict(_ state: Snapshot, _ arguments: ParsedArguments, _ console: Console) throws -> ExitCode
  {
    let isStrict = arguments[strict]
    console.report(diagnostics(state, isStrict: isStrict))
    if !state.unseen.isEmpty { return .failure }
    return isStrict && !state.notCovered.isEmpty ? .findings : .success
  }

  static func diagnostics(_ state: Snapshot, isStrict: Bool) -> [Diagnostic] {
    var all: [Diagnostic] = []
    if !state.notCovered.isEmpty {
      all.append(
        Diagnostic(
          "state.not-covered", "\(counted(state.notCovered.count, "object")) can't be described",
          detail: state.notCovered.joined(separator: "\n"),
          hint: isStrict ? nil : "give --strict to fail on these", severity: isStrict ? .error : .warning))
    }
    if !state.unseen.isEmpty {
      all.append(
        Diagnostic(
          "state.unseen", "the state could not be read in full", detail: state.unseen.joined(separator: "\n"),
          hint: "connect as a role that may read them, such as postgres"))
    }
    return all
  }
}
