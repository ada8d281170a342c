// What a query string says, as values.

/// A column, or a value inside a JSON column.
struct Field: Hashable, Sendable {
  var name: String
  var path: [JSONStep] = []
}

/// `->key`, `->>key`, `->0`.
struct JSONStep: Hashable, Sendable {
  enum Operand: Hashable, Sendable {
    case key(String)
    /// With its sign: `+1`, `-1`.
    case index(String)
  }

  var isText: Bool
  var operand: Operand
}

enum Aggregate: String, Sendable {
  case sum, avg, count, max, min
}

enum JoinKind: Sendable {
  case inner, left
}

/// One item of `select`, with the items inside its parentheses.
struct SelectItem: Sendable {
  enum Kind: Sendable {
    case field(SelectedField)
    case relation(name: String, alias: String?, hint: String?, join: JoinKind?)
    case spread(name: String, hint: String?, join: JoinKind?)
  }

  var kind: Kind
  var children: [SelectItem] = []
}

struct SelectedField: Sendable {
  var field: Field
  var aggregate: Aggregate?
  var aggregateCast: String?
  var cast: String?
  var alias: String?
}

enum IsValue: String, Sendable {
  case null = "NULL"
  case notNull = "NOT NULL"
  case isTrue = "TRUE"
  case isFalse = "FALSE"
  case unknown = "UNKNOWN"
}

enum Quantifier: String, Sendable {
  case any = "ANY"
  case all = "ALL"
}

/// An operator and its value. The operators are SQL's own, from a closed list.
enum Operation: Sendable {
  case simple(sql: String, value: String)
  case quantified(sql: String, isPattern: Bool, quantifier: Quantifier?, value: String)
  case among([String])
  case `is`(IsValue)
  case isDistinct(String)
  case fullText(function: String, language: String?, query: String)
}

struct Filter: Sendable {
  var field: Field
  var isNegated: Bool
  var operation: Operation
}

indirect enum LogicTree: Sendable {
  case filter(Filter)
  case group(isNegated: Bool, isAnd: Bool, [LogicTree])
}

enum OrderDirection: String, Sendable {
  case ascending = "ASC"
  case descending = "DESC"
}

enum OrderNulls: String, Sendable {
  case first = "NULLS FIRST"
  case last = "NULLS LAST"
}

struct OrderTerm: Sendable {
  /// The embedded relation whose column it is; nil for one of the relation's own.
  var relation: String?
  var field: Field
  var direction: OrderDirection?
  var nulls: OrderNulls?
}

/// Something that is said of an embedded resource, or of the root where the path is empty.
struct Placed<Value: Sendable>: Sendable {
  var path: [String]
  var value: Value
}
