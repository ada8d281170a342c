import Synchronization

/// What the catalog says about the exposed schemas. Never changes: a reload makes another.
final class SchemaCache: Sendable {
  struct RelationshipKey: Hashable {
    var table: QualifiedName
    /// The schema of the other end.
    var schema: String
  }

  struct HandlerKey: Hashable {
    var target: HandlerTarget
    var type: MediaType
  }

  let tables: [QualifiedName: Table]
  let relationships: [RelationshipKey: [Relationship]]
  let routines: [QualifiedName: [Routine]]
  /// By source and target type: the function that converts.
  let representations: [String: [String: String]]
  let handlers: [HandlerKey: (handler: MediaHandler, type: MediaType)]
  let timezones: Set<String>
  /// By role: the settings that requests of that role are made with.
  let roleSettings: [String: [(name: String, value: String)]]
  let roleIsolation: [String: String]
  /// Counts up with each reload, so that sessions know when their prepared statements are stale.
  let generation: Int
  private let suggestions = Mutex<[String: FuzzySet]>([:])

  init(
    tables: [QualifiedName: Table], relationships: [RelationshipKey: [Relationship]],
    routines: [QualifiedName: [Routine]], representations: [String: [String: String]],
    handlers: [HandlerKey: (handler: MediaHandler, type: MediaType)], timezones: Set<String>,
    roleSettings: [String: [(name: String, value: String)]], roleIsolation: [String: String], generation: Int
  ) {
    self.tables = tables
    self.relationships = relationships
    self.routines = routines
    self.representations = representations
    self.handlers = handlers
    self.timezones = timezones
    self.roleSettings = roleSettings
    self.roleIsolation = roleIsolation
    self.generation = generation
  }

  /// - Throws: PGRST205 with the nearest name, where there is one near enough.
  func table(_ name: QualifiedName) throws -> Table {
    if let table = tables[name] { return table }
    throw RESTError.unknownTable(name, hint: tableHint(name))
  }

  /// The set of names is made when it is first needed; very large schemas go without.
  private func tableHint(_ name: QualifiedName) -> String? {
    let set = suggestions.withLock { sets in
      if let set = sets[name.schema] { return set }
      let names = tables.keys.filter { $0.schema == name.schema }.map(\.name)
      let set = FuzzySet(names.count < 500 ? names.sorted() : [])
      sets[name.schema] = set
      return set
    }
    return set.best(for: name.name, minimum: 0.75)
  }

  func relationships(of table: QualifiedName, in schema: String) -> [Relationship]? {
    relationships[RelationshipKey(table: table, schema: schema)]
  }

  static let builtInHandlers: [HandlerKey: (handler: MediaHandler, type: MediaType)] = [
    HandlerKey(target: .any, type: .any): (.json, .json),
    HandlerKey(target: .any, type: .json): (.json, .json),
    HandlerKey(target: .any, type: .csv): (.csv, .csv),
    HandlerKey(target: .any, type: .geoJSON): (.geoJSON, .geoJSON),
  ]
}
