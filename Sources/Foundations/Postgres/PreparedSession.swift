import CLibPQ

/// A value for a parameter of a prepared statement.
package enum Bind: Sendable, Hashable {
  case null
  case text(String)
  /// The text form as bytes, for a body that is passed through as it came in.
  case bytes([UInt8])
  /// The binary form, for `bytea`.
  case binary([UInt8])
}

/// One statement of a pipeline, with its values apart.
package struct Step: Sendable {
  package var text: String
  package var binds: [Bind]
  /// Whether its values come in binary form: `bytea` as its bytes, text as it is, numbers as
  /// ``Answer/int(_:_:)`` reads them.
  package var answersBinary: Bool

  package init(_ text: String, _ binds: [Bind] = [], answersBinary: Bool = false) {
    self.text = text
    self.binds = binds
    self.answersBinary = answersBinary
  }
}

/// A session that prepares every statement it is given once and keeps it: the second time only the values
/// travel. Pipelines run in one round trip.
package final class PreparedSession {
  package let connection: Connection
  private var names: [String: String] = [:]
  private var counter = 0
  private let capacity: Int
  private var values = BindBuffer()

  /// - Parameter capacity: How many statements are kept; when there are more, all are let go, so that
  ///   neither side grows without bound.
  package init(_ connection: Connection, capacity: Int = 256) {
    self.connection = connection
    self.capacity = capacity
  }

  /// Runs the steps in order in one round trip. The first that fails stops those behind it.
  ///
  /// - Returns: One answer a step.
  /// - Throws: The failed step's ``PostgresError``; ``PostgresError/completedStatements`` is its index. A
  ///   transaction that the steps opened is still open then, and failed.
  package func exchange(_ steps: [Step]) throws -> [Answer] {
    guard let outcome = try exchange(groups: [steps]).first else { return [] }
    return try outcome.get()
  }

  /// Runs groups of steps in one round trip. A step that fails stops those behind it in its group alone.
  ///
  /// - Throws: ``PostgresError`` when the session is lost.
  package func exchange(groups: [[Step]]) throws -> [Swift.Result<[Answer], PostgresError>] {
    if names.count > capacity { try forgetAll() }
    let raw = connection.raw
    for group in groups { for step in group { try step.refuseNUL() } }
    guard PQenterPipelineMode(raw) == 1 else { throw PostgresError.connection(raw) }
    defer { PQexitPipelineMode(raw) }
    var fresh: [String: String] = [:]
    var isPrepared: [[Bool]] = []
    for group in groups { isPrepared.append(try send(group, &fresh)) }
    return try groups.indices.map { try receive(groups[$0], isPrepared[$0], fresh) }
  }

  /// - Returns: For each step whether it had to be prepared first.
  private func send(_ steps: [Step], _ fresh: inout [String: String]) throws -> [Bool] {
    let raw = connection.raw
    var isPrepared: [Bool] = []
    isPrepared.reserveCapacity(steps.count)
    for step in steps {
      // A statement prepared earlier in the same exchange may turn out to have failed: the server then says
      // that it does not exist, and the next exchange prepares it again.
      var name = names[step.text] ?? fresh[step.text]
      isPrepared.append(name == nil)
      if name == nil {
        counter += 1
        let newName = "n\(counter)"
        guard PQsendPrepare(raw, newName, step.text, 0, nil) == 1 else { throw PostgresError.connection(raw) }
        fresh[step.text] = newName
        name = newName
      }
      guard let name, values.send(step, to: name, over: raw) else { throw PostgresError.connection(raw) }
    }
    guard PQpipelineSync(raw) == 1 else { throw PostgresError.connection(raw) }
    return isPrepared
  }

  private func receive(
    _ steps: [Step], _ isPrepared: [Bool], _ fresh: [String: String]
  ) throws -> Swift.Result<[Answer], PostgresError> {
    let raw = connection.raw
    var answers: [Answer] = []
    answers.reserveCapacity(steps.count)
    var failure: PostgresError?
    for (index, step) in steps.enumerated() {
      for isPreparation in isPrepared[index] ? [true, false] : [false] {
        var last: OpaquePointer?
        while let next = PQgetResult(raw) {
          if let last { PQclear(last) }
          last = next
        }
        guard let last else { throw failure ?? PostgresError.connection(raw) }
        let answer = Answer(last)
        if var error = answer.error {
          error.completedStatements = index
          failure = failure ?? error
        } else if isPreparation {
          names[step.text] = fresh[step.text]
        } else {
          answers.append(answer)
        }
      }
    }
    // The synchronisation point's own result.
    while let next = PQgetResult(raw) {
      let isSync = PQresultStatus(next) == PGRES_PIPELINE_SYNC
      PQclear(next)
      if isSync { break }
    }
    if PQstatus(raw) != CONNECTION_OK { throw failure ?? PostgresError.connection(raw) }
    return failure.map { .failure($0) } ?? .success(answers)
  }

  /// Lets every prepared statement go, as is right after the schema changed.
  package func forgetAll() throws {
    names = [:]
    try connection.run("deallocate all")
  }
}

