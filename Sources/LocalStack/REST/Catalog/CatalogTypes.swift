/// A name with its schema. An empty schema leaves the search path to decide.
struct QualifiedName: Hashable, Sendable, Comparable {
  var schema: String
  var name: String

  init(_ schema: String, _ name: String) {
    self.schema = schema
    self.name = name
  }

  static func < (one: QualifiedName, two: QualifiedName) -> Bool {
    (one.schema, one.name) < (two.schema, two.name)
  }
}

struct Column: Sendable {
  var name: String
  var comment: String?
  var isNullable: Bool
  /// The type below domains, without modifiers for built-in types.
  var baseType: String
  /// The type as it was declared, modifiers included.
  var type: String
  var maximumLength: Int?
  /// The SQL that makes a value where none is given.
  var defaultSQL: String?
  var labels: [String]
}

/// A table, view, materialized view or foreign table.
struct Table: Sendable {
  var name: QualifiedName
  var comment: String?
  var isView: Bool
  var isInsertable: Bool
  var isUpdatable: Bool
  var isDeletable: Bool
  var primaryKey: [String]
  var columns: [Column]
  private var positions: [String: Int]

  init(
    name: QualifiedName, comment: String?, isView: Bool, isInsertable: Bool, isUpdatable: Bool,
    isDeletable: Bool, primaryKey: [String], columns: [Column]
  ) {
    self.name = name
    self.comment = comment
    self.isView = isView
    self.isInsertable = isInsertable
    self.isUpdatable = isUpdatable
    self.isDeletable = isDeletable
    self.primaryKey = primaryKey
    self.columns = columns
    positions = Dictionary(
      columns.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(column name: String) -> Column? { positions[name].map { columns[$0] } }
}

struct Routine: Sendable {
  struct Parameter: Sendable {
    /// Empty for an unnamed one.
    var name: String
    var type: String
    /// The type to cast to: those that cut a value to length are replaced by ones that do not.
    var castType: String
    var isRequired: Bool
    var isVariadic: Bool
  }

  enum Volatility: Sendable {
    case volatile, stable, immutable
  }

  var name: QualifiedName
  var comment: String?
  var parameters: [Parameter]
  var returnsSet: Bool
  /// The row type, domain or scalar type it returns.
  var returnType: QualifiedName
  var returnsComposite: Bool
  var volatility: Volatility
  var hasVariadic: Bool
  /// What the function's own `SET default_transaction_isolation` says.
  var isolation: String?
  /// Settings of the function that are made for the whole transaction.
  var settings: [(name: String, value: String)]

  var returnsScalar: Bool { !returnsSet && !returnsComposite }
  var returnsSetOfScalar: Bool { returnsSet && !returnsComposite }
  var returnsSingle: Bool { !returnsSet }
  var returnsSingleComposite: Bool { !returnsSet && returnsComposite }
  var returnsVoid: Bool { returnsScalar && returnType == QualifiedName("pg_catalog", "void") }
}

/// What a media type handler can be asked for: a row of one relation, or of any.
enum HandlerTarget: Hashable, Sendable {
  case relation(QualifiedName)
  case any
}

/// How a body is made from rows.
enum MediaHandler: Hashable, Sendable {
  case json, geoJSON, csv
  case object(stripped: Bool)
  case strippedArray
  case custom(function: QualifiedName, target: HandlerTarget)
  /// No body at all.
  case none
}
