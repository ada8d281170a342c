import Arguments
import Catalog
import CatalogChanges
import Diagnostics
import JSONValues
import Migrations
import SchemaState

extension CommandTable {
  static let diff = Command(
    "diff", abstract: "Compare two databases, folders of migrations or states.",
    discussion: """
      A side is a connection string, a target of nomdev.toml, a folder of migrations, or a folder or file of state; \
      the words migrations and state mean the project's own. Folders are replayed on a throw-away database. What \
      the platform brings along counts only where it differs.
      """,
    options: [from, to, whoGains, mend, StateOptions.strict, DatabaseOptions.trust],
    examples: [
      Example(
        "nomdev diff --from state --to hosted --who-gains", "Say who could do more there, and who less."),
      Example(
        "nomdev diff --from ../main/migrations --to migrations --format markdown", "Comment a pull request."),
    ],
    exitNotes: [
      ExitNote(.findings, "the sides differ"), ExitNote(.failure, "the sides could not be compared"),
    ]
  ) { arguments, console in
    try console.requireFormat(.text, .json, .github, .markdown, in: arguments)
    let workspace = try Workspace(arguments, console, required: false)
    let sources = try [arguments[from], arguments[to]].map {
      try workspace.stateSource($0, trusting: arguments[DatabaseOptions.trust])
    }
    let needs = arguments[mend]
    let (first, second) = try bothStates(sources, workspace, needs: needs)
    let comparison = Comparison(declared: first, actual: second)
    let plan = needs ? ChangePlan(comparison) : nil
    let report = DriftReport(
      comparison, sides: .init(declared: sources[0].description, actual: sources[1].description), plan: plan)
    try show(report, whoGains: arguments[whoGains], console)
    let codes = try [first, second].map { try StateOptions.verdict($0, arguments, console) }
    if let major = differingMajors(first, second) { console.report([major]) }
    if let worst = codes.max(by: { $0.rawValue < $1.rawValue }), worst == .failure { return .failure }
    return report.items.isEmpty ? (codes.contains(.findings) ? .findings : .success) : .findings
  }

  private static let from = RequiredOption<String>(
    "from", value: "side", help: "Compare this side, as it was.")
  private static let to = RequiredOption<String>(
    "to", value: "side", help: "Compare it with this side, as it is.")
  private static let whoGains = Flag(
    "who-gains", help: "Group by role: who can do what now, and who lost it.")
  private static let mend = Flag("mend", help: "Show the statements that take the second side to the first.")

  /// Two servers are asked at once. A throw-away server belongs to the thread that starts it, so folders are
  /// replayed one after the other.
  private static func bothStates(
    _ sources: [StateSource], _ workspace: Workspace, needs: Bool
  ) throws -> (Snapshot, Snapshot) {
    let filter = try workspace.platformFilter()
    let areDatabases = sources.allSatisfy { if case .database = $0 { true } else { false } }
    let read = { try workspace.snapshot(of: $0, needs: needs, without: filter) }
    let states = areDatabases ? try concurrently(sources, read) : try sources.map(read)
    return (states[0], states[1])
  }

  private static func show(_ report: DriftReport, whoGains: Bool, _ console: Console) throws {
    let gains = WhoGains(report.comparison)
    switch console.format {
    case .json:
      let lines = gains.lines.map { line in
        JSON.object([
          .init("role", .string(line.role)), .init("change", line.isGain ? "gains" : "loses"),
          .init("what", .string(line.what)), .init("through", line.through.map { .string($0) } ?? .null),
        ])
      }
      try console.print(json: report.json + [.init("who_gains", .array(lines))])
    case .github: try console.write(report.diagnostics.gitHubAnnotations())
    case .markdown: try console.write(report.markdown)
    default:
      if report.items.isEmpty { return try console.print("No difference.") }
      if whoGains {
        for line in gains.text { try console.print(line) }
        if gains.isEmpty { try console.print("Nobody can do more or less than before.") }
      } else {
        for line in report.lines { try console.print(line) }
      }
      try console.print("\(report.summary).")
    }
  }

  /// Servers of different majors write the same expression differently.
  private static func differingMajors(_ first: Snapshot, _ second: Snapshot) -> Diagnostic? {
    guard let one = first.serverVersion.map({ $0 / 10_000 }),
      let other = second.serverVersion.map({ $0 / 10_000 }),
      one != other
    else { return nil }
    return Diagnostic(
      "diff.other-major",
      "the sides are PostgreSQL \(one) and \(other), which write some definitions differently",
      hint: "compare servers of one major where views or expressions differ", severity: .warning)
  }
}
