import Diagnostics
import Postgres
import Processes
import ProjectFile

/// Where `migrate` may write: a local database, or another that was named, shown and confirmed.
package enum DatabaseTarget: Sendable {
  case loopback(LoopbackTarget)
  case hosted(HostedTarget)

  /// Takes a database for what it is: local when the guard lets it through, hosted otherwise. Both read the
  /// same environment, the guard's, so that what was refused as local is what is shown as hosted.
  ///
  /// - Throws: ``TargetError`` for a connection string that can't be read or names a service, and
  ///   ``PostgresError`` where a server on loopback can't be reached. A host elsewhere is not contacted.
  package static func named(_ conninfo: String, guardedBy keeper: LoopbackGuard) throws -> DatabaseTarget {
    do {
      return .loopback(try keeper.admit(conninfo))
    } catch let error as TargetError where error.isElsewhere {
      return .hosted(try HostedTarget(conninfo, environment: keeper.environment, because: error))
    }
  }

  /// Takes a target of the project file. One that is declared hosted stays so, whatever its address.
  package static func named(
    _ declaration: TargetDeclaration, guardedBy keeper: LoopbackGuard
  ) throws -> DatabaseTarget {
    let url = try declaration.requiredDatabaseURL()
    guard declaration.kind == .hosted else {
      return try named(url, guardedBy: keeper)
    }
    return .hosted(
      try HostedTarget(url, environment: keeper.environment, because: .declaredHosted(declaration.name)))
  }

  package var isLoopback: Bool { if case .loopback = self { true } else { false } }

  /// Where it is, as a URI without password.
  package var description: String {
    switch self {
    case .loopback(let target): target.description
    case .hosted(let target): target.description
    }
  }

  package func connect() throws -> Connection {
    switch self {
    case .loopback(let target): try target.connect()
    case .hosted(let target): try target.connect()
    }
  }
}

/// A database that isn't proven local. Nothing but `migrate` may write to it, and only after it was shown
/// and confirmed; the caller asks.
package struct HostedTarget: Sendable {
  /// Why the guard did not let it through as a local one.
  package let reason: TargetError
  private let connection: ConnectionString

  /// - Throws: ``TargetError`` when the connection string can't be read or names a service. No connection
  ///   is made.
  package init(_ conninfo: String, environment: [String: String], because reason: TargetError) throws {
    connection = try ConnectionString(conninfo, environment: environment)
    guard connection.values["service"] == nil else { throw TargetError.service }
    self.reason = reason
  }

  /// Every place it may lead to, as a URI without password.
  package var description: String { connection.description }

  /// Opens a session with exactly what ``description`` shows.
  package func connect() throws -> Connection {
    guard ProcessEnvironment.value("PGSERVICE") == nil else { throw TargetError.service }
    return try Connection(connection.complete([:]))
  }
}

extension TargetDeclaration {
  /// - Throws: What is missing: the variable its `db_url` names, or the key itself.
  func requiredDatabaseURL() throws -> String {
    if let databaseURL { return databaseURL }
    if !unset.isEmpty { throw DiagnosticList(unset) }
    throw Diagnostic(
      "target.no-database", "the target \(name) has no database", hint: "add db_url to [target.\(name)]")
  }
}
