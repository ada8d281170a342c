import Postgres

/// A worker's session with the database: opened when it is first needed, opened again when it was lost.
final class Session {
  private let conninfo: String
  private var prepared: PreparedSession?
  private var generation = 0

  init(_ conninfo: String) { self.conninfo = conninfo }

  /// Runs steps in one round trip.
  ///
  /// - Parameters:
  ///   - generation: That of the schema cache the steps were planned with. Statements prepared under an
  ///     earlier one are let go first.
  ///   - isFirst: Whether nothing came before in this transaction. A session that turns out to be lost is
  ///     then opened again, once: it died while it was idle, and nothing was done over it.
  /// - Throws: ``PostgresError`` or, where no session could be opened, ``RESTError`` PGRST000.
  func exchange(_ steps: [Step], generation: Int, isFirst: Bool) throws -> [Answer] {
    let wasOpen = prepared != nil
    do {
      return try attempt(steps, generation)
    } catch let error as PostgresError where error.isConnectionLoss {
      prepared = nil
      guard isFirst, wasOpen, error.completedStatements == 0 else { throw error }
      return try attempt(steps, generation)
    }
  }

  private func attempt(_ steps: [Step], _ generation: Int) throws -> [Answer] {
    let session = try open()
    if generation != self.generation {
      try session.forgetAll()
      self.generation = generation
    }
    return try session.exchange(steps)
  }

  /// Runs the steps of several transactions in one round trip. Each stands for itself, except that behind
  /// one that failed none succeeds before ``rollBack()``.
  func exchange(groups: [[Step]], generation: Int) throws -> [Swift.Result<[Answer], PostgresError>] {
    do {
      let session = try open()
      if generation != self.generation {
        try session.forgetAll()
        self.generation = generation
      }
      return try session.exchange(groups: groups)
    } catch let error as PostgresError where error.isConnectionLoss {
      prepared = nil
      throw error
    }
  }

  private func open() throws -> PreparedSession {
    if let prepared { return prepared }
    do {
      let session = PreparedSession(try Connection(conninfo))
      prepared = session
      return session
    } catch let error as PostgresError {
      throw RESTError.connection(error)
    }
  }

  /// Ends a transaction that failed. A session that cannot do that is let go.
  func rollBack() {
    guard let session = prepared else { return }
    guard session.connection.transactionStatus != .idle else { return }
    do { try session.connection.run("rollback") } catch { prepared = nil }
  }
}
