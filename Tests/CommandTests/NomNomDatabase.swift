import Diagnostics
import Platform
import Postgres
import Processes
import SQLSyntax
import Support

/// A scratch database with Nom Nom's migrations applied, and the files of the project that speak about it.
struct NomNomDatabase {
  let scratch: ScratchDatabase

  init(grants: GrantProfile = .explicit) throws {
    scratch = try ScratchDatabase(grants: grants)
    let db = try scratch.connect()
    for file in try Self.files(in: "migrations") {
      try db.transaction { try db.run(script: file.text) }
    }
  }

  /// One row of a check file.
  struct Verdict: Hashable, CustomStringConvertible {
    let check: String
    let holds: Bool
    let detail: String
    var description: String { "\(check) (\(detail))" }
  }

  /// Runs a check file and returns every row of every statement.
  static func verdicts(of script: Script, on db: Connection) throws -> [Verdict] {
    try script.statements.flatMap { statement in
      try db.rows(SQL(trusted: statement.text)).map {
        Verdict(check: $0["check"] ?? "", holds: $0["ok"] == "t", detail: $0["detail"] ?? "")
      }
    }
  }

  /// The `.sql` files of a folder of the project, in name order.
  static func files(in folder: String) throws -> [SourceFile] {
    try Files.names(in: "\(root)/\(folder)").filter { $0.hasSuffix(".sql") }.sorted().map {
      SourceFile(path: "\(folder)/\($0)", text: try Files.read("\(root)/\(folder)/\($0)"))
    }
  }

  static func file(_ path: String) throws -> SourceFile {
    SourceFile(path: path, text: try Files.read("\(root)/\(path)"))
  }

  private static let root = (0..<3).reduce(#filePath) { path, _ in Files.parent(of: path) ?? "." }
}
