// Fields, filters, orders and ranges as SQL.

extension StatementText {
  // MARK: - Fields

  mutating func add(_ field: ResolvedField, of table: QualifiedName) {
    if let search = field.textSearch {
      add("to_tsvector(")
      if case .language(let language) = search {
        bind(language)
        add(", ")
      }
      addPlain(field, of: table)
      add(")")
    } else {
      addPlain(field, of: table)
    }
  }

  private mutating func addPlain(_ field: ResolvedField, of table: QualifiedName) {
    if field.isFullRow {
      add(identifier: table.name)
      return
    }
    guard !field.path.isEmpty else {
      add(column: field.name, of: table)
      return
    }
    if field.needsJSON { add("to_jsonb(") }
    add(column: field.name, of: table)
    if field.needsJSON { add(")") }
    for step in field.path {
      if step.isText { add("->>") } else { add("->") }
      switch step.operand {
      case .key(let key): bind(key)
      case .index(let index):
        bind(index)
        add("::int")
      }
    }
  }

  /// A field as it is shown: by the function that represents it, where there is one.
  mutating func addShown(_ field: ResolvedField, of table: QualifiedName) {
    guard let function = field.transform else {
      add(field, of: table)
      return
    }
    add(trusted: function)
    add("(")
    add(field, of: table)
    add(")")
  }

  mutating func addCast(_ type: String?, _ write: (inout StatementText) -> Void) {
    guard let type else {
      write(&self)
      return
    }
    add("CAST( ")
    write(&self)
    add(" AS ")
    add(type: type)
    add(" )")
  }

  mutating func addAggregate(
    _ aggregate: Aggregate?, _ cast: String?, _ write: (inout StatementText) -> Void
  ) {
    guard let aggregate else {
      write(&self)
      return
    }
    addCast(cast) { sql in
      sql.add(trusted: aggregate.rawValue.uppercased())
      sql.add("(")
      write(&sql)
      sql.add(")")
    }
  }

  mutating func addAlias(_ alias: String?) {
    guard let alias else { return }
    add(" AS ")
    add(identifier: alias)
  }

  // MARK: - Conditions

  mutating func add(_ logic: ResolvedLogic, of table: QualifiedName) {
    switch logic {
    case .group(let isNegated, let isAnd, let members):
      addGroup(isNegated, isAnd, members) { $1.add($0, of: table) }
    case .embedIsNull(let alias, let isNegated):
      add(identifier: alias)
      if isNegated { add(" IS DISTINCT FROM NULL") } else { add(" IS NOT DISTINCT FROM NULL") }
    case .filter(let field, let isNegated, let operation):
      if isNegated { add("NOT ") }
      add(field, of: table)
      add(operation, on: field)
    }
  }

  mutating func addGroup(
    _ isNegated: Bool, _ isAnd: Bool, _ members: [ResolvedLogic],
    _ write: (ResolvedLogic, inout StatementText) -> Void
  ) {
    if isNegated { add("NOT ") }
    add("(")
    add(members, separator: isAnd ? " AND " : " OR ", write)
    add(")")
  }

  private mutating func add(_ operation: Operation, on field: ResolvedField) {
    switch operation {
    case .simple(let sql, let value):
      add(trusted: " \(sql) ")
      bindConverted(value, for: field)
    case .quantified(let sql, let isPattern, let quantifier, let value):
      add(trusted: " \(sql) ")
      if let quantifier { add(trusted: quantifier.rawValue + "(") }
      if isPattern {
        bind(String(String.UnicodeScalarView(value.unicodeScalars.map { $0 == "*" ? "%" : $0 })))
      } else {
        bindConverted(value, for: field)
      }
      if quantifier != nil { add(")") }
    case .among(let values):
      if values == [""] {
        add(" = ANY('{}')")
        return
      }
      add(" = ANY (")
      if let function = field.transform {
        add("(SELECT ")
        add(trusted: function)
        add("(unnest(")
        bind(Self.arrayLiteral(values))
        add("::text[])))")
      } else {
        bind(Self.arrayLiteral(values))
      }
      add(")")
    case .is(let value): add(trusted: " IS " + value.rawValue)
    case .isDistinct(let value):
      add(" IS DISTINCT FROM ")
      bind(value)
    case .fullText(let function, let language, let query):
      add(trusted: " @@ \(function)(")
      if let language {
        bind(language)
        add(", ")
      }
      bind(query)
      add(")")
    }
  }

  private mutating func bindConverted(_ value: String, for field: ResolvedField) {
    guard let function = field.transform else {
      bind(value)
      return
    }
    add(trusted: function)
    add("(")
    bind(value)
    add(")")
  }

  mutating func add(_ condition: JoinCondition) {
    add(column: condition.left.column, of: condition.left.table)
    add(" = ")
    add(column: condition.right.column, of: condition.right.table)
  }

  // MARK: - Order and range

  mutating func add(_ order: [ResolvedOrder], of table: QualifiedName) {
    guard !order.isEmpty else { return }
    add(" ORDER BY ")
    add(order) { term, sql in
      sql.add(term.field, of: term.relation.map { QualifiedName("", $0) } ?? table)
      if let direction = term.direction { sql.add(trusted: " " + direction.rawValue) }
      if let nulls = term.nulls { sql.add(trusted: " " + nulls.rawValue) }
    }
  }

  mutating func add(_ range: RowRange) {
    guard range != .all else { return }
    add(" LIMIT ")
    if let limit = range.limit { bind(String(limit)) } else { add("ALL") }
    add(" OFFSET ")
    bind(String(range.lower))
  }
}
