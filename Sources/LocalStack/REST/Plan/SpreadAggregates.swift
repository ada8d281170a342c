/// Aggregates inside a spread belong to the relation the spread gives its columns to.
enum SpreadAggregates {
  struct Hoisted {
    var alias: String
    var name: String
    var aggregate: Aggregate
    var cast: String?
    var newAlias: String?
  }

  /// Moves the aggregates of to-one spreads up, as far as the spreads go.
  static func hoist(in node: ReadNode) -> [Hoisted] {
    let fromChildren = node.children.flatMap { hoist(in: $0) }
    let isToOneSpread = node.spread?.isToOne ?? false
    var hoisted: [Hoisted] = []
    if node.depth > 0, isToOneSpread {
      for index in node.select.indices {
        let selected = node.select[index]
        guard let aggregate = selected.aggregate else { continue }
        hoisted.append(
          Hoisted(
            alias: node.joinAlias, name: selected.alias ?? selected.field.name, aggregate: aggregate,
            cast: selected.aggregateCast, newAlias: selected.alias))
        node.select[index].aggregate = nil
        node.select[index].aggregateCast = nil
      }
      hoisted += fromChildren.map { child in
        var moved = child
        moved.alias = node.joinAlias
        return moved
      }
      return hoisted
    }
    node.embeds = node.embeds.map { embed in
      guard case .spread(let fields, let alias) = embed else { return embed }
      return .spread(
        fields.map { field in
          guard let found = fromChildren.first(where: { $0.alias == alias && $0.name == field.name }) else {
            return field
          }
          return SpreadField(
            name: field.name, aggregate: found.aggregate, aggregateCast: found.cast, alias: found.newAlias)
        }, alias: alias)
    }
    return []
  }

  /// The order of a to-many spread moves into the aggregates that collect its columns.
  /// - Throws: PGRST127 where such a spread holds aggregates.
  static func moveOrders(in node: ReadNode) throws {
    if let spread = node.spread, !spread.isToOne {
      let hasAggregate =
        node.select.contains { $0.aggregate != nil }
        || node.embeds.contains { embed in
          if case .spread(let fields, _) = embed { return fields.contains { $0.aggregate != nil } }
          return false
        }
      if hasAggregate { throw RESTError.spreadAggregates }
      var extra: [(relation: String?, select: ResolvedSelect)] = []
      var order: [ResolvedOrder] = []
      for (index, term) in node.order.enumerated() {
        // Numbered, so that it collides with no selected column.
        let alias = "\(node.joinAlias)_\(term.field.name)_\(index + 1)"
        extra.append((term.relation, ResolvedSelect(field: term.field, alias: alias)))
        order.append(
          ResolvedOrder(relation: nil, field: .unknown(alias), direction: term.direction, nulls: term.nulls))
      }
      node.order = []
      node.spread = .toMany(extra: extra, order: order)
    }
    for child in node.children { try moveOrders(in: child) }
  }
}
