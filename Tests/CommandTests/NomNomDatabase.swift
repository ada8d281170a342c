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
      try db.transaction { _ = try db.run(script: file.text) }
    }
  }

  /// One row of a check file.
  struct Verdict: Hashable, CustomStringConvertible {
    let check: String
    let holds: Bool
    let detail: String
    var description: String { "\(check) (\(detail))" }
  }

  /// Runs a check file and returns every row of every statement, in one message and one answer: the checks
  /// are many and small.
  ///
  /// - Parameter last: Stop behind the first statement that names this check.
  static func verdicts(
    of script: Script, upTo last: String? = nil, on db: Connection
  ) throws -> [Verdict] {
    let end = last.flatMap { name in script.statements.firstIndex { $0.text.contains(name) } }
    let statements = script.statements.prefix(through: end ?? script.statements.count - 1).map {
      $0.text.hasPrefix("select") || $0.text.hasPrefix("with")
        ? "insert into pg_temp.verdict (\"check\", ok, detail) \($0.text)" : $0.text
    }
    try db.run(
      script: """
        create temporary table verdict
          (place integer generated always as identity, "check" text, ok boolean, detail text);
        \(statements.joined(separator: ";\n"))
        """)
    let rows = try db.rows("select \"check\", ok, detail from pg_temp.verdict order by place")
    try db.run("drop table pg_temp.verdict")
    return rows.map {
      Verdict(check: $0["check"] ?? "", holds: $0["ok"] == "t", detail: $0["detail"] ?? "")
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
