/// Finds out about the fields of one table. What the cache does not know stays unknown: the server decides.
struct FieldResolver {
  let cache: SchemaCache
  let table: QualifiedName

  func field(_ field: Field, textSearch: ResolvedField.TextSearch? = nil) -> ResolvedField {
    var resolved: ResolvedField
    if let column = cache.tables[table]?[column: field.name] {
      resolved = Self.resolved(column)
      resolved.textSearch = textSearch
    } else {
      resolved = .unknown(field.name)
    }
    resolved.path = field.path
    // JSON columns are followed as they are, so that indexes apply.
    resolved.needsJSON = resolved.type != "json" && resolved.type != "jsonb"
    if resolved.baseType == "tsvector" { resolved.textSearch = nil }
    return resolved
  }

  /// A field as it is shown.
  func output(_ field: Field) -> ResolvedField { shown(self.field(field)) }

  func output(_ column: Column) -> ResolvedField { shown(Self.resolved(column)) }

  private func shown(_ field: ResolvedField) -> ResolvedField {
    transformed(field, from: field.type, to: "json")
  }

  /// A column as it is read from a payload.
  /// - Throws: PGRST204 where there is no such column.
  func input(_ name: String, of table: Table) throws -> ResolvedField {
    guard let column = table[column: name] else {
      throw RESTError.unknownColumn(name, of: table.name.name)
    }
    let field = Self.resolved(column)
    return transformed(field, from: "json", to: field.type)
  }

  func condition(_ filter: Filter) -> ResolvedLogic {
    var textSearch: ResolvedField.TextSearch?
    if case .fullText(_, let language, _) = filter.operation {
      textSearch = language.map { .language($0) } ?? .defaultLanguage
    }
    let field = self.field(filter.field, textSearch: textSearch)
    return .filter(
      transformed(field, from: "text", to: field.type), isNegated: filter.isNegated, filter.operation)
  }

  func condition(_ tree: LogicTree) -> ResolvedLogic {
    switch tree {
    case .filter(let filter): condition(filter)
    case .group(let isNegated, let isAnd, let members):
      .group(isNegated: isNegated, isAnd: isAnd, members.map(condition))
    }
  }

  private func transformed(_ field: ResolvedField, from source: String, to target: String) -> ResolvedField {
    guard let function = cache.representations[source]?[target] else { return field }
    var field = field
    field.type = source
    field.transform = function
    return field
  }

  private static func resolved(_ column: Column) -> ResolvedField {
    ResolvedField(
      name: column.name, type: column.type, baseType: column.baseType, defaultSQL: column.defaultSQL)
  }
}
