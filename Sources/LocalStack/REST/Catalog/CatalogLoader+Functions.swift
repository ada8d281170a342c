import JSONValues
import Postgres

extension CatalogLoader {
  func routines(_ schemas: [String]) throws -> [QualifiedName: [Routine]] {
    var statement = SQL(trusted: CatalogQueries.functions)
    statement.append(bind: SQL.arrayLiteral(schemas))
    statement.append(bind: SQL.arrayLiteral(configuration.hoistedSettings))
    statement.append(bind: "false")
    let all = try connection.rows(statement).map(Self.routine)
    // Overloads by how few parameters they take, so that candidates are told in a stable order.
    return Dictionary(grouping: all, by: \.name).mapValues { overloads in
      overloads.enumerated().sorted {
        ($0.element.parameters.count, $0.element.sortKey, $0.offset)
          < ($1.element.parameters.count, $1.element.sortKey, $1.offset)
      }.map(\.element)
    }
  }

  /// One row of ``CatalogQueries/functions``.
  static func routine(_ row: Row) throws -> Routine {
    let parameters = try row[3].map { try JSON(parsing: $0).array ?? [] } ?? []
    let settings = try row[11].map { try JSON(parsing: $0).array ?? [] } ?? []
    return Routine(
      name: QualifiedName(row[0] ?? "", row[1] ?? ""), comment: row[2],
      parameters: parameters.map { parameter in
        let parts = parameter.array ?? []
        return Routine.Parameter(
          name: parts[0].string ?? "", type: parts[1].string ?? "", castType: parts[2].string ?? "",
          isRequired: parts[3].bool ?? true, isVariadic: parts[4].bool ?? false)
      },
      returnsSet: row[4] == "t", returnType: QualifiedName(row[5] ?? "", row[6] ?? ""),
      returnsComposite: row[7] == "t",
      volatility: row[8] == "i" ? .immutable : row[8] == "s" ? .stable : .volatile,
      hasVariadic: row[9] == "t", isolation: row[10],
      settings: settings.compactMap { setting in
        guard let parts = setting.array, parts.count == 2, let name = parts[0].string else { return nil }
        return (name, parts[1].string ?? "")
      })
  }

  func representations() throws -> [String: [String: String]] {
    var representations: [String: [String: String]] = [:]
    for row in try connection.rows(SQL(trusted: CatalogQueries.representations)) {
      representations[row[0] ?? "", default: [:]][row[1] ?? ""] = row[2]
    }
    return representations
  }

  func handlers(
    _ schemas: [String]
  ) throws -> [SchemaCache.HandlerKey: (handler: MediaHandler, type: MediaType)] {
    var statement = SQL(trusted: CatalogQueries.mediaHandlers)
    statement.append(bind: SQL.arrayLiteral(schemas))
    var handlers: [SchemaCache.HandlerKey: (handler: MediaHandler, type: MediaType)] = [:]
    for row in try connection.rows(statement) {
      let values = row.values.map { $0 ?? "" }
      let name = QualifiedName(values[2], values[3])
      let target: HandlerTarget = name == QualifiedName("pg_catalog", "anyelement") ? .any : .relation(name)
      let function = QualifiedName(values[0], values[1])
      handlers[SchemaCache.HandlerKey(target: target, type: MediaType(values[4]))] = (
        .custom(function: function, target: target), MediaType(values[5])
      )
    }
    return handlers
  }

  func roleSettings() throws -> (
    settings: [String: [(name: String, value: String)]], isolation: [String: String]
  ) {
    // Since 15 a login can be allowed to set what is a superuser's to set.
    let privilege =
      connection.serverVersion >= 150_000
      ? "or pg_catalog.has_parameter_privilege(current_user, p.name, 'set')" : ""
    var settings: [String: [(name: String, value: String)]] = [:]
    var isolation: [String: String] = [:]
    for row in try connection.rows(SQL(trusted: CatalogQueries.roleSettings(privilege: privilege))) {
      guard let role = row[0], let name = row[1], let value = row[2] else { continue }
      if name == "default_transaction_isolation" {
        isolation[role] = value
      } else {
        settings[role, default: []].append((name, value))
      }
    }
    return (settings, isolation)
  }
}

extension Routine {
  fileprivate var sortKey: String {
    (comment ?? "") + "\u{0}" + parameters.map { "\($0.name)\u{1}\($0.type)" }.joined(separator: "\u{0}")
  }
}
