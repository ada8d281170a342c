import Gateway
import Postgres
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The dialect over one database: what all workers share, and the thread that keeps the schema cache fresh.
package final class RESTService: Sendable {
  package let configuration: RESTConfiguration
  let authenticator: Authenticator
  private let searchPaths: [String: String]
  private let state = Mutex<SchemaCache?>(nil)
  private let isStopping = Atomic(false)
  private let listener = Mutex<WorkerThread?>(nil)

  /// Reads the schema cache; later changes are followed by ``startListening()``.
  ///
  /// - Throws: `RoleClaimPathError`, or ``PostgresError`` when the database cannot be read.
  package init(_ configuration: RESTConfiguration) throws {
    self.configuration = configuration
    authenticator = try Authenticator(configuration)
    searchPaths = Dictionary(
      configuration.schemas.map { schema in
        let all = [schema] + configuration.extraSearchPath
        return (schema, all.map(StatementText.quoted).joined(separator: ", "))
      }, uniquingKeysWith: { first, _ in first })
    try reload(over: Connection(configuration.database))
  }

  /// The schema cache; nil where the last try to read it failed.
  var cache: SchemaCache? { state.withLock { $0 } }

  /// Where unqualified names are looked for in requests to a schema.
  func searchPath(_ schema: String) -> String { searchPaths[schema] ?? StatementText.quoted(schema) }

  /// Reads the schema cache again.
  ///
  /// - Throws: ``PostgresError``; there is no cache then, and requests are refused until there is one.
  package func reload() throws { try reload(over: Connection(configuration.database)) }

  private func reload(over connection: Connection) throws {
    let known = cache
    do {
      let loaded = try CatalogLoader(connection: connection, configuration: configuration)
        .load(generation: (known?.generation ?? 0) + 1, timezones: known?.timezones)
      state.withLock { $0 = loaded }
    } catch {
      state.withLock { $0 = nil }
      throw error
    }
  }

  // MARK: - Following changes

  /// Listens for notifications and reloads when one says so, until ``stop()``. A lost session is opened
  /// again, and the cache read anew, since changes may have gone by unseen.
  package func startListening() {
    guard let channel = configuration.channel else { return }
    let thread = WorkerThread { [self] in
      while !isStopping.load(ordering: .acquiring) {
        do {
          let connection = try Connection(configuration.database)
          try connection.run("listen \(identifier: channel)")
          // What changed since it was last read, and before this session listened, was told to nobody.
          try reload(over: connection)
          try follow(connection)
        } catch {
          // Requests tell of a database that is away; here there is nobody to tell.
          pause(milliseconds: 500)
        }
      }
    }
    listener.withLock { $0 = thread }
  }

  private func follow(_ connection: Connection) throws {
    while !isStopping.load(ordering: .acquiring) {
      guard let notification = try connection.notification(within: 200) else { continue }
      guard ["", "reload schema", "reload config"].contains(notification.payload) else { continue }
      // A migration sends many: those that come in quick succession are answered by one reload.
      while try connection.notification(within: 20) != nil { continue }
      try reload(over: connection)
    }
  }

  private func pause(milliseconds: UInt32) {
    var left = milliseconds
    while left > 0, !isStopping.load(ordering: .acquiring) {
      usleep(50_000)
      left -= min(left, 50)
    }
  }

  /// Ends the listening thread.
  package func stop() {
    isStopping.store(true, ordering: .releasing)
    listener.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// What answers requests on one worker's thread, with a session of its own.
  package func responder() -> any HTTPResponder { RESTResponder(self) }
}
