/// A field with what is known of its type.
struct ResolvedField: Hashable, Sendable {
  enum TextSearch: Hashable, Sendable {
    case defaultLanguage
    case language(String)
  }

  var name: String
  var path: [JSONStep] = []
  /// Whether the column must become JSON before a path can be followed.
  var needsJSON = false
  /// Set where the column must become a tsvector.
  var textSearch: TextSearch?
  /// The declared type; empty when it is not known.
  var type = ""
  var baseType = ""
  /// The function that converts between the column and what is shown or given.
  var transform: String?
  var defaultSQL: String?
  /// Whether it stands for the whole row instead of a column.
  var isFullRow = false

  static func unknown(_ name: String, _ path: [JSONStep] = []) -> ResolvedField {
    ResolvedField(name: name, path: path)
  }
}

struct ResolvedSelect: Sendable {
  var field: ResolvedField
  var aggregate: Aggregate?
  var aggregateCast: String?
  var cast: String?
  var alias: String?
}

indirect enum ResolvedLogic: Sendable {
  case filter(ResolvedField, isNegated: Bool, Operation)
  /// Whether an embedded resource has rows.
  case embedIsNull(alias: String, isNegated: Bool)
  case group(isNegated: Bool, isAnd: Bool, [ResolvedLogic])
}

struct ResolvedOrder: Sendable {
  /// The alias of the embedded relation whose column it is.
  var relation: String?
  var field: ResolvedField
  var direction: OrderDirection?
  var nulls: OrderNulls?
}

/// What a spread embed gives to the select list above it.
struct SpreadField: Sendable {
  var name: String
  var aggregate: Aggregate?
  var aggregateCast: String?
  var alias: String?
}

/// How an embedded resource shows in the select list.
enum EmbedSelect: Sendable {
  case json(name: String, alias: String, isObject: Bool, isEmpty: Bool)
  case spread([SpreadField], alias: String)

  var alias: String {
    switch self {
    case .json(_, let alias, _, _), .spread(_, let alias): alias
    }
  }
}

enum Spread: Sendable {
  case toOne
  /// Extra columns to sort by, with the embedded relation they come from, and the order itself.
  case toMany(extra: [(relation: String?, select: ResolvedSelect)], order: [ResolvedOrder])

  var isToOne: Bool { if case .toOne = self { true } else { false } }
}

struct JoinCondition: Sendable {
  var left: (table: QualifiedName, column: String)
  var right: (table: QualifiedName, column: String)
}

/// One relation of a read: the root, or an embedded one.
final class ReadNode {
  var select: [ResolvedSelect] = []
  var from: QualifiedName
  var fromAlias: String?
  var conditions: [ResolvedLogic] = []
  var order: [ResolvedOrder] = []
  var range = RowRange.all
  /// What the request called it.
  let name: String
  let alias: String?
  let hint: String?
  let join: JoinKind?
  var spread: Spread?
  var relationship: Relationship?
  /// For a computed relationship: the relation or alias whose row the function gets.
  var computedFrom: QualifiedName?
  var joinConditions: [JoinCondition] = []
  /// The alias of the lateral join.
  var joinAlias = ""
  var embeds: [EmbedSelect] = []
  let depth: Int
  var children: [ReadNode] = []

  init(
    from: QualifiedName, name: String, alias: String? = nil, hint: String? = nil, join: JoinKind? = nil,
    isSpread: Bool = false, depth: Int
  ) {
    self.from = from
    self.name = name
    self.alias = alias
    self.hint = hint
    self.join = join
    spread = isSpread ? .toOne : nil
    self.depth = depth
  }

  /// What its columns are qualified with.
  var qualifier: QualifiedName {
    if case .computed(let function, _) = relationship?.cardinality {
      return QualifiedName("", fromAlias ?? function.name)
    }
    return fromAlias.map { QualifiedName("", $0) } ?? from
  }

  /// Whether it is all of the relation and nothing else.
  var isDefaultSelect: Bool { children.isEmpty && select.count == 1 && select[0].field.name == "*" }
}
