import JSONValues

/// How two relations belong together, seen from `table`.
struct Relationship: Hashable, Sendable {
  struct Pair: Hashable, Sendable, Comparable {
    /// A column of `table` (of the junction's near side for many-to-many).
    var source: String
    /// The column it is compared with.
    var target: String

    static func < (one: Pair, two: Pair) -> Bool {
      (one.source, one.target) < (two.source, two.target)
    }

    var swapped: Pair { Pair(source: target, target: source) }
  }

  struct Junction: Hashable, Sendable {
    var table: QualifiedName
    var constraint1: String
    var constraint2: String
    /// Column of `table`, column of the junction.
    var source: [Pair]
    /// Column of `foreignTable`, column of the junction.
    var target: [Pair]
  }

  enum Cardinality: Hashable, Sendable {
    case oneToMany(constraint: String, [Pair])
    case manyToOne(constraint: String, [Pair])
    case oneToOne(constraint: String, [Pair], isParent: Bool)
    case manyToMany(Junction)
    /// By a function over a row of `table`.
    case computed(function: QualifiedName, isToOne: Bool)
  }

  var table: QualifiedName
  var foreignTable: QualifiedName
  var isSelf: Bool
  var cardinality: Cardinality
  var tableIsView = false
  var foreignTableIsView = false

  var isToOne: Bool {
    switch cardinality {
    case .manyToOne, .oneToOne: true
    case .computed(_, let isToOne): isToOne
    case .oneToMany, .manyToMany: false
    }
  }

  var isComputed: Bool { if case .computed = cardinality { true } else { false } }

  /// Columns compared directly, none for the other kinds.
  var pairs: [Pair] {
    switch cardinality {
    case .oneToMany(_, let pairs), .manyToOne(_, let pairs), .oneToOne(_, let pairs, _): pairs
    case .manyToMany, .computed: []
    }
  }

  var constraint: String? {
    switch cardinality {
    case .oneToMany(let name, _), .manyToOne(let name, _), .oneToOne(let name, _, _): name
    case .manyToMany, .computed: nil
    }
  }

  // MARK: - For error messages

  /// The name that picks this one among several.
  var hintName: String {
    if case .manyToMany(let junction) = cardinality { return junction.table.name }
    return constraint ?? ""
  }

  var described: JSON {
    let embedding = JSON.string("\(table.name) with \(foreignTable.name)")
    func list(_ names: [String]) -> String { "(\(names.joined(separator: ", ")))" }
    let word: String
    let relationship: String
    switch cardinality {
    case .manyToMany(let junction):
      word = "many-to-many"
      relationship =
        "\(junction.table.name) using \(junction.constraint1)\(list(junction.source.map(\.target))) and "
        + "\(junction.constraint2)\(list(junction.target.map(\.target)))"
    case .oneToMany(let name, let pairs), .manyToOne(let name, let pairs), .oneToOne(let name, let pairs, _):
      word =
        switch cardinality {
        case .oneToMany: "one-to-many"
        case .manyToOne: "many-to-one"
        default: "one-to-one"
        }
      relationship =
        "\(name) using \(table.name)\(list(pairs.map(\.source))) and "
        + "\(foreignTable.name)\(list(pairs.map(\.target)))"
    case .computed: return .object([])
    }
    return [
      "cardinality": .string(word), "embedding": embedding, "relationship": .string(relationship),
    ]
  }

  /// A total order, so that several are told in the same order every time.
  static func comesBefore(_ one: Relationship, _ two: Relationship) -> Bool {
    if one.isComputed != two.isComputed { return two.isComputed }
    if one.table != two.table { return one.table < two.table }
    if one.foreignTable != two.foreignTable { return one.foreignTable < two.foreignTable }
    if one.isSelf != two.isSelf { return two.isSelf }
    if one.rank != two.rank { return one.rank < two.rank }
    if one.sortNames != two.sortNames { return one.sortNames.lexicographicallyPrecedes(two.sortNames) }
    return one.sortPairs.lexicographicallyPrecedes(two.sortPairs)
  }

  private var rank: Int {
    switch cardinality {
    case .oneToMany: 0
    case .manyToOne: 1
    case .oneToOne: 2
    case .manyToMany: 3
    case .computed: 4
    }
  }

  private var sortNames: [String] {
    if case .manyToMany(let junction) = cardinality {
      return [junction.table.schema, junction.table.name, junction.constraint1, junction.constraint2]
    }
    if case .computed(let function, _) = cardinality { return [function.schema, function.name] }
    return [constraint ?? ""]
  }

  private var sortPairs: [Pair] {
    if case .manyToMany(let junction) = cardinality { return junction.source + junction.target }
    return pairs
  }
}
