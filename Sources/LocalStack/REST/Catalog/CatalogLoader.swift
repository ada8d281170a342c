import JSONValues
import Postgres

/// Reads the schema cache from the catalog, in one snapshot.
struct CatalogLoader {
  let connection: Connection
  let configuration: RESTConfiguration

  /// - Parameter timezones: Those read before, as they do not change and take long to read.
  /// - Throws: ``PostgresError``.
  func load(generation: Int, timezones known: Set<String>?) throws -> SchemaCache {
    try connection.transaction("begin isolation level repeatable read read only") {
      // Without a search path every name comes out qualified.
      try connection.run("set local search_path to ''")
      let schemas = configuration.schemas
      let columns = try self.columns(schemas)
      let (graph, tables) = try relations(schemas, columns)
      let (viewKeys, detected) = graph.derive(primaryKeys: primaryKeys(graph))
      let exposed = exposedTables(tables, graph, viewKeys)
      let (roleSettings, roleIsolation) = try self.roleSettings()
      return SchemaCache(
        tables: exposed,
        relationships: try relationships(detected),
        routines: try routines(schemas),
        representations: try representations(),
        handlers: SchemaCache.builtInHandlers.merging(try handlers(schemas)) { _, own in own },
        timezones: try known
          ?? Set(connection.rows(SQL(trusted: CatalogQueries.timezones)).compactMap { $0[0] }),
        roleSettings: roleSettings, roleIsolation: roleIsolation, generation: generation)
    }
  }

  private func query(_ text: String, _ arrays: [[String]]) throws -> [Row] {
    var statement = SQL(trusted: text)
    for array in arrays { statement.append(bind: SQL.arrayLiteral(array)) }
    return try connection.rows(statement)
  }

  // MARK: - Relations

  private func columns(_ schemas: [String]) throws -> [String: [Column]] {
    var columns: [String: [Column]] = [:]
    for row in try query(CatalogQueries.columns, [schemas]) {
      columns[row[0] ?? "", default: []].append(
        Column(
          name: row[1] ?? "", comment: row[2], isNullable: row[3] == "t", baseType: row[4] ?? "",
          type: row[5] ?? "", maximumLength: row[6].flatMap { Int($0) }, defaultSQL: row[7],
          labels: try row[8].map { try JSON(parsing: $0).array?.compactMap(\.string) ?? [] } ?? []))
    }
    return columns
  }

  private func relations(
    _ schemas: [String], _ columns: [String: [Column]]
  ) throws -> (RelationshipGraph, [Int: Table]) {
    var relations: [Int: RelationshipGraph.Relation] = [:]
    var tables: [Int: Table] = [:]
    let exposed = Set(schemas)
    for row in try query(CatalogQueries.relations, [schemas]) {
      guard let oid = row[0].flatMap({ Int($0) }), let schema = row[1], let name = row[2] else { continue }
      var names: [Int: String] = [:]
      for member in try row[6].map({ try JSON(parsing: $0).members ?? [] }) ?? [] {
        if let number = Int(member.key) { names[number] = member.value.string }
      }
      let isView = row[4] == "v" || row[4] == "m"
      let qualified = QualifiedName(schema, name)
      relations[oid] = .init(name: qualified, isView: isView, columns: names)
      guard exposed.contains(schema) else { continue }
      let writable = row[5].flatMap { Int($0) } ?? 0
      tables[oid] = Table(
        name: qualified, comment: row[3], isView: isView, isInsertable: writable & 8 != 0,
        isUpdatable: writable & 4 != 0, isDeletable: writable & 16 != 0, primaryKey: [],
        columns: columns[row[0] ?? ""] ?? [])
    }
    var origins: [Int: [ViewOrigins.Origin]] = [:]
    var exposedViews: [Int] = []
    for row in try query(CatalogQueries.views, [schemas, configuration.extraSearchPath]) {
      guard let oid = row[0].flatMap({ Int($0) }), var tree = row[2] else { continue }
      origins[oid] = tree.withUTF8 { ViewOrigins.origins(in: UnsafeRawBufferPointer($0)) }
      if row[1] == "t" { exposedViews.append(oid) }
    }
    let graph = RelationshipGraph(
      relations: relations, keys: try keys(), origins: origins, exposedViews: exposedViews.sorted())
    return (graph, tables)
  }

  private func keys() throws -> [RelationshipGraph.Key] {
    func numbers(_ text: String?) throws -> [Int] {
      try text.map { try JSON(parsing: $0).array?.compactMap(\.int) ?? [] } ?? []
    }
    return try query(CatalogQueries.keys, []).map { row in
      RelationshipGraph.Key(
        kind: row[0] == "p" ? .primary : row[0] == "u" ? .unique : .foreign, name: row[1] ?? "",
        relation: row[2].flatMap { Int($0) } ?? 0, columns: try numbers(row[3]),
        foreignRelation: row[4].flatMap { Int($0) } ?? 0, foreignColumns: try numbers(row[5]),
        isOwn: row[6] == "t")
    }
  }

  private func primaryKeys(_ graph: RelationshipGraph) -> [QualifiedName: [String]] {
    var primaryKeys: [QualifiedName: [String]] = [:]
    for key in graph.keys where key.kind == .primary {
      guard let relation = graph.relations[key.relation] else { continue }
      primaryKeys[relation.name] = key.columns.compactMap { relation.columns[$0] }.sorted()
    }
    return primaryKeys
  }

  private func exposedTables(
    _ tables: [Int: Table], _ graph: RelationshipGraph, _ viewKeys: [QualifiedName: [String]]
  ) -> [QualifiedName: Table] {
    let ownKeys = primaryKeys(graph)
    var exposed: [QualifiedName: Table] = [:]
    for var table in tables.values {
      table.primaryKey = (table.isView ? viewKeys : ownKeys)[table.name] ?? []
      exposed[table.name] = table
    }
    return exposed
  }

  // MARK: - Relationships

  /// Detected ones by table and foreign schema, those that a function computes in place of a detected one
  /// of its name.
  private func relationships(
    _ detected: [Relationship]
  ) throws -> [SchemaCache.RelationshipKey: [Relationship]] {
    struct Ends: Hashable {
      var table: QualifiedName
      var foreign: QualifiedName
    }
    var byEnds: [Ends: [Relationship]] = [:]
    for one in detected { byEnds[Ends(table: one.table, foreign: one.foreignTable), default: []].append(one) }
    for row in try query(CatalogQueries.computedRelationships, []) {
      let values = row.values.map { $0 ?? "" }
      let function = QualifiedName(values[0], values[1])
      let table = QualifiedName(values[2], values[3])
      let foreign = QualifiedName(values[4], values[5])
      byEnds[Ends(table: table, foreign: function)] = [
        Relationship(
          table: table, foreignTable: foreign, isSelf: table == foreign,
          cardinality: .computed(function: function, isToOne: values[6] == "t"))
      ]
    }
    let exposed = Set(configuration.schemas)
    var result: [SchemaCache.RelationshipKey: [Relationship]] = [:]
    for (ends, found) in byEnds where exposed.contains(ends.table.schema) {
      let visible = found.filter { one in
        guard exposed.contains(one.foreignTable.schema) else { return false }
        if case .manyToMany(let junction) = one.cardinality { return exposed.contains(junction.table.schema) }
        return true
      }
      result[SchemaCache.RelationshipKey(table: ends.table, schema: ends.foreign.schema), default: []] +=
        visible
    }
    return result.mapValues { $0.sorted(by: Relationship.comesBefore) }
  }
}
