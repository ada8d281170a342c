/// What a write does.
struct MutationPlan {
  enum Kind { case insert, update, delete }

  var kind: Kind
  var table: QualifiedName
  var columns: [ResolvedField] = []
  var payload: Payload?
  var conflict: (resolution: Preferences.Resolution, columns: [String])?
  var conditions: [ResolvedLogic] = []
  /// The columns given back; none for a write without an answer.
  var returning: [String] = []
  var primaryKey: [String] = []
  var appliesDefaults = false

  var isPut: Bool { kind == .insert && !conditions.isEmpty }

  /// - Throws: 21000 where an update or delete would touch every row.
  func refuseUnfiltered() throws {
    switch kind {
    case .update where conditions.isEmpty && !columns.isEmpty:
      throw RESTError(400, "21000", "UPDATE requires a WHERE clause")
    case .delete where conditions.isEmpty:
      throw RESTError(400, "21000", "DELETE requires a WHERE clause")
    default: break
    }
  }
}

extension ReadPlanner {
  /// - Throws: PGRST204 for an unknown column, PGRST105 for a PUT whose filters are not the primary key.
  func mutation(_ mutation: Mutation, table: Table, read: ReadNode) throws -> MutationPlan {
    let resolver = FieldResolver(cache: cache, table: table.name)
    let parameters = request.parameters
    let conditions =
      parameters.rootFilters.map { resolver.condition($0) }
      + parameters.logic.map { resolver.condition($0.value) }
    let representation = request.preferences.representation
    let returning =
      representation == nil || representation == .minimal
      ? [] : Self.neededColumns(read, primaryKey: table.primaryKey)
    var plan = MutationPlan(
      kind: .delete, table: table.name, payload: request.payload, returning: returning,
      appliesDefaults: request.preferences.missing == .defaults)
    switch mutation {
    case .delete: plan.conditions = conditions
    case .update:
      plan.kind = .update
      plan.conditions = conditions
      plan.columns = try request.columns.map { try resolver.input($0, of: table) }
    case .create:
      plan.kind = .insert
      plan.columns = try request.columns.map { try resolver.input($0, of: table) }
      plan.primaryKey = table.primaryKey
      if let resolution = request.preferences.resolution {
        plan.conflict = (resolution, parameters.onConflict ?? table.primaryKey)
      }
    case .singleUpsert:
      guard parameters.logic.isEmpty, !table.primaryKey.isEmpty,
        parameters.filterKeys == Set(table.primaryKey), parameters.rootFilters.allSatisfy(\.isPlainEquality)
      else { throw RESTError.invalidFilters }
      plan.kind = .insert
      plan.conditions = conditions
      plan.appliesDefaults = false
      plan.columns = try request.columns.map { try resolver.input($0, of: table) }
      plan.conflict = (.mergeDuplicates, table.primaryKey)
    }
    return plan
  }

  /// The columns that the answer's select list, its embeds and its Location need, in alphabetical order.
  static func neededColumns(_ node: ReadNode, primaryKey: [String]) -> [String] {
    let selected = Set(node.select.map(\.field.name))
    if selected.contains("*") { return ["*"] }
    // What a computed relationship's function looks at is not known.
    if node.children.contains(where: { $0.relationship?.isComputed ?? false }) { return ["*"] }
    var needed = selected.union(primaryKey)
    for child in node.children {
      guard let relationship = child.relationship else { continue }
      if case .manyToMany(let junction) = relationship.cardinality {
        needed.formUnion(junction.source.map(\.source))
      }
      needed.formUnion(relationship.pairs.map(\.source))
    }
    return needed.sorted()
  }
}

extension Filter {
  fileprivate var isPlainEquality: Bool {
    if case .quantified("=", _, nil, _) = operation { return !isNegated }
    return false
  }
}
