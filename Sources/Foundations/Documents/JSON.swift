/// A JSON value. Objects keep their order, numbers their digits, so that what was read can be written back
/// unchanged.
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

  /// The member of an object; nil where this is no object or has no such key.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var int: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var array: [JSON]? { if case .array(let items) = self { items } else { nil } }
  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
}
