import Postgres

extension Connection {
  /// The rows of a query as psql's unaligned form shows them: values joined by `|`, null as nothing.
  func lines(_ sql: String) throws -> [String] {
    try rows(SQL(trusted: sql)).map { row in row.values.map { $0 ?? "" }.joined(separator: "|") }
  }

  /// Runs a script in a transaction that is rolled back: roles and their settings belong to all databases
  /// of the cluster, and other tests run at the same time.
  func attempt(_ script: String) throws {
    try run("begin")
    defer { _ = try? run("rollback") }
    try run(script: script)
  }

  /// The error a script is refused with, as `SQLSTATE message`; nil when it runs. Nothing of it stays.
  func refusal(of script: String) throws -> String? {
    do {
      try attempt(script)
      return nil
    } catch let error as PostgresError {
      return "\(error.state.rawValue) \(error.message)"
    }
  }
}
