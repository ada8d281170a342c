import Diagnostics
import Postgres
import SQLSyntax

/// What a project promises of its seeded data, as SQL of its own.
///
/// A statement of a `verify` file returns rows of `check` (text), `ok` (boolean) and `detail` (text); every
/// row must be ok, and there must be rows. A statement of a `summary` file returns `label` and `value`.
package struct SeedChecks: Sendable {
  package struct Line: Sendable, Hashable {
    package let label: String
    package let value: String
  }

  private let verification: [SourceFile]
  private let summary: [SourceFile]

  package init(verification: [SourceFile], summary: [SourceFile]) {
    self.verification = verification
    self.summary = summary
  }

  /// - Returns: How many checks held.
  /// - Throws: ``DiagnosticList`` with each check that does not, or `seed.nothing-checked`.
  func verify(on db: Connection) throws -> Int {
    var failures: [Diagnostic] = []
    var held = 0
    for file in verification {
      for statement in Script.parse(file).statements {
        let rows = try rows(of: statement, on: db)
        if rows.isEmpty { failures.append(.nothingChecked(statement)) }
        for row in rows {
          if row["ok"] == "t" { held += 1 } else { failures.append(.failed(row, statement)) }
        }
      }
      if Script.parse(file).statements.isEmpty { failures.append(.nothingChecked(file)) }
    }
    guard failures.isEmpty else { throw DiagnosticList(failures) }
    return held
  }

  func summarise(on db: Connection) throws -> [Line] {
    try summary.flatMap { file in
      try Script.parse(file).statements.flatMap { statement in
        try rows(of: statement, on: db, columns: ["label", "value"]).map {
          Line(label: $0["label"] ?? "", value: $0["value"] ?? "")
        }
      }
    }
  }

  private func rows(
    of statement: Statement, on db: Connection, columns: [String] = ["check", "ok", "detail"]
  ) throws -> [Row] {
    let rows: [Row]
    do {
      rows = try db.rows(SQL(trusted: statement.text))
    } catch let error as PostgresError {
      throw Diagnostic(
        "seed.check-refused", error.message, detail: error.detail, hint: error.hint, at: statement.location,
        sqlState: error.state.rawValue)
    }
    if let row = rows.first, row.columns != columns {
      throw Diagnostic(
        "seed.check-shape", "a statement here returns the columns \(columns.joined(separator: ", "))",
        detail: "this one returns \(row.columns.joined(separator: ", "))", at: statement.location)
    }
    return rows
  }
}

extension Diagnostic {
  fileprivate static func failed(_ row: Row, _ statement: Statement) -> Diagnostic {
    Diagnostic(
      "seed.promise", "the seeded data is not as promised: \(row["check"] ?? "a check without a name")",
      detail: row["detail"], hint: "nothing was kept; mend the seed files or the check",
      at: statement.location)
  }

  fileprivate static func nothingChecked(_ statement: Statement) -> Diagnostic {
    Diagnostic(
      "seed.nothing-checked", "a check returned no row, so it checked nothing",
      hint: "return a row with ok = false where something is wrong, and one with ok = true otherwise",
      at: statement.location)
  }

  fileprivate static func nothingChecked(_ file: SourceFile) -> Diagnostic {
    Diagnostic(
      "seed.nothing-checked", "\(file.path) holds no statement, so it checks nothing",
      hint: "write a check, or remove the file")
  }
}
