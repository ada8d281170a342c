import CLibPQ

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One row, its values in text form; nil is SQL's null.
package struct Row: Sendable, Hashable {
  package let columns: [String]
  package let values: [String?]

  package subscript(index: Int) -> String? { values[index] }

  /// The value of a column by its name; nil when null.
  /// - Precondition: The row has such a column.
  package subscript(name: String) -> String? {
    guard let index = columns.firstIndex(of: name) else { preconditionFailure("no column \(name)") }
    return values[index]
  }
}

/// Owns a `PGresult` and clears it.
final class Result {
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) { self.raw = raw }

  deinit { PQclear(raw) }

  var status: ExecStatusType { PQresultStatus(raw) }

  var affected: Int { Int(String(cString: PQcmdTuples(raw))) ?? 0 }

  /// The rows a statement inserted, changed, deleted or copied in; 0 for one that only read.
  var written: Int {
    let command = String(cString: PQcmdStatus(raw)).prefix { $0 != " " }
    return ["INSERT", "UPDATE", "DELETE", "MERGE", "COPY"].contains(command) ? affected : 0
  }

  var error: PostgresError? {
    switch status {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_PIPELINE_ABORTED: PostgresError(result: raw)
    default: nil
    }
  }

  var rows: [Row] {
    let columns = (0..<PQnfields(raw)).map { String(cString: PQfname(raw, $0)) }
    return (0..<PQntuples(raw)).map { row in
      Row(columns: columns, values: columns.indices.map { value(row, Int32($0)) })
    }
  }

  private func value(_ row: Int32, _ column: Int32) -> String? {
    guard PQgetisnull(raw, row, column) == 0, let start = PQgetvalue(raw, row, column) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(raw, row, column)))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension PostgresError {
  /// Reads the fields of a failed result or a notice.
  init(result: OpaquePointer) {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    guard let message = field("M") else {
      self = Self.lost(PQresultErrorMessage(result).map { String(cString: $0) } ?? "")
      return
    }
    self.init(
      state: SQLState(rawValue: field("C") ?? "08006"),
      message: message,
      detail: field("D"), hint: field("H"),
      position: field("P").flatMap { Int($0) })
    context = field("W")
    schema = field("s")
    table = field("t")
    column = field("c")
    constraint = field("n")
    severity = field("V")
  }

  /// The connection's own failure: refused, lost, or out of memory.
  static func connection(_ raw: OpaquePointer) -> PostgresError {
    lost(PQerrorMessage(raw).map { String(cString: $0) } ?? "the connection failed")
  }

  /// libpq's own words come in several lines, of which the first is the message.
  private static func lost(_ text: String) -> PostgresError {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.filter {
      !$0.isEmpty
    }
    let rest = lines.dropFirst().joined(separator: " ")
    return PostgresError(
      state: SQLState(rawValue: "08006"), message: lines.first.map(String.init) ?? "the connection failed",
      detail: rest.isEmpty ? nil : rest)
  }
}

/// The strings as a null-terminated array of C strings for the time of `body`; nil stays a null pointer.
func withCStrings<T>(
  _ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
) -> T {
  let copies = strings.map { $0.map { strdup($0) } }
  defer { for copy in copies { free(copy ?? nil) } }
  var pointers: [UnsafePointer<CChar>?] = copies.map { $0.flatMap { $0.map { UnsafePointer($0) } } }
  pointers.append(nil)
  return pointers.withUnsafeBufferPointer { buffer in
    // A buffer of at least one element has a base address.
    body(buffer.baseAddress!)
  }
}
