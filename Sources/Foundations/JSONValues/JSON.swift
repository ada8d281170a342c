/// A JSON value. Objects keep their order, numbers their digits, so that what was read can be written back
/// unchanged.
///
/// Literals make values too: `["path": "a.sql", "line": 3]` is an object in that order.
package enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  /// The number's own digits, as in the text: no precision is lost.
  case number(String)
  case string(String)
  case array([JSON])
  case object([Member])

  package struct Member: Sendable, Hashable {
    package let key: String
    package let value: JSON

    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  package static func int(_ value: Int) -> JSON { .number(String(value)) }

  /// The member of an object; nil where this is no object or has no such key. Of a repeated key the first.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var int: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
  package var double: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var array: [JSON]? { if case .array(let items) = self { items } else { nil } }
  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
  package var isNull: Bool { self == .null }
}

// No literal for null: `json["key"] == nil` must go on to mean "there is no such key".
extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
