/// Derives every relationship from foreign keys: directly, through views, backwards, and over junctions.
struct RelationshipGraph {
  struct Key {
    enum Kind { case primary, unique, foreign }

    var kind: Kind
    var name: String
    var relation: Int
    var columns: [Int]
    var foreignRelation: Int
    var foreignColumns: [Int]
    /// False for a partition's copy of its parent's key.
    var isOwn: Bool
  }

  struct Relation {
    var name: QualifiedName
    var isView: Bool
    var columns: [Int: String]
  }

  /// A view that holds all columns of a key: per key column the view's columns that copy it.
  private struct Dependency {
    var view: QualifiedName
    var columns: [(table: String, view: [String])]

    /// Every way to pick one view column per key column.
    var choices: [[String]] {
      columns.reduce([[]]) { partial, column in
        partial.flatMap { chosen in column.view.map { chosen + [$0] } }
      }
    }
  }

  private enum Role: Hashable { case primary, referencing, referenced }

  private struct DependencyKey: Hashable {
    var relation: Int
    var constraint: String
    var role: Role
  }

  let relations: [Int: Relation]
  let keys: [Key]
  /// By view: the plain column copies it is made of.
  let origins: [Int: [ViewOrigins.Origin]]
  let exposedViews: [Int]

  /// The primary keys that views take over from their tables, and all relationships.
  func derive(primaryKeys: [QualifiedName: [String]]) -> (
    viewKeys: [QualifiedName: [String]], relationships: [Relationship]
  ) {
    let dependencies = viewDependencies()
    var viewKeys: [QualifiedName: [String]] = [:]
    for (key, found) in dependencies.sorted(by: {
      ($0.key.relation, $0.key.constraint) < ($1.key.relation, $1.key.constraint)
    })
    where key.role == .primary {
      for dependency in found {
        viewKeys[dependency.view, default: []] += dependency.columns.compactMap(\.view.first)
      }
    }
    let direct = foreignKeys(dependencies)
    let allKeys = primaryKeys.merging(viewKeys) { _, view in view }
    let withJunctions = direct + manyToMany(direct, primaryKeys: allKeys)
    return (viewKeys, withJunctions + inverses(of: withJunctions))
  }

  // MARK: - Views

  private func viewDependencies() -> [DependencyKey: [Dependency]] {
    var keysByRelation: [Int: [(key: Key, role: Role, columns: [Int])]] = [:]
    for key in keys where key.kind != .unique {
      keysByRelation[key.relation, default: []].append(
        (key, key.kind == .primary ? .primary : .referencing, key.columns))
      if key.kind == .foreign {
        keysByRelation[key.foreignRelation, default: []].append((key, .referenced, key.foreignColumns))
      }
    }
    var dependencies: [DependencyKey: [Dependency]] = [:]
    for view in exposedViews {
      guard let viewRelation = relations[view] else { continue }
      for (relation, copies) in columnCopies(of: view).sorted(by: { $0.key < $1.key }) {
        guard let table = relations[relation] else { continue }
        for (key, role, columns) in keysByRelation[relation] ?? [] {
          var pairs: [(table: String, view: [String])] = []
          for column in columns {
            guard let name = table.columns[column], let inView = copies[column] else { break }
            pairs.append((name, inView.compactMap { viewRelation.columns[$0] }))
          }
          guard pairs.count == columns.count else { continue }
          dependencies[DependencyKey(relation: relation, constraint: key.name, role: role), default: []]
            .append(Dependency(view: viewRelation.name, columns: pairs))
        }
      }
    }
    return dependencies
  }

  /// By relation and its column: the columns of the view that copy it, at whatever depth.
  private func columnCopies(of view: Int) -> [Int: [Int: [Int]]] {
    var copies: [Int: [Int: [Int]]] = [:]
    func follow(_ column: Int, _ origin: ViewOrigins.Origin, path: [Int]) {
      copies[origin.relation, default: [:]][origin.originColumn, default: []].append(column)
      guard !path.contains(origin.relation) else { return }
      for next in origins[origin.relation] ?? [] where next.column == origin.originColumn {
        follow(column, next, path: path + [origin.relation])
      }
    }
    for origin in origins[view] ?? [] { follow(origin.column, origin, path: []) }
    return copies
  }

  // MARK: - Foreign keys

