import Platform
import Postgres
import Support

extension Connection {
  /// The rows of a query as psql's unaligned form shows them: values joined by `|`, null as nothing.
  func lines(_ sql: String) throws -> [String] {
    try rows(SQL(trusted: sql)).map { row in row.values.map { $0 ?? "" }.joined(separator: "|") }
  }

  /// Runs a script in a transaction that is rolled back: roles and their settings belong to all databases
  /// of the cluster, and other tests run at the same time.
  func attempt(_ script: String) throws {
    let isNested = transactionStatus == .inTransaction
    try run(isNested ? "savepoint attempt" : "begin")
    defer { _ = try? run(isNested ? "rollback to attempt" : "rollback") }
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

/// A scratch database and a session in it. The database lives as long as this does.
final class Scratch {
  let database: ScratchDatabase
  let db: Connection

  /// A transaction in the one database of all tests that leave nothing: it is undone with the session.
  static func shared() throws -> Scratch {
    let scratch = try Scratch(in: common.get())
    try scratch.db.run("begin")
    return scratch
  }

  private static let common = Swift.Result { try ScratchDatabase() }

  private init(in database: ScratchDatabase) throws {
    self.database = database
    db = try database.connect()
  }

  init(grants: GrantProfile = .explicit, as user: String = "postgres") throws {
    database = try ScratchDatabase(grants: grants)
    db = try database.connect(as: user)
  }
}
