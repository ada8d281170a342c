import Platform
import Postgres
import SQLSyntax
import Scripts

/// The few statements that `postgres` may run on the platform and no grant allows on a stock server: on a
/// database nomdev made, a function of the platform's runs them in the same transaction.
struct PlatformStatements {
  private let isNeeded: Bool

  /// - Parameter scripts: Looked through first, so that a database is asked only where it matters.
  init(_ db: Connection, for scripts: [RunnableScript]) throws {
    let hasAny = scripts.contains { $0.statements.contains { PrivilegedStatement($0.text) != nil } }
    isNeeded =
      try hasAny
      && db.value("select 1 from pg_catalog.pg_namespace where nspname = 'nomdev_platform'") != nil
  }

  /// The call that is sent in place of a statement; nil where the statement itself is.
  func substitute(_ statement: Statement) -> String? {
    guard isNeeded, let kind = PrivilegedStatement(statement.text) else { return nil }
    return "select \(kind.function)(\(SQL.quoted(literal: statement.text)))"
  }
}
