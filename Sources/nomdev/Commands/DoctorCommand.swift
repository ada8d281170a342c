import Arguments
import Cluster
import Diagnostics
import Processes
import Stack

extension CommandTable {
  static let doctor = Command(
    "doctor", abstract: "Say what this machine and project have, lack and stand in for.",
    exitNotes: [ExitNote(.findings, "something is missing or wrong")]
  ) { arguments, console in
    let workspace = try Workspace(arguments, console, required: false)
    var isWell = true
    func line(_ mark: String, _ text: String) throws { try console.print("\(mark)  \(text)") }
    func check(_ what: String, _ body: () throws -> String) throws {
      do {
        try line("ok  ", "\(what): \(try body())")
      } catch let error as any Diagnosable {
        isWell = false
        for diagnostic in error.diagnostics {
          try line("FAIL", "\(what): \(diagnostic.message)")
          if let hint = diagnostic.hint { try line("    ", hint) }
        }
      }
    }
    try check("PostgreSQL") {
      let server = try ServerBinaries.find()
      return "\(server.version) in \(server.folder)"
    }
    try check("project") { "\(workspace.project.name) in \(workspace.shown(workspace.project.root))" }
    try check("migrations") {
      let folder = try workspace.migrations(in: nil)
      return "\(folder.files.count) in \(folder.path)"
    }
    try check("seeds") { "\(workspace.project.seeds.files.count) files" }
    let status = try workspace.stack().status()
    try line("ok  ", status.map { "stack: running on port \($0.port)" } ?? "stack: not running")
    let standIns = try status?.standIns ?? EphemeralStack().standIns()
    try console.print()
    try console.print("Stand-ins: these extensions can be created here and record what they are asked, but do not")
    try console.print("do their work as on the platform (docs/stand-ins.md):")
    let width = standIns.map(\.name.count).max() ?? 0
    for item in standIns {
      let name = item.name + String(repeating: " ", count: width - item.name.count)
      try console.print("  \(name)  \(item.comment)\(item.isInstalled ? " [installed]" : "")")
    }
    return isWell ? .success : .findings
  }
}
