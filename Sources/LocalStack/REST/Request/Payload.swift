import JSONValues

/// A request's body, read as far as its keys.
enum Payload {
  /// JSON as it came in, or made from another form. Nothing of it is kept but its text and its keys.
  case json([UInt8], isObject: Bool)
  /// Arguments in form encoding, of a call.
  case form([(name: String, value: String)])
  /// Anything, for a function with one unnamed parameter.
  case raw([UInt8])

  /// The bytes to bind.
  var bytes: [UInt8] {
    switch self {
    case .json(let bytes, _), .raw(let bytes): bytes
    case .form(let pairs):
      JSON.object(
        pairs.reversed().reduce(into: [JSON.Member]()) { members, pair in
          if !members.contains(where: { $0.key == pair.name }) {
            members.append(.init(pair.name, .string(pair.value)))
          }
        }
      ).bytes()
    }
  }

  var isObject: Bool { if case .json(_, let isObject) = self { isObject } else { true } }

  /// - Returns: The payload, and the columns or arguments it is about in alphabetical order.
  /// - Throws: PGRST102.
  static func read(
    _ body: [UInt8], _ type: MediaType, _ parameters: QueryParameters, _ action: Action
  ) throws -> (Payload?, [String]) {
    var named = parameters.columns
    switch action {
    case .mutate(_, .create), .mutate(_, .update), .post: break
    case .mutate(_, .singleUpsert): named = nil
    default: return (nil, [])
    }
    let isCall = action.isCall
    switch (type, isCall) {
    case (.json, _):
      if let named { return (.json(body, isObject: startsObject(body)), Array(Set(named)).sorted()) }
      if body.isEmpty, isCall { return (.json(Array("{}".utf8), isObject: true), []) }
      return try json(body)
    case (.csv, _):
      return try json(CSV.rows(body))
    case (.form, true):
      let pairs = form(body)
      return (.form(pairs), Set(pairs.map(\.name)).sorted())
    case (.form, false):
      let payload = Payload.form(form(body))
      return (.json(payload.bytes, isObject: true), Set(form(body).map(\.name)).sorted())
    case (.plainText, true), (.xml, true), (.octets, true): return (.raw(body), [])
    default: throw RESTError.invalidBody("Content-Type not acceptable: " + type.name)
    }
  }

  private static func form(_ body: [UInt8]) -> [(name: String, value: String)] {
    QueryString(String(decoding: body, as: UTF8.self)).pairs.map { ($0.key, $0.value ?? "") }
  }

  /// A light look: the server itself checks that it is JSON.
  static func startsObject(_ body: [UInt8]) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
  }

  private static func json(_ body: [UInt8]) throws -> (Payload, [String]) {
    guard let value = try? JSON(parsing: body) else {
      throw RESTError.invalidBody("Empty or invalid json")
    }
    return try json(value, body, mismatch: "All object keys must match")
  }

  private static func json(_ rows: JSON) throws -> (Payload, [String]) {
    try json(rows, rows.bytes(), mismatch: "All lines must have same number of fields")
  }

  private static func json(
    _ value: JSON, _ body: [UInt8], mismatch: String
  ) throws -> (Payload, [String]) {
    switch value {
    case .object(let members): return (.json(body, isObject: true), Set(members.map(\.key)).sorted())
    case .array(let items) where !items.isEmpty:
      guard let first = items[0].members else { throw RESTError.invalidBody(mismatch) }
      let keys = first.map(\.key)
      let keySet = Set(keys)
      for item in items.dropFirst() {
        guard let members = item.members else { throw RESTError.invalidBody(mismatch) }
        // Nearly always the keys come in the same order.
        if members.count == keys.count, zip(members, keys).allSatisfy({ $0.key == $1 }) { continue }
        guard Set(members.map(\.key)) == keySet else { throw RESTError.invalidBody(mismatch) }
      }
      return (.json(body, isObject: false), keySet.sorted())
    default:
      // A bare value counts as no rows.
      return (.json(Array("[]".utf8), isObject: false), [])
    }
  }
}
