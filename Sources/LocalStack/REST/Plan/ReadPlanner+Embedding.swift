// Finding the relationship that each embedded resource stands for.

extension ReadPlanner {
  func addRelationships(to node: ReadNode, parent: ReadNode?) throws {
    if let parent {
      try relate(node, to: parent)
    } else {
      switch request.action {
      case .mutate, .get, .post, .routineInfo:
        // Read what the write or the call returned, under the relation's name.
        node.fromAlias = node.from.name
        node.from = QualifiedName("", Self.source)
      default: break
      }
    }
    for child in node.children { try addRelationships(to: child, parent: node) }
  }

  private func relate(_ node: ReadNode, to parent: ReadNode) throws {
    let origin = node.depth == 1 ? parent.fromAlias ?? parent.from.name : parent.from.name
    let relationship = try find(origin, node.name, node.hint)
    let newAlias = "\(relationship.foreignTable.name)_\(node.depth)"
    node.from = relationship.foreignTable
    node.relationship = relationship
    node.joinAlias = "\(relationship.table.name)_\(node.alias ?? node.name)_\(node.depth)"
    if node.spread != nil, !relationship.isToOne { node.spread = .toMany(extra: [], order: []) }
    switch relationship.cardinality {
    case .manyToMany(let junction):
      // The junction joins implicitly; its tables keep their names.
      let target = relationship.foreignTable
      let junctionTable = QualifiedName(relationship.table.schema, junction.table.name)
      node.joinConditions = junction.target.map { pair in
        JoinCondition(
          left: (junctionTable, pair.target),
          right: (QualifiedName(relationship.table.schema, target.name), pair.source))
      }
      let near = parent.fromAlias.map { QualifiedName("", $0) } ?? relationship.table
      node.joinConditions += junction.source.map { pair in
        JoinCondition(left: (junctionTable, pair.target), right: (near, pair.source))
      }
    case .computed:
      node.computedFrom = parent.fromAlias.map { QualifiedName("", $0) } ?? relationship.table
      node.fromAlias = newAlias
    default:
      node.fromAlias = newAlias
      let near = parent.fromAlias.map { QualifiedName("", $0) } ?? relationship.table
      node.joinConditions = relationship.pairs.map { pair in
        JoinCondition(left: (QualifiedName("", newAlias), pair.target), right: (near, pair.source))
      }
    }
  }

  /// - Throws: PGRST200 when there is none, PGRST201 when there are several.
  private func find(_ origin: String, _ target: String, _ hint: String?) throws -> Relationship {
    let schema = root.schema
    let known = cache.relationships(of: QualifiedName(schema, origin), in: schema)
    let found = (known ?? []).filter { $0.isMeant(by: target, hint) }
    if found.count == 1 { return found[0] }
    if found.count > 1 { throw RESTError.ambiguousRelationship(origin, target, found) }
    throw RESTError.noRelationship(
      origin, target, hint: hint, schema: schema, suggestion: suggestion(origin, target, known))
  }

  private func suggestion(_ origin: String, _ target: String, _ known: [Relationship]?) -> String? {
    if let known {
      let names = FuzzySet(known.map(\.foreignTable.name))
      return names.matches(for: target).first { $0.score < 1 }
        .map { "Perhaps you meant '\($0.name)' instead of '\(target)'." }
    }
    let parents = cache.relationships.keys.filter { $0.schema == root.schema }.map(\.table.name).sorted()
    return FuzzySet(parents).best(for: origin).map { "Perhaps you meant '\($0)' instead of '\(origin)'." }
  }

  // MARK: - How embeds show above

  func addEmbedSelects(in node: ReadNode) {
    for child in node.children { addEmbedSelects(in: child) }
    node.embeds = node.children.compactMap { child in
      guard let relationship = child.relationship else { return nil }
      if child.spread != nil { return .spread(spreadFields(of: child), alias: child.joinAlias) }
      return .json(
        name: child.alias ?? child.name, alias: child.joinAlias, isObject: relationship.isToOne,
        isEmpty: child.isEmptyEmbed)
    }
  }

  private func spreadFields(of node: ReadNode) -> [SpreadField] {
    node.select.map { SpreadField(name: $0.alias ?? $0.field.name) }
      + node.embeds.flatMap { embed -> [SpreadField] in
        switch embed {
        case .json(let name, _, _, _): [SpreadField(name: name)]
        case .spread(let fields, _): fields
        }
      }
  }
}

extension ReadNode {
  /// Whether neither it nor anything below it selects a column: `x()`.
  fileprivate var isEmptyEmbed: Bool { select.isEmpty && children.allSatisfy(\.isEmptyEmbed) }
}

extension Relationship {
  /// Whether a request that names target and hint can mean this one.
  fileprivate func isMeant(by target: String, _ hint: String?) -> Bool {
    if case .computed(let function, _) = cardinality { return target == function.name }
    let near = pairs.count == 1 ? pairs[0].source : nil
    let far = pairs.count == 1 ? pairs[0].target : nil
    var isOneToMany = false
    var isManyToOne = false
    switch cardinality {
    case .oneToMany: isOneToMany = true
    case .manyToOne: isManyToOne = true
    default: break
    }
    if isSelf {
      guard let hint else {
        return (target == foreignTable.name && isOneToMany) || (near == target && isManyToOne)
      }
      return target == foreignTable.name && isOneToMany && far == hint
    }
    guard let hint else {
      return target == foreignTable.name
        || (!foreignTableIsView && (constraint == target || near == target))
    }
    guard target == foreignTable.name else { return false }
    if case .manyToMany(let junction) = cardinality { return junction.table.name == hint }
    return constraint == hint || near == hint || far == hint
  }
}
