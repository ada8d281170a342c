// A tree of relations as one query: every embedded resource a lateral join.

extension StatementText {
  mutating func add(_ node: ReadNode) {
    let table = node.qualifier
    add("SELECT ")
    var isFirst = true
    func separate(_ sql: inout StatementText) {
      if !isFirst { sql.add(", ") }
      isFirst = false
    }
    if node.select.isEmpty, node.children.isEmpty {
      // Which of the columns are wanted shows where they are collected.
      separate(&self)
      add(column: "*", of: table)
    }
    for selected in node.select {
      separate(&self)
      add(selected, of: table)
    }
    if case .toMany(let extra, _) = node.spread {
      for (relation, selected) in extra {
        separate(&self)
        add(selected, of: relation.map { QualifiedName("", $0) } ?? table)
      }
    }
    for embed in node.embeds { add(embed, separate) }
    addFrom(node)
    for embed in node.embeds {
      guard let child = node.children.first(where: { $0.joinAlias == embed.alias }) else { continue }
      addJoin(embed, child)
    }
    addWhere(node, table)
    addGroup(node, table)
    add(node.order, of: table)
    add(node.range)
  }

  private mutating func addWhere(_ node: ReadNode, _ table: QualifiedName) {
    guard !node.conditions.isEmpty || !node.joinConditions.isEmpty else { return }
    add(" WHERE ")
    add(node.conditions, separator: " AND ") { $1.add($0, of: table) }
    if !node.conditions.isEmpty, !node.joinConditions.isEmpty { add(" AND ") }
    add(node.joinConditions, separator: " AND ") { $1.add($0) }
  }

  // MARK: - Select list

  private mutating func add(_ selected: ResolvedSelect, of table: QualifiedName) {
    addAggregate(selected.aggregate, selected.aggregateCast) { sql in
      sql.addCast(selected.cast) { $0.addShown(selected.field, of: table) }
    }
    addAlias(selected.alias)
  }

  private mutating func add(_ embed: EmbedSelect, _ separate: (inout StatementText) -> Void) {
    switch embed {
    case .json(_, _, _, isEmpty: true): break
    case .json(let name, let alias, isObject: true, _):
      separate(&self)
      add("row_to_json(")
      add(identifier: alias)
      add(".*)::jsonb")
      addAlias(name)
    case .json(let name, let alias, isObject: false, _):
      separate(&self)
      add("COALESCE( ")
      add(column: alias, of: QualifiedName("", alias))
      add(", '[]')")
      addAlias(name)
    case .spread(let fields, let alias):
      for field in fields {
        separate(&self)
        addAggregate(field.aggregate, field.aggregateCast) {
          $0.add(column: field.name, of: QualifiedName("", alias))
        }
        addAlias(field.alias)
      }
    }
  }

  // MARK: - From

  mutating func addFrom(_ node: ReadNode) {
    add(" FROM ")
    if case .computed(let function, _) = node.relationship?.cardinality, let row = node.computedFrom,
      let table = node.relationship?.table
    {
      // The cast picks the overload: a common table expression's row has no type of its own.
      add(function)
      add("(")
      add(identifier: row.name)
      add("::")
      add(table)
      add(")")
    } else {
      add(node.from)
    }
    addAlias(node.fromAlias)
    if case .manyToMany(let junction) = node.relationship?.cardinality {
      add(", ")
      add(junction.table)
    }
  }

  private mutating func addJoin(_ embed: EmbedSelect, _ child: ReadNode) {
    let alias = embed.alias
    let isInner = child.join == .inner
    if isInner { add(" INNER JOIN LATERAL ( ") } else { add(" LEFT JOIN LATERAL ( ") }
    var isCollected = false
    switch embed {
    case .json(_, _, let isObject, _): isCollected = !isObject
    case .spread: isCollected = !(child.spread?.isToOne ?? true)
    }
    if isCollected {
      add("SELECT json_agg(")
      add(identifier: alias)
      add(")::jsonb")
      addAlias(alias)
      if case .spread(let fields, _) = embed, case .toMany(_, let order) = child.spread {
        for field in fields {
          add(", COALESCE(json_agg(")
          add(column: field.name, of: QualifiedName("", alias))
          add(order, of: QualifiedName("", alias))
          add("),'[]')::jsonb")
          addAlias(field.alias ?? field.name)
        }
      }
      add(" FROM (")
      add(child)
      add(" ) AS ")
      add(identifier: alias)
    } else {
      add(child)
    }
    add(" ) AS ")
    add(identifier: alias)
    add(" ON ")
    if isCollected, isInner {
      add(identifier: alias)
      add(" IS NOT NULL")
    } else {
      add("TRUE")
    }
  }

  // MARK: - Grouping

  private mutating func addGroup(_ node: ReadNode, _ table: QualifiedName) {
    let aggregates =
      node.select.contains { $0.aggregate != nil }
      || node.embeds.contains { embed in
        if case .spread(let fields, _) = embed { return fields.contains { $0.aggregate != nil } }
        return false
      }
    guard aggregates else { return }
    var isFirst = true
    func separate(_ sql: inout StatementText) {
      if isFirst { sql.add(" GROUP BY ") } else { sql.add(", ") }
      isFirst = false
    }
    for selected in node.select where selected.aggregate == nil {
      separate(&self)
      if let alias = selected.alias { add(identifier: alias) } else { add(selected.field, of: table) }
    }
    for embed in node.embeds {
      switch embed {
      case .json(let name, _, _, _):
        separate(&self)
        add(identifier: name)
      case .spread(let fields, let alias):
        for field in fields where field.aggregate == nil {
          separate(&self)
          add(column: field.alias ?? field.name, of: QualifiedName("", alias))
        }
      }
    }
  }

  // MARK: - Counting

  /// A query with one row for every row that the node would give without its range.
  mutating func addCount(_ node: ReadNode) {
    let table = node.qualifier
    add("SELECT 1")
    addFrom(node)
    let inner = node.children.filter { $0.join == .inner }
    guard !node.conditions.isEmpty || !node.joinConditions.isEmpty || !inner.isEmpty else { return }
    add(" WHERE ")
    var isFirst = true
    func separate(_ sql: inout StatementText) {
      if !isFirst { sql.add(" AND ") }
      isFirst = false
    }
    for condition in node.conditions {
      separate(&self)
      addCount(condition, node, table)
    }
    for condition in node.joinConditions {
      separate(&self)
      add(condition)
    }
    for child in inner {
      separate(&self)
      add("EXISTS (")
      addCount(child)
      add(" )")
    }
  }

  private mutating func addCount(_ logic: ResolvedLogic, _ node: ReadNode, _ table: QualifiedName) {
    switch logic {
    case .group(let isNegated, let isAnd, let members):
      addGroup(isNegated, isAnd, members) { $1.addCount($0, node, table) }
    case .embedIsNull(let alias, let isNegated):
      guard let child = node.children.first(where: { $0.joinAlias == alias }) else { return }
      if !isNegated { add("NOT ") }
      add("EXISTS (")
      addCount(child)
      add(")")
    case .filter: add(logic, of: table)
    }
  }
}
