import CLibPQ

/// One session with the server. Not `Sendable`: a session does one thing at a time, and the compiler
/// forbids sharing it. libpq blocks, so never use one on Swift's cooperative pool.
package final class Connection {
  let raw: OpaquePointer
  /// Called for every notice and warning of the server while a call on this session runs.
  package var onNotice: ((PostgresError) -> Void)?
  /// What must live as long as this session, such as the throw-away server it is connected to.
  package var owner: AnyObject?

  /// Connects with a libpq connection string (URI or `key=value`). What it does not say is taken from
  /// libpq's environment and defaults, as psql does.
  ///
  /// - Throws: ``PostgresError`` of class 08, or the server's own refusal.
  package convenience init(_ conninfo: String) throws {
    try self.init(parameters: [("dbname", conninfo)], expandingName: true)
  }

  /// Connects with the given parameters, last one wins. Parameters that are not given come from libpq's
  /// environment; give an empty value to keep the environment out.
  package convenience init(parameters: [(String, String)]) throws {
    // As one string: in libpq's parameter arrays an empty value counts as none, and the environment's wins.
    try self.init(parameters: [("dbname", Self.conninfo(parameters))], expandingName: true)
  }

  /// Parameters as one connection string, each value quoted.
  package static func conninfo(_ parameters: [(String, String)]) -> String {
    let pairs = parameters.map { key, value in
      let quoted = value.reduce(into: "") { text, character in
        if character == "'" || character == "\\" { text.append("\\") }
        text.append(character)
      }
      return "\(key)='\(quoted)'"
    }
    return pairs.joined(separator: " ")
  }

  /// Whether a server is there and turns sessions away because it starts, recovers or stops.
  package static func isTurningAway(parameters: [(String, String)]) -> Bool {
    PQping(conninfo(parameters)) == PQPING_REJECT
  }

  private init(parameters: [(String, String)], expandingName: Bool) throws {
    // `client_encoding` last: positions and texts are counted in Unicode scalars everywhere in nomdev.
    let all = parameters + [("client_encoding", "UTF8"), ("fallback_application_name", "nomdev")]
    let connection = withCStrings(all.map(\.0)) { keys in
      withCStrings(all.map(\.1)) { values in PQconnectdbParams(keys, values, expandingName ? 1 : 0) }
    }
    guard let connection else { throw PostgresError(state: .connectionException, message: "out of memory") }
    guard PQstatus(connection) == CONNECTION_OK else {
      let error = PostgresError.connection(connection)
      PQfinish(connection)
      throw error
    }
    raw = connection
    PQsetNoticeReceiver(
      raw,
      { context, result in
        guard let context, let result else { return }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        connection.onNotice?(PostgresError(result: result))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { PQfinish(raw) }

  /// The server's version as libpq counts it: 150018 is 15.18.
  package var serverVersion: Int { Int(PQserverVersion(raw)) }
  /// The process id of this session's backend on the server.
  package var backendPID: Int32 { PQbackendPID(raw) }
  package var transactionStatus: TransactionStatus { TransactionStatus(PQtransactionStatus(raw)) }
  package var database: String { String(cString: PQdb(raw)) }
  package var user: String { String(cString: PQuser(raw)) }
  package var port: String { String(cString: PQport(raw)) }
  /// The host name or socket folder this session was asked to reach.
  package var host: String { String(cString: PQhost(raw)) }
  /// The address this session is connected to; empty over a unix socket.
  package var hostAddress: String { PQhostaddr(raw).map { String(cString: $0) } ?? "" }
  /// The socket's file descriptor, to ask the kernel who is at the other end.
  package var socket: Int32 { PQsocket(raw) }

  // MARK: - Statements

  /// Runs one statement and returns its rows, empty for a statement without any.
  package func rows(_ sql: SQL) throws -> [Row] { try execute(sql).rows }

  /// The first column of the first row; nil when there is no row or it is null.
  package func value(_ sql: SQL) throws -> String? { try rows(sql).first?[0] }

  /// Runs one statement and returns how many rows it touched, 0 for a utility statement.
  @discardableResult
  package func run(_ sql: SQL) throws -> Int { try execute(sql).affected }

  private func execute(_ sql: SQL) throws -> Result {
    guard send(sql) else { throw PostgresError.connection(raw) }
    return try collect()
  }

  private func send(_ sql: SQL) -> Bool {
    withCStrings(sql.binds) { values in
      PQsendQueryParams(raw, sql.text, Int32(sql.binds.count), nil, values, nil, nil, 0) == 1
    }
  }

  /// Reads every result of what was sent and returns the last one, or throws the first error.
  private func collect() throws -> Result {
    var last: Result?
    var failure: PostgresError?
    while let next = PQgetResult(raw) {
      let result = Result(next)
      if let error = result.error { failure = failure ?? error }
      last = result
    }
    if let failure { throw failure }
    guard let last else { throw PostgresError.connection(raw) }
    return last
  }

  // MARK: - Scripts

  /// Sends many statements as one message of the simple protocol, nothing bound and nothing split, so that
  /// the server's error positions are positions in `script`.
  ///
  /// - Parameter copyData: What to feed the `COPY … FROM STDIN` that ends the script, in COPY's text form.
  ///   A COPY from stdin without data gets none, and one to stdout is read and dropped.
  /// - Returns: How many statements ended, empty ones not counted, and how many rows they wrote.
  /// - Throws: ``PostgresError`` with ``PostgresError/completedStatements``. Outside a transaction block
  ///   the server has rolled the whole script back; inside one, the block is failed.
  @discardableResult
  package func run(script: String, copyData: [UInt8] = []) throws -> (statements: Int, rowsWritten: Int) {
    guard PQsendQuery(raw, script) == 1 else { throw PostgresError.connection(raw) }
    var completed = 0
    var written = 0
    var failure: PostgresError?
    while let next = PQgetResult(raw) {
      let result = Result(next)
      switch result.status {
      case PGRES_COPY_IN: if !feed(copyData) { failure = failure ?? PostgresError.connection(raw) }
      case PGRES_COPY_OUT, PGRES_COPY_BOTH: drainCopyOut()
      case PGRES_EMPTY_QUERY: break
      default:
        if var error = result.error {
          error.completedStatements = completed
          failure = failure ?? error
        } else {
          completed += 1
          written += result.written
        }
      }
    }
    if let failure { throw failure }
    if PQstatus(raw) != CONNECTION_OK { throw PostgresError.connection(raw) }
    return (completed, written)
  }

  /// Loads rows in COPY's text form, bytes as they are.
  ///
  /// - Parameter sql: `copy t (a, b) from stdin` and its options.
  /// - Returns: How many rows came in.
  @discardableResult
  package func copyIn(_ sql: SQL, _ data: [UInt8]) throws -> Int {
    guard send(sql) else { throw PostgresError.connection(raw) }
    guard let first = PQgetResult(raw) else { throw PostgresError.connection(raw) }
    let result = Result(first)
    guard result.status == PGRES_COPY_IN else {
      let rest = try? collect()
      throw result.error ?? rest?.error
        ?? PostgresError(state: .syntaxError, message: "not a COPY FROM STDIN: \(sql.text)")
    }
    _ = feed(data)
    return try collect().affected
  }

  private func feed(_ data: [UInt8]) -> Bool {
    let chunk = 1 << 20
    var start = 0
    while start < data.count {
      let end = min(start + chunk, data.count)
      let sent = data[start..<end].withUnsafeBytes { bytes in
        PQputCopyData(raw, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
      }
      guard sent == 1 else { return false }
      start = end
    }
    return PQputCopyEnd(raw, nil) == 1
  }

  private func drainCopyOut() {
    var buffer: UnsafeMutablePointer<CChar>?
    while PQgetCopyData(raw, &buffer, 0) > 0 { PQfreemem(buffer) }
  }

  // MARK: - Pipelines and transactions

  /// Sends all statements in one round trip and returns their rows in order.
  ///
  /// Outside a transaction block they are one implicit transaction: the first error undoes them all.
  ///
  /// - Throws: The first statement's ``PostgresError``; its ``PostgresError/completedStatements`` is the
  ///   index of the statement that failed.
  @discardableResult
  package func pipeline(_ statements: [SQL]) throws -> [[Row]] {
    guard !statements.isEmpty else { return [] }
    guard PQenterPipelineMode(raw) == 1 else { throw PostgresError.connection(raw) }
    defer { PQexitPipelineMode(raw) }
    for statement in statements where !send(statement) { throw PostgresError.connection(raw) }
    guard PQpipelineSync(raw) == 1 else { throw PostgresError.connection(raw) }
    var answers: [[Row]] = []
    var failure: PostgresError?
    for index in statements.indices {
      var rows: [Row] = []
      while let next = PQgetResult(raw) {
        let result = Result(next)
        if var error = result.error {
          error.completedStatements = index
          failure = failure ?? error
        } else {
          rows = result.rows
        }
      }
      answers.append(rows)
    }
    // The synchronisation point's own result, then the end.
    while let next = PQgetResult(raw) {
      let isSync = PQresultStatus(next) == PGRES_PIPELINE_SYNC
      PQclear(next)
      if isSync { break }
    }
    if PQstatus(raw) != CONNECTION_OK { throw failure ?? PostgresError.connection(raw) }
    if let failure { throw failure }
    return answers
  }

  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
  package func transaction<T>(_ begin: SQL = "begin", _ body: () throws -> T) throws -> T {
    try run(begin)
    do {
      let value = try body()
      try run("commit")
      return value
    } catch {
      // The session may be gone, and then the server has rolled back by itself.
      if PQstatus(raw) == CONNECTION_OK { _ = try? run("rollback") }
      throw error
    }
  }

  /// What can stop the statement this session is running, from any thread.
  package func canceller() -> Canceller { Canceller(PQgetCancel(raw)) }
}

/// Stops the running statement of one session. May be used from any thread, any number of times.
package final class Canceller: @unchecked Sendable {
  // Immutable after creation; PQcancel only reads it and is documented as safe in signal handlers.
  private let raw: OpaquePointer?

  init(_ raw: OpaquePointer?) { self.raw = raw }

  deinit { PQfreeCancel(raw) }

  /// Asks the server to stop. The session's own call then throws 57014, unless it had just ended.
  package func cancel() {
    guard let raw else { return }
    var message = [CChar](repeating: 0, count: 256)
    _ = PQcancel(raw, &message, Int32(message.count))
  }
}

package enum TransactionStatus: Sendable {
  case idle, active, inTransaction, inFailedTransaction, unknown

  init(_ status: PGTransactionStatusType) {
    self =
      switch status {
      case PQTRANS_IDLE: .idle
      case PQTRANS_ACTIVE: .active
      case PQTRANS_INTRANS: .inTransaction
      case PQTRANS_INERROR: .inFailedTransaction
      default: .unknown
      }
  }
}
