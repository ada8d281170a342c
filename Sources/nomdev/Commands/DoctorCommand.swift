import Arguments
import Cluster
import Diagnostics
import Stack

extension CommandTable {
  static let doctor = Command(
    "doctor", abstract: "Say what this machine and project have, lack and stand in for.",
    exitNotes: [ExitNote(.findings, "something is missing or wrong")]
  ) { arguments, console in
    let workspace = try Workspace(arguments, console, required: false)
    var examination = Examination()
    try examination.look("PostgreSQL") {
      let server = try ServerInstallation.find()
      return "\(try server.version().text) in \(server.programs)"
    }
    try examination.look("project") {
      "\(workspace.project.name) in \(workspace.shown(workspace.project.root))"
    }
    try examination.look("migrations") {
      let folder = try workspace.migrations(in: nil)
      return "\(folder.files.count) in \(folder.path)"
    }
    try examination.look("seeds") { "\(workspace.project.seeds.files.count) files" }
    var standIns: [StackStatus.StandIn] = []
    try examination.look("stack") {
      let status = try workspace.stack().status()
      standIns = try status?.details().standIns ?? EphemeralStack(grants: workspace.grants).standIns()
      return status.map { "running on port \($0.port)" } ?? "not running"
    }
    for line in examination.lines { try console.print(line) }
    for line in StandInListing(standIns).lines { try console.print(line) }
    return examination.isWell ? .success : .findings
  }
}

/// The findings of the doctor, a line each.
private struct Examination {
  private(set) var lines: [String] = []
  private(set) var isWell = true

  /// Notes what `body` found, or what was wrong with it and what to do.
  mutating func look(_ what: String, _ body: () throws -> String) throws {
    do {
      lines.append("ok    \(what): \(try body())")
    } catch let error as any Diagnosable {
      isWell = false
      for diagnostic in error.diagnostics {
        lines.append("FAIL  \(what): \(diagnostic.message)")
        if let hint = diagnostic.hint { lines.append("      \(hint)") }
      }
    }
  }
}

/// The extensions nomdev stands in for.
private struct StandInListing {
  let lines: [String]

  init(_ standIns: [StackStatus.StandIn]) {
    guard !standIns.isEmpty else {
      lines = []
      return
    }
    let width = standIns.map(\.name.count).max() ?? 0
    lines =
      ["", "Stand-ins: they can be created here but do not do their work as on the platform:"]
      + standIns.map { item in
        let name = item.name + String(repeating: " ", count: width - item.name.count)
        return "  \(name)  \(item.comment)\(item.isInstalled ? " [installed]" : "")"
      }
  }
}
