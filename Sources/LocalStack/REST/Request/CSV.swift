import JSONValues

/// Reads CSV bodies: the first line names the columns, `NULL` is null, everything else a string.
enum CSV {
  /// - Throws: PGRST102.
  static func rows(_ body: [UInt8]) throws -> JSON {
    var records = try records(body)
    guard !records.isEmpty else { throw RESTError.invalidBody("not enough input") }
    let header = records.removeFirst()
    return .array(
      try records.map { record in
        guard record.count == header.count else {
          throw RESTError.invalidBody("All lines must have same number of fields")
        }
        return .object(
          zip(header, record).map { name, value in
            JSON.Member(name, value == "NULL" ? .null : .string(value))
          })
      })
  }

  private static func records(_ body: [UInt8]) throws -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field: [UInt8] = []
    var index = 0
    func finishField() {
      record.append(String(decoding: field, as: UTF8.self))
      field = []
    }
    func finishRecord() {
      finishField()
      // Blank lines are no records.
      if record != [""] { records.append(record) }
      record = []
    }
    while index < body.count {
      let byte = body[index]
      switch byte {
      case UInt8(ascii: "\"") where field.isEmpty:
        index += 1
        while true {
          guard index < body.count else { throw RESTError.invalidBody("not enough input") }
          if body[index] == UInt8(ascii: "\"") {
            guard index + 1 < body.count, body[index + 1] == UInt8(ascii: "\"") else { break }
            index += 1
          }
          field.append(body[index])
          index += 1
        }
        index += 1
      case UInt8(ascii: ","):
        finishField()
        index += 1
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        if byte == UInt8(ascii: "\r"), index + 1 < body.count, body[index + 1] == UInt8(ascii: "\n") {
          index += 1
        }
        index += 1
        finishRecord()
      default:
        field.append(byte)
        index += 1
      }
    }
    if !field.isEmpty || !record.isEmpty { finishRecord() }
    return records
  }
}
