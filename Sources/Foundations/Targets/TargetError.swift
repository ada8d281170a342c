import Diagnostics

/// Every way a database is refused as a target.
package enum TargetError: Diagnosable, Hashable {
  /// libpq can't read the connection string.
  case unreadable(String)
  /// A connection service stands for values that are somewhere else.
  case service
  /// More than one host, address or port: which would be reached isn't certain.
  case several(String)
  /// A host or address that is not this machine's loopback, or isn't written plainly.
  case notLoopback(String, detail: String)
  /// A port, database name or option that could change what is reached or what the server says.
  case doubtful(String, hint: String)
  /// The session ended up somewhere else than asked.
  case astray(String)
  /// A server on loopback that nothing proves to be local.
  case unproven(place: String, systemIdentifier: String?, forwardedFrom: String?)
  /// A target of the project file that is hosted by its own word.
  case declaredHosted(String)
  /// Another server answers at the place of the one that was proven.
  case replaced(place: String)

  /// Whether only the destructive commands refuse it: `migrate` may go there when it is confirmed.
  var isElsewhere: Bool {
    switch self {
    case .several, .notLoopback, .doubtful, .unproven, .declaredHosted: true
    case .unreadable, .service, .astray, .replaced: false
    }
  }

  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unreadable(let reason):
      Diagnostic(
        "target.unreadable", "the connection string can't be read", detail: reason,
        hint: "write postgres://user:password@localhost:54322/postgres")
    case .service:
      Diagnostic(
        "target.service", "connection services are not supported",
        detail: "a service file can name any host", hint: "write the host, and unset PGSERVICE")
    case .several(let what):
      Diagnostic(
        "target.several", "the connection names several \(what)",
        detail: "which of them is reached would not be certain", hint: "name one")
    case .notLoopback(let message, let detail):
      Diagnostic(
        "target.not-loopback", message, detail: detail,
        hint: "write localhost, 127.0.0.1, ::1 or the absolute path of a socket folder")
    case .doubtful(let message, let hint):
      Diagnostic("target.doubtful", message, hint: hint)
    case .astray(let place):
      Diagnostic(
        "target.astray", "the session is not connected to the address asked for",
        detail: "it is connected to \(place)", hint: "look for proxies between this machine and itself")
    case .unproven(let place, let identifier, let origin): Self.unproven(place, identifier, origin)
    case .declaredHosted(let name):
      Diagnostic(
        "target.hosted", "the target \(name) is declared hosted",
        detail: "this command deletes data, and only local targets may lose theirs",
        hint: "name a local target, or none for the embedded one")
    case .replaced(let place):
      Diagnostic(
        "target.replaced", "another server answers at \(place) than the one that was checked",
        hint: "run the command again")
    }
  }

  private static func unproven(_ place: String, _ identifier: String?, _ origin: String?) -> Diagnostic {
    let line = identifier.map {
      "if its data may be lost, add to nomdev.toml:\n[trust]\nsystem_identifiers = [\"\($0)\"]"
    }
    let seen =
      origin.map { "it is nomdev's own server at \($0), reached through something in between" }
        ?? """
        nomdev did not start it, it does not carry the local stack's development secret, and its system \
        identifier \(identifier ?? "(which it won't tell)") is not trusted
        """
    return Diagnostic(
      "target.unproven", "the server at \(place) is not proven to be a local one",
      detail: "a loopback address may be a tunnel to anywhere; \(seen)",
      hint: origin.map { "connect to \($0)" } ?? line ?? "use another server")
  }
}