  private func foreignKeys(_ dependencies: [DependencyKey: [Dependency]]) -> [Relationship] {
    var uniqueKeys: [Int: Set<[Int]>] = [:]
    for key in keys where key.kind != .foreign {
      uniqueKeys[key.relation, default: []].insert(key.columns.sorted())
    }
    var found: [Relationship] = []
    for key in keys where key.kind == .foreign && key.isOwn {
      guard let table = relations[key.relation], let foreign = relations[key.foreignRelation] else {
        continue
      }
      let near = key.columns.compactMap { table.columns[$0] }
      let far = key.foreignColumns.compactMap { foreign.columns[$0] }
      let isOneToOne = uniqueKeys[key.relation]?.contains(key.columns.sorted()) ?? false
      func cardinality(_ near: [String], _ far: [String]) -> Relationship.Cardinality {
        let pairs = zip(near, far).map { Relationship.Pair(source: $0, target: $1) }
        return isOneToOne
          ? .oneToOne(constraint: key.name, pairs, isParent: false) : .manyToOne(constraint: key.name, pairs)
      }
      found.append(
        Relationship(
          table: table.name, foreignTable: foreign.name, isSelf: key.relation == key.foreignRelation,
          cardinality: cardinality(near, far)))
      let nearViews =
        dependencies[DependencyKey(relation: key.relation, constraint: key.name, role: .referencing)] ?? []
      let farViews =
        dependencies[DependencyKey(relation: key.foreignRelation, constraint: key.name, role: .referenced)]
        ?? []
      for view in nearViews {
        for columns in view.choices {
          found.append(
            Relationship(
              table: view.view, foreignTable: foreign.name, isSelf: false,
              cardinality: cardinality(columns, far), tableIsView: true))
        }
      }
      for view in farViews {
        for columns in view.choices {
          found.append(
            Relationship(
              table: table.name, foreignTable: view.view, isSelf: false,
              cardinality: cardinality(near, columns), foreignTableIsView: true))
        }
      }
      for nearView in nearViews {
        for nearColumns in nearView.choices {
          for farView in farViews {
            for farColumns in farView.choices {
              found.append(
                Relationship(
                  table: nearView.view, foreignTable: farView.view, isSelf: nearView.view == farView.view,
                  cardinality: cardinality(nearColumns, farColumns), tableIsView: true,
                  foreignTableIsView: true))
            }
          }
        }
      }
    }
    return found
  }

  // MARK: - Derived ones

  /// A relation whose primary key holds the columns of two foreign keys joins the two relations.
  private func manyToMany(
    _ direct: [Relationship], primaryKeys: [QualifiedName: [String]]
  ) -> [Relationship] {
    var byTable: [QualifiedName: [Relationship]] = [:]
    for one in direct {
      if case .manyToOne = one.cardinality { byTable[one.table, default: []].append(one) }
    }
    var found: [Relationship] = []
    for (table, members) in byTable {
      guard let key = primaryKeys[table].map(Set.init) else { continue }
      for first in members {
        for second in members where first.constraint != second.constraint {
          guard (first.pairs + second.pairs).allSatisfy({ key.contains($0.source) }) else { continue }
          found.append(
            Relationship(
              table: first.foreignTable, foreignTable: second.foreignTable,
              isSelf: first.foreignTable == second.foreignTable,
              cardinality: .manyToMany(
                .init(
                  table: table, constraint1: first.constraint ?? "", constraint2: second.constraint ?? "",
                  source: first.pairs.map(\.swapped), target: second.pairs.map(\.swapped))),
              tableIsView: first.foreignTableIsView, foreignTableIsView: second.foreignTableIsView))
        }
      }
    }
    return found
  }

  private func inverses(of relationships: [Relationship]) -> [Relationship] {
    relationships.compactMap { one in
      let cardinality: Relationship.Cardinality
      switch one.cardinality {
      case .manyToOne(let constraint, let pairs):
        cardinality = .oneToMany(constraint: constraint, pairs.map(\.swapped))
      case .oneToOne(let constraint, let pairs, let isParent):
        cardinality = .oneToOne(constraint: constraint, pairs.map(\.swapped), isParent: !isParent)
      default: return nil
      }
      return Relationship(
        table: one.foreignTable, foreignTable: one.table, isSelf: one.isSelf, cardinality: cardinality,
        tableIsView: one.foreignTableIsView, foreignTableIsView: one.tableIsView)
    }
  }
}
