import Platform
import Postgres
import Processes
import Synchronization

/// A PostgreSQL server that runs.
package final class RunningCluster: Sendable {
  package let record: ClusterRecord
  /// Removed when the cluster is closed; nil where the data stay.
  private let throwAwayFolder: String?
  private let isClosed = Mutex(false)
  private let exitRegistration = Mutex<Interrupts.Registration?>(nil)

  init(record: ClusterRecord, throwAwayFolder: String?) {
    self.record = record
    self.throwAwayFolder = throwAwayFolder
  }

  /// Closes a throw-away cluster. A persistent one goes on.
  deinit {
    if throwAwayFolder != nil { close() }
  }

  /// How the server of a cluster is stopped.
  package enum Stop: Sendable {
    /// Sessions are ended and what they committed is written.
    case fast
    /// At once, for data nobody wants any more; a next start on them would recover.
    case immediate
  }

  /// Stops the server and removes what belongs to a throw-away cluster. A second call does nothing.
  ///
  /// - Parameter stop: A throw-away cluster is always stopped at once.
  package func close(_ stop: Stop = .fast) {
    let first = isClosed.withLock { closed in
      defer { closed = true }
      return !closed
    }
    guard first else { return }
    let how: ServerProcess.Stop = throwAwayFolder == nil && stop == .fast ? .fast : .immediate
    ServerProcess.stop(record.server, how)
    ClusterRegistry.remove(token: record.token)
    try? Files.remove(throwAwayFolder ?? record.socketFolder)
  }

  /// Closes the cluster also when this process ends without releasing it.
  func closeWithProcess() {
    let registration = Interrupts.beforeExit { [weak self] in self?.close() }
    exitRegistration.withLock { $0 = registration }
  }

  /// Whether the server still runs.
  package var isAlive: Bool { record.server.isAlive }

  // MARK: - Reaching it

  /// libpq's parameters to reach a database of this cluster over its socket.
  package func parameters(user: String = "postgres", database: String = "postgres") -> [(String, String)] {
    Self.parameters(host: record.socketFolder, port: record.port, user: user, database: database)
  }

  /// Opens a session over the socket. Waits for a server that recovers from a crash of one of its processes.
  package func connect(user: String = "postgres", database: String = "postgres") throws -> Connection {
    let parameters = parameters(user: user, database: database)
    let end = ContinuousClock.now + .seconds(60)
    while true {
      do {
        return try Connection(parameters: parameters)
      } catch  where ContinuousClock.now < end && Connection.isTurningAway(parameters: parameters) {
        repeat {
          pause(.milliseconds(10))
        } while ContinuousClock.now < end
          && Connection.isTurningAway(parameters: parameters)
      }
    }
  }

  /// A connection URL for any PostgreSQL client: over TCP where the server listens, else over the socket.
  package func url(user: String = "postgres", database: String = "postgres") -> String {
    let (user, name) = (Self.percentEncoded(user), Self.percentEncoded(database))
    guard record.listens else { return socketURL(user: user, database: database) }
    return "postgresql://\(user):postgres@127.0.0.1:\(record.port)/\(name)"
  }

  /// A connection URL over the socket.
  package func socketURL(user: String = "postgres", database: String = "postgres") -> String {
    let (user, name) = (Self.percentEncoded(user), Self.percentEncoded(database))
    let host = Self.percentEncoded(record.socketFolder)
    return "postgresql://\(user):postgres@/\(name)?host=\(host)&port=\(record.port)"
  }

  static func parameters(
    host: String, port: Int, user: String, database: String
  ) -> [(String, String)] {
    // Empty values and switched-off encryption keep the user's PG… environment out of it, and save the
    // round trips that ask for encryption.
    [
      ("host", host), ("hostaddr", ""), ("port", String(port)), ("user", user), ("dbname", database),
      ("password", "postgres"), ("sslmode", "disable"), ("gssencmode", "disable"), ("options", ""),
    ]
  }

  static func percentEncoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        byte < 128
        && (Character(scalar).isLetter || Character(scalar).isNumber
          || "-._~".unicodeScalars.contains(scalar))
      if isPlain {
        encoded.unicodeScalars.append(scalar)
      } else {
        encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}
