/// Turns the parameters of a request into a tree of relations, each with its filters, order and range.
struct ReadPlanner {
  static let source = "pgrst_source"

  let cache: SchemaCache
  let configuration: RESTConfiguration
  let request: APIRequest
  /// The relation read from, or a function's name where it returns no relation.
  let root: QualifiedName

  /// - Throws: ``RESTError`` for what does not fit the schema.
  func plan() throws -> ReadNode {
    let node = ReadNode(from: root, name: root.name, depth: 0)
    try addItems(request.parameters.select, to: node)
    try addFilters(to: node)
    try addOrders(to: node)
    try addRanges(to: node)
    try addLogic(to: node)
    try addRelationships(to: node, parent: nil)
    expandStars(in: node, hasAggregate: false)
    addAliases(in: node)
    try resolveRelatedOrders(in: node)
    resolveNullEmbeds(in: node)
    addEmbedSelects(in: node)
    try checkAggregates(in: node)
    _ = SpreadAggregates.hoist(in: node)
    try SpreadAggregates.moveOrders(in: node)
    if !request.action.isMutation { restrict(node) }
    return node
  }

  // MARK: - Items of select

  private func addItems(_ items: [SelectItem], to node: ReadNode) throws {
    for item in items {
      switch item.kind {
      case .field(let selected):
        for type in [selected.cast, selected.aggregateCast].compactMap({ $0 })
        where !StatementText.typeIsPlain(type) {
          // The server's own words for it, without letting it look.
          throw RESTError(400, "42601", "syntax error at or near \"\(type)\"")
        }
        node.select.append(
          ResolvedSelect(
            field: resolver(node.from).output(selected.field), aggregate: selected.aggregate,
            aggregateCast: selected.aggregateCast, cast: selected.cast, alias: selected.alias))
      case .relation(let name, let alias, let hint, let join):
        try addChild(
          ReadNode(
            from: QualifiedName(root.schema, name), name: name, alias: alias, hint: hint, join: join,
            depth: node.depth + 1), item.children, to: node)
      case .spread(let name, let hint, let join):
        try addChild(
          ReadNode(
            from: QualifiedName(root.schema, name), name: name, hint: hint, join: join, isSpread: true,
            depth: node.depth + 1), item.children, to: node)
      }
    }
  }

  private func addChild(_ child: ReadNode, _ items: [SelectItem], to node: ReadNode) throws {
    try addItems(items, to: child)
    node.children.append(child)
  }

  private func resolver(_ table: QualifiedName) -> FieldResolver { FieldResolver(cache: cache, table: table) }

  // MARK: - Filters, order, ranges

  /// Finds the node a path leads to. On the way every node comes to stand before its siblings, which the
  /// order of the output shows.
  private func visit(_ path: ArraySlice<String>, in node: ReadNode, _ change: (ReadNode) -> Void) throws {
    guard let name = path.first else {
      change(node)
      return
    }
    guard let index = node.children.firstIndex(where: { $0.name == name || $0.alias == name }) else {
      throw RESTError.notEmbedded(name)
    }
    let child = node.children.remove(at: index)
    node.children.insert(child, at: 0)
    try visit(path.dropFirst(), in: child, change)
  }

  private func addFilters(to node: ReadNode) throws {
    let filters =
      request.action.isMutation ? request.parameters.embedFilters : request.parameters.filters
    for placed in filters.reversed() {
      try visit(placed.path[...], in: node) { target in
        target.conditions.insert(resolver(target.from).condition(placed.value), at: 0)
      }
    }
  }

  private func addLogic(to node: ReadNode) throws {
    let trees =
      request.action.isMutation
      ? request.parameters.logic.filter { !$0.path.isEmpty } : request.parameters.logic
    for placed in trees.reversed() {
      try visit(placed.path[...], in: node) { target in
        target.conditions.insert(resolver(target.from).condition(placed.value), at: 0)
      }
    }
  }

  private func addOrders(to node: ReadNode) throws {
    for placed in request.parameters.orders.reversed() {
      try visit(placed.path[...], in: node) { target in
        target.order = placed.value.map { term in
          ResolvedOrder(
            relation: term.relation,
            field: term.relation == nil
              ? resolver(target.from).field(term.field) : .unknown(term.field.name, term.field.path),
            direction: term.direction, nulls: term.nulls)
        }
      }
    }
  }

