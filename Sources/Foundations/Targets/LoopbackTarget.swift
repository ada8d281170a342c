import Postgres
import Processes
import Synchronization
import ProjectFile

/// A database that may be emptied: on this machine, and proven to be no tunnel to another.
///
/// Only ``LoopbackGuard`` makes one, and everything destructive takes nothing else. Each session it opens
/// goes to the address that was checked and is checked again.
package struct LoopbackTarget: Sendable {
  /// What proved the server local.
  package let proof: LocalProof
  /// PostgreSQL's identifier of the cluster; nil where the server won't tell.
  package let systemIdentifier: String?
  package let database: String
  package let user: String
  private let connection: ConnectionString
  private let endpoint: LoopbackEndpoint
  private let keeper: LoopbackGuard
  private let first: FirstSession

  fileprivate init(
    _ connection: ConnectionString, _ endpoint: LoopbackEndpoint, _ keeper: LoopbackGuard, proof: LocalProof,
    systemIdentifier: String?, first session: Connection
  ) {
    first = FirstSession(session)
    self.connection = connection
    self.endpoint = endpoint
    self.keeper = keeper
    self.proof = proof
    self.systemIdentifier = systemIdentifier
    database = connection.database
    user = connection.user
  }

  /// Where it is, as a URI without password.
  package var description: String { connection.description }

  /// Opens a session, to another database of the same server or as another user where they are given. The
  /// first is the one the proof was asked for over; each further one is proven anew.
  ///
  /// - Throws: ``TargetError/replaced(place:)`` when another server answers there by now, and what
  ///   ``LoopbackGuard/admit(_:)`` throws.
  package func connect(
    database: String? = nil, user: String? = nil, password: String? = nil
  ) throws -> Connection {
    if database == nil, user == nil, password == nil, let session = first.take() { return session }
    var changes = endpoint.overrides
    changes["dbname"] = database
    changes["user"] = user
    changes["password"] = password
    let (session, evidence) = try keeper.open(connection, endpoint, changes)
    // A user who may not ask for it has none to compare; the proof below is asked of every session.
    if let now = evidence.systemIdentifier, let systemIdentifier, now != systemIdentifier {
      throw TargetError.replaced(place: endpoint.description)
    }
    _ = try keeper.proof(evidence, session, endpoint)
    return session
  }
}

/// Decides what may be emptied. See docs/targets.md for the rules in a user's words.
package struct LoopbackGuard: Sendable {
  let environment: [String: String]
  private let trusted: [String]
  // Replaced by tests alone, which can't change what the machine's resolver says.
  var resolve: @Sendable (String) -> [String] = { LoopbackAddress.resolve($0) }

  /// - Parameters:
  ///   - environment: The process's own, as libpq sees it; not completed from env files.
  ///   - trustedSystemIdentifiers: The servers the project or the user vouches for.
  package init(environment: [String: String], trustedSystemIdentifiers: [String] = []) {
    self.environment = environment
    trusted = trustedSystemIdentifiers
  }

  /// Lets a database through that is on this machine and proven local.
  ///
  /// The address is checked before anything is sent; then one session asks the server for its proof in a
  /// read-only transaction. It is the target's first session.
  ///
  /// - Parameter conninfo: A URI or `key=value` pairs; what it doesn't say comes from the environment.
  /// - Throws: ``TargetError``, or ``PostgresError`` when there is no connection. Nothing was changed.
  package func admit(_ conninfo: String) throws -> LoopbackTarget {
    let connection = try ConnectionString(conninfo, environment: environment)
    let endpoint = try LoopbackEndpoint(connection, resolve: resolve)
    let (session, evidence) = try open(connection, endpoint, endpoint.overrides)
    return LoopbackTarget(
      connection, endpoint.pinned(to: session.hostAddress), self,
      proof: try proof(evidence, session, endpoint), systemIdentifier: evidence.systemIdentifier,
      first: session)
  }

  /// Lets a target of the project file through. One that is declared hosted never passes, whatever its
  /// address proves.
  package func admit(_ declaration: TargetDeclaration) throws -> LoopbackTarget {
    guard declaration.kind != .hosted else { throw TargetError.declaredHosted(declaration.name) }
    return try admit(declaration.requiredDatabaseURL())
  }

  /// Connects to exactly this place and asks the server about itself.
  fileprivate func open(
    _ connection: ConnectionString, _ endpoint: LoopbackEndpoint, _ changes: [String: String]
  ) throws -> (Connection, ServerEvidence) {
    // libpq reads it in the process whatever it is told, so the dictionary's word is not enough.
    guard ProcessEnvironment.value("PGSERVICE") == nil else { throw TargetError.service }
    var overrides = ["options": "", "gssencmode": "disable"]
    // A listener that never answers must not hold a command up for ever.
    if connection["connect_timeout"].isEmpty { overrides["connect_timeout"] = "10" }
    let session = try Connection(connection.complete(overrides.merging(changes) { $1 }))
    try checkPeer(of: session, endpoint)
    return (session, try ServerEvidence(of: session))
  }

  private func checkPeer(of session: Connection, _ endpoint: LoopbackEndpoint) throws {
    switch (endpoint.place, KernelView.peer(of: session.socket)) {
    case (.socket, .unixSocket): break
    case (.tcp, .loopback(let port)) where String(port) == endpoint.port: break
    case (_, .unixSocket): throw TargetError.astray("a unix socket")
    case (_, .loopback(let port)): throw TargetError.astray("port \(port) of this machine")
    case (_, .other(let place)): throw TargetError.astray(place)
    }
  }

  /// The first proof that holds.
  fileprivate func proof(
    _ evidence: ServerEvidence, _ session: Connection, _ endpoint: LoopbackEndpoint
  ) throws -> LocalProof {
    let record = evidence.instance.flatMap { token in
      ClusterRegistry.running().first { $0.token == token }
    }
    if let record, isDirect(record, evidence, session, endpoint) { return .startedByNomdev }
    if evidence.hasDevelopmentSecret { return .developmentSecret }
    if let identifier = evidence.systemIdentifier, trusted.contains(identifier) { return .trusted }
    throw TargetError.unproven(
      place: endpoint.description, systemIdentifier: evidence.systemIdentifier,
      forwardedFrom: record.map(Self.place))
  }

  /// Whether nothing is between this session and the server of a record.
  private func isDirect(
    _ record: ClusterRecord, _ evidence: ServerEvidence, _ session: Connection, _ endpoint: LoopbackEndpoint
  ) -> Bool {
    guard String(record.port) == endpoint.port else { return false }
    switch endpoint.place {
    case .socket(let folder):
      guard let folder, let real = Files.real(folder), real == Files.real(record.socketFolder) else {
        return false
      }
      return KernelView.listener(behind: session.socket).map { $0 == record.server.pid } ?? true
    case .tcp:
      guard record.listens else { return false }
      return !KernelView.knowsParents || KernelView.parent(of: evidence.backendPID) == record.server.pid
    }
  }

  private static func place(_ record: ClusterRecord) -> String {
    record.listens ? "127.0.0.1:\(record.port)" : "\(record.socketFolder)/.s.PGSQL.\(record.port)"
  }
}

/// The session the proof was asked for over, handed on once: to prove and connect is one log-in, not two.
private final class FirstSession: @unchecked Sendable {
  // A session is used by one thread at a time: whoever takes it has it alone, and the lock sees to that.
  private let lock = Mutex(())
  private var session: Connection?

  init(_ session: Connection) { self.session = session }

  func take() -> Connection? {
    lock.withLock { _ in
      defer { session = nil }
      return session
    }
  }
}
