import Diagnostics

/// What the server, or libpq on the way to it, said when it refused. Bound values are never part of it.
package struct PostgresError: Error, Sendable, Hashable {
  /// `08006` and its kin where the connection itself failed and no server answered.
  package var state: SQLState
  package var message: String
  package var detail: String?
  package var hint: String?
  /// Where in the text that was sent, in characters (Unicode scalars) counted from 1.
  package var position: Int?
  /// The server's call stack, such as `PL/pgSQL function f() line 3 at RAISE`.
  package var context: String?
  package var schema: String?
  package var table: String?
  package var column: String?
  package var constraint: String?
  /// `ERROR`, `WARNING`, `NOTICE`, …, never translated; nil where no server spoke.
  package var severity: String?
  /// How many statements of a script had ended well before this one: places an error without a position.
  package var completedStatements = 0

  package init(
    state: SQLState, message: String, detail: String? = nil, hint: String? = nil, position: Int? = nil
  ) {
    self.state = state
    self.message = message
    self.detail = detail
    self.hint = hint
    self.position = position
  }

  /// Whether the session is lost: nothing more can be sent over it.
  package var isConnectionLoss: Bool {
    state.rawValue.hasPrefix("08") || state.rawValue.hasPrefix("57P")
  }
}

extension PostgresError: Diagnosable {
  package var diagnostics: [Diagnostic] {
    let isUnreachable = state.rawValue.hasPrefix("08")
    let advice = isUnreachable ? "check the address, and that the server runs and takes connections" : nil
    return [
      Diagnostic(
        isUnreachable ? "database.connection" : "database.refused", message, detail: detail ?? context,
        hint: hint ?? advice, sqlState: state.rawValue)
    ]
  }
}