  private func addRanges(to node: ReadNode) throws {
    if request.action.isMutation { return }
    for (key, range) in request.ranges.sorted(by: { $0.key > $1.key }) {
      let path = try QueryParameters.parse(key, "tree path", NameGrammar.treePath).path
      try visit(path[...], in: node) { $0.range = range }
    }
  }

  /// No node gives more rows than the server allows.
  private func restrict(_ node: ReadNode) {
    if !node.range.isNoneRequested { node.range = node.range.restricted(to: configuration.maximumRows) }
    for child in node.children { restrict(child) }
  }

  // MARK: - Stars

  /// Columns take the place of `*` where an aggregate or a spread needs to know them, or one of them is
  /// shown by a function.
  private func expandStars(in node: ReadNode, hasAggregate: Bool) {
    var needsColumns = hasAggregate || node.select.contains { $0.aggregate != nil }
    if let spread = node.spread, !spread.isToOne { needsColumns = true }
    var table = node.from
    if table == QualifiedName("", Self.source), let alias = node.fromAlias {
      table = QualifiedName(root.schema, alias)
    }
    expandStars(of: node, table, needsColumns)
    for child in node.children { expandStars(in: child, hasAggregate: needsColumns) }
  }

  private func expandStars(of node: ReadNode, _ table: QualifiedName, _ needsColumns: Bool) {
    let columns = cache.tables[table]?.columns ?? []
    let hasStar = node.select.contains {
      $0.field.name == "*" && ($0.aggregate == nil || (node.spread != nil && $0.aggregate == .count))
    }
    let isRepresented = columns.contains { cache.representations[$0.type]?["json"] != nil }
    guard hasStar, needsColumns || isRepresented else { return }
    let resolver = resolver(table)
    node.select = node.select.flatMap { selected -> [ResolvedSelect] in
      guard selected.field.name == "*", selected.field.path.isEmpty else { return [selected] }
      if selected.aggregate == nil {
        return columns.map { column in
          var copy = selected
          copy.field = resolver.output(column)
          return copy
        }
      }
      var copy = selected
      if node.spread != nil, selected.aggregate == .count { copy.field.isFullRow = true }
      return [copy]
    }
  }

  // MARK: - Aliases

  private func addAliases(in node: ReadNode) {
    for index in node.select.indices where node.select[index].alias == nil {
      let selected = node.select[index]
      if let aggregate = selected.aggregate {
        // A spread passes the value up by a name.
        if node.spread != nil { node.select[index].alias = aggregate.rawValue }
      } else if let key = selected.field.path.last.map({ lastKey($0, selected.field) }) {
        node.select[index].alias = key
      } else if selected.field.transform != nil {
        node.select[index].alias = selected.field.name
      }
    }
    for child in node.children { addAliases(in: child) }
  }

  private func lastKey(_ last: JSONStep, _ field: ResolvedField) -> String {
    for step in field.path.reversed() {
      if case .key(let key) = step.operand { return key }
    }
    return field.name
  }

  // MARK: - Orders and filters that speak of embeds

  private func resolveRelatedOrders(in node: ReadNode) throws {
    for index in node.order.indices {
      guard let relation = node.order[index].relation else { continue }
      guard let child = node.children.first(where: { relation == $0.alias ?? $0.name }) else {
        throw RESTError.notEmbedded(relation)
      }
      guard child.relationship?.isToOne == true else {
        throw RESTError.relatedOrder(node.from.name, child.alias ?? child.name)
      }
      node.order[index].relation = child.joinAlias
    }
    for child in node.children { try resolveRelatedOrders(in: child) }
  }

  private func resolveNullEmbeds(in node: ReadNode) {
    func resolve(_ logic: ResolvedLogic) -> ResolvedLogic {
      switch logic {
      case .group(let isNegated, let isAnd, let members):
        return .group(isNegated: isNegated, isAnd: isAnd, members.map(resolve))
      case .filter(let field, let isNegated, .is(.null)) where field.path.isEmpty:
        guard let child = node.children.first(where: { field.name == $0.alias ?? $0.name }) else {
          return logic
        }
        return .embedIsNull(alias: child.joinAlias, isNegated: isNegated)
      default: return logic
      }
    }
    node.conditions = node.conditions.map(resolve)
    for child in node.children { resolveNullEmbeds(in: child) }
  }

  private func checkAggregates(in node: ReadNode) throws {
    if !configuration.allowsAggregates, node.select.contains(where: { $0.aggregate != nil }) {
      throw RESTError.aggregatesDisabled
    }
    for child in node.children { try checkAggregates(in: child) }
  }
}
