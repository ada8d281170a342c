/// One object, or one right, row or setting, with all that decides what it does.
package struct Entry: Sendable, Hashable {
  /// One thing that is told of it. What is not told is as PostgreSQL makes it by itself.
  package struct Attribute: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Stands for a value that is another one each time the migrations run: the time, a random key.
  package static let anyValue = "(made when applied)"

  package let kind: ObjectKind
  /// As SQL writes it, quoted where it must be; with its schema where it has one; of a column the column alone.
  package let name: String
  /// The schema it is filed under, quoted; nil where it belongs to none.
  package let schema: String?
  /// The ``path`` of what it is part of.
  package let parent: String?
  package var attributes: [Attribute]
  /// Whether the entry says that something the platform brings along is gone.
  package var isAbsent = false
  /// Where a column stands in its table; only for the order of its siblings, never compared.
  package var position: Int?
  /// The paths of what must be there before it; empty where they were not asked for.
  package var needs: [String] = []

  package init(
    _ kind: ObjectKind, _ name: String, schema: String? = nil, parent: String? = nil,
    attributes: [Attribute] = []
  ) {
    self.kind = kind
    self.name = name
    self.schema = schema
    self.parent = parent
    self.attributes = attributes
    path = parent.map { "\($0) \(kind.rawValue) \(name)" } ?? "\(kind.rawValue) \(name)"
  }

  /// What tells it from every other entry: `table public.meals column notes`.
  package let path: String

  package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// A yes-or-no attribute.
  package func says(_ name: String) -> Bool { self[name] != nil }
}
