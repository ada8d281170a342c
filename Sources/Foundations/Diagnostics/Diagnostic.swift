/// How much a diagnostic weighs: an error stops the work, a warning does not.
package enum Severity: String, Sendable, Hashable {
  case error, warning, note
}

/// One thing to tell the user: what is wrong, what was seen, and what to do next.
///
/// - `code` is stable and greppable (`migrate.edited`); it is documented and never reused.
/// - `message` is one lower-case sentence without a full stop.
/// - `detail` is what was seen, `hint` an imperative.
package struct Diagnostic: Sendable, Hashable {
  package var severity: Severity
  package var code: String
  package var message: String
  package var detail: String?
  package var hint: String?
  package var location: SourceLocation?
  /// PostgreSQL's five-character SQLSTATE, when the server said it.
  package var sqlState: String?

  package init(
    _ code: String, _ message: String, detail: String? = nil, hint: String? = nil,
    at location: SourceLocation? = nil, sqlState: String? = nil, severity: Severity = .error
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.detail = detail
    self.hint = hint
    self.location = location
    self.sqlState = sqlState
  }
}

/// An error that can tell the user about itself. Anything thrown that is not `Diagnosable` is a fault of
/// nomdev's own and is rendered as `internal.unexpected`.
package protocol Diagnosable: Error {
  /// At least one; several where all problems of an input are collected before failing.
  var diagnostics: [Diagnostic] { get }
}

extension Diagnostic: Diagnosable {
  package var diagnostics: [Diagnostic] { [self] }
}

/// Several problems of one input, collected before failing.
package struct DiagnosticList: Diagnosable, Sendable {
  package let diagnostics: [Diagnostic]

  /// - Precondition: `diagnostics` is not empty.
  package init(_ diagnostics: [Diagnostic]) {
    precondition(!diagnostics.isEmpty, "a failure needs at least one diagnostic")
    self.diagnostics = diagnostics
  }
}