/// A statement's result. Owns libpq's memory, so that large values can be handed on without a copy.
package final class Answer: @unchecked Sendable {
  // A PGresult is never changed after it was received.
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) { self.raw = raw }

  deinit { PQclear(raw) }

  var error: PostgresError? {
    switch PQresultStatus(raw) {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_PIPELINE_ABORTED: PostgresError(result: raw)
    default: nil
    }
  }

  package var rowCount: Int { Int(PQntuples(raw)) }

  /// The value's own bytes, valid as long as this answer lives; nil when null.
  package func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    guard PQgetisnull(raw, Int32(row), Int32(column)) == 0,
      let start = PQgetvalue(raw, Int32(row), Int32(column))
    else { return nil }
    return UnsafeRawBufferPointer(
      start: start, count: Int(PQgetlength(raw, Int32(row), Int32(column))))
  }

  /// The value as a number, in either form; nil when null or no number.
  package func int(_ row: Int, _ column: Int) -> Int? {
    guard let bytes = bytes(row, column) else { return nil }
    let isNumber = [20, 21, 23].contains(PQftype(raw, Int32(column)))
    guard isNumber, PQfformat(raw, Int32(column)) == 1 else {
      return Int(String(decoding: bytes, as: UTF8.self))
    }
    var value = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
    for byte in bytes { value = value << 8 | Int(byte) }
    return value
  }

  /// The value as text; nil when null.
  package func text(_ row: Int, _ column: Int) -> String? {
    bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Step {
  /// libpq's text form ends at the first NUL: a value that holds one would be bound shortened, silently.
  fileprivate func refuseNUL() throws {
    for bind in binds {
      let holdsNUL =
        switch bind {
        case .text(let text): text.utf8.contains(0)
        case .bytes(let bytes): bytes.contains(0)
        case .null, .binary: false
        }
      if holdsNUL {
        throw PostgresError(
          state: SQLState(rawValue: "22021"), message: "invalid byte sequence for encoding \"UTF8\": 0x00")
      }
    }
  }
}

/// The values of one statement laid out for libpq, in memory that is used again for the next.
private struct BindBuffer {
  private var bytes: [UInt8] = []
  private var offsets: [Int] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []

  mutating func send(_ step: Step, to name: String, over raw: OpaquePointer) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    formats.removeAll(keepingCapacity: true)
    for bind in step.binds {
      offsets.append(bytes.count)
      var format: Int32 = 0
      switch bind {
      case .null: offsets[offsets.count - 1] = -1
      case .text(let text): bytes.append(contentsOf: text.utf8)
      case .bytes(let value): bytes.append(contentsOf: value)
      case .binary(let value):
        bytes.append(contentsOf: value)
        format = 1
      }
      lengths.append(Int32(bytes.count - max(offsets.last ?? 0, 0)))
      formats.append(format)
      bytes.append(0)
    }
    let hasSent = bytes.withUnsafeBytes { buffer in
      let values: [UnsafePointer<CChar>?] = offsets.map { offset in
        offset < 0 ? nil : buffer.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
      }
      return PQsendQueryPrepared(
        raw, name, Int32(step.binds.count), values, lengths, formats, step.answersBinary ? 1 : 0) == 1
    }
    // A large body is not kept for the rest of the session's life.
    if bytes.capacity > 1 << 20 { bytes = [] }
    return hasSent
  }
}
