/// What a query string asks for.
struct QueryParameters: Sendable {
  /// The arguments of a function call by GET.
  var arguments: [(name: String, value: String)] = []
  /// Limit and offset, by the embed path as written (`limit`, `child.limit`).
  var ranges: [String: RowRange] = [:]
  var orders: [Placed<[OrderTerm]>] = []
  var logic: [Placed<LogicTree>] = []
  var columns: [String]?
  var select: [SelectItem] = []
  var filters: [Placed<Filter>] = []
  /// The keys that filters were written with.
  var filterKeys: Set<String> = []
  var onConflict: [String]?
  /// The whole query, sorted and encoded again.
  let canonical: String

  var rootFilters: [Filter] { filters.filter(\.path.isEmpty).map(\.value) }
  var embedFilters: [Placed<Filter>] { filters.filter { !$0.path.isEmpty } }

  /// - Parameter isCall: Values that are no operator expressions are then arguments.
  /// - Throws: ``RESTError`` PGRST100.
  init(_ query: String, isCall: Bool) throws {
    let text = QueryString(query)
    canonical = text.canonical
    var limits: [(String, String)] = []
    var offsets: [(String, String)] = []
    var orderPairs: [(String, String)] = []
    var logicPairs: [(String, String)] = []
    var filterPairs: [(String, String)] = []
    var first: [String: String] = [:]
    for pair in text.pairs {
      guard let value = pair.value else {
        continue
      }
      let key = pair.key
      if ["select", "columns", "on_conflict"].contains(key) {
        if first[key] == nil { first[key] = value }
        continue
      }
      switch key.split(separator: ".", omittingEmptySubsequences: false).last ?? "" {
      case "order": orderPairs.append((key, value))
      case "limit": limits.append((key, value))
      case "offset": offsets.append((String(key.dropLast(6)) + "limit", value))
      case "and", "or": logicPairs.append((key, value))
      default: filterPairs.append((key, value))
      }
    }
    orders = try orderPairs.map { key, value in
      let path = try Self.parse(key, "tree path", NameGrammar.treePath).path
      return Placed(path: path, value: try Self.parse(value, "order", OrderGrammar.terms))
    }
    logic = try logicPairs.map { key, value in
      let place = try Self.parse(key, "logic path", FilterGrammar.logicPath)
      let tree = try Self.parse(place.value + value, naming: value, "logic tree", FilterGrammar.tree)
      return Placed(path: place.path, value: tree)
    }
    columns = try first["columns"].map { try Self.parse($0, "columns parameter", NameGrammar.columns) }
    select = try Self.parse(first["select"] ?? "*", "select parameter", SelectGrammar.items)
    for (key, value) in filterPairs { try add(filter: key, value, isCall: isCall) }
    onConflict = try first["on_conflict"].map {
      try Self.parse($0, "on_conflict parameter", NameGrammar.columns)
    }
    ranges = Self.ranges(limits, offsets)
    filterKeys = Set(filterPairs.map(\.0))
  }

  private typealias Expression = (isNegated: Bool, operation: Operation)

  private mutating func add(filter key: String, _ value: String, isCall: Bool) throws {
    let place = try Self.parse(key, "tree path", NameGrammar.treePath)
    let filter: Grammar<Expression?> = { input in
      FilterGrammar.expression(FilterGrammar.wholeValue, &input).map { .some($0) }
    }
    let argument: Grammar<Expression?> = { _ in .success(nil) }
    let expression = try Self.parse(
      value, "filter", isCall ? { $0.choose(filter, argument) } : filter)
    guard let (isNegated, operation) = expression else {
      arguments.append((place.value.name, value))
      return
    }
    filters.append(
      Placed(
        path: place.path, value: Filter(field: place.value, isNegated: isNegated, operation: operation)))
  }

  private static func ranges(
    _ limits: [(String, String)], _ offsets: [(String, String)]
  ) -> [String: RowRange] {
    var ranges: [String: RowRange] = [:]
    for (key, value) in limits {
      ranges[key] = integer(value).map { RowRange(lower: 0, upper: $0.addingClamped(-1)) } ?? .all
    }
    var starts: [String: Int] = [:]
    for (key, value) in offsets { starts[key] = integer(value) ?? 0 }
    for (key, start) in starts {
      if let limit = ranges[key] {
        ranges[key] = RowRange(
          lower: start, upper: start.addingClamped((limit.limit ?? 0).addingClamped(-1)))
      } else {
        ranges[key] = RowRange(lower: start, upper: nil)
      }
    }
    return ranges
  }

  private static func integer(_ text: String) -> Int? { Int(text.trimmedBlanks) }

  /// Runs a grammar over the start of a text.
  ///
  /// - Parameter naming: What the message shows, where it is not the text itself.
  static func parse<Value>(
    _ text: String, naming shown: String? = nil, _ what: String, _ grammar: Grammar<Value>
  ) throws -> Value {
    var input = GrammarInput(text, explains: false)
    if let value = grammar(&input).value, !input.isTooDeep { return value }
    input = GrammarInput(text, explains: true)
    let outcome = grammar(&input)
    let (line, column, explanation) = input.explanation(of: outcome.problem)
    throw RESTError.queryParameter(
      "\"failed to parse \(what) (\(shown ?? text))\" (line \(line), column \(column))", explanation)
  }
}
