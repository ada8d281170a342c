import JSONValues

/// The parameters of the OpenAPI document.
enum OpenAPIParameters {
  /// Those that operations refer to by name.
  static func shared(_ tables: [Table]) -> JSON {
    var members: [JSON.Member] = [
      .init("preferParams", prefer([])),
      .init("preferReturn", prefer(["return=representation", "return=minimal", "return=none"])),
      .init("preferCount", prefer(["count=none"])),
      .init(
        "preferPost",
        prefer([
          "return=representation", "return=minimal", "return=none", "resolution=ignore-duplicates",
          "resolution=merge-duplicates",
        ])), .init("select", plain("select", "Filtering Columns", in: "query")),
      .init("on_conflict", plain("on_conflict", "On Conflict", in: "query")),
      .init("order", plain("order", "Ordering", in: "query")),
      .init("range", plain("Range", "Limiting and Pagination", in: "header")),
      .init(
        "rangeUnit",
        .object(
          (plain("Range-Unit", "Limiting and Pagination", in: "header").members ?? [])
            + [.init("default", "items")])),
      .init("offset", plain("offset", "Limiting and Pagination", in: "query")),
      .init("limit", plain("limit", "Limiting and Pagination", in: "query")),
    ]
    for table in tables {
      let name = table.name.name
      members.append(
        .init(
          "body.\(name)",
          [
            "name": .string(name), "description": .string(name), "required": false, "in": "body",
            "schema": OpenAPIDocument.reference("definitions", name),
          ]))
      members += table.columns.map {
        .init("rowFilter.\(name).\($0.name)", plain($0.name, $0.comment, in: "query"))
      }
    }
    return .object(members)
  }

  private static func plain(_ name: String, _ description: String?, in place: String) -> JSON {
    var members: [JSON.Member] = [.init("name", .string(name))]
    if let description { members.append(.init("description", .string(description))) }
    return .object(
      members + [.init("required", false), .init("in", .string(place)), .init("type", "string")])
  }

  private static func prefer(_ values: [String]) -> JSON {
    var members = plain("Prefer", "Preference", in: "header").members ?? []
    if !values.isEmpty { members.append(.init("enum", .array(values.map { .string($0) }))) }
    return .object(members)
  }

  // MARK: - Functions

  static func path(of routine: Routine) -> JSON {
    func operation(_ parameters: [JSON]) -> JSON {
      let (first, rest) = OpenAPIDocument.summary(routine.comment)
      var members: [JSON.Member] = [.init("tags", [.string("(rpc) " + routine.name.name)])]
      if let first { members.append(.init("summary", .string(first))) }
      if let rest, !rest.isEmpty { members.append(.init("description", .string(rest))) }
      members.append(.init("produces", OpenAPIDocument.mediaTypes))
      members.append(.init("parameters", .array(parameters)))
      members.append(.init("responses", ["200": ["description": "OK"]]))
      return .object(members)
    }
    let post = operation([
      ["name": "args", "in": "body", "required": true, "schema": schema(of: routine)],
      OpenAPIDocument.reference("parameters", "preferParams"),
    ])
    if routine.volatility == .volatile { return ["post": post] }
    return ["get": operation(routine.parameters.map(query)), "post": post]
  }

  private static func schema(of routine: Routine) -> JSON {
    var members: [JSON.Member] = []
    if let comment = routine.comment { members.append(.init("description", .string(comment))) }
    let required = routine.parameters.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    members.append(
      .init(
        "properties",
        .object(
          routine.parameters.map { .init($0.name, .object(OpenAPIType.members($0.type))) })))
    members.append(.init("type", "object"))
    return .object(members)
  }

  private static func query(_ parameter: Routine.Parameter) -> JSON {
    var members: [JSON.Member] = [
      .init("name", .string(parameter.name)), .init("required", .bool(parameter.isRequired)),
      .init("in", "query"),
    ]
    let type = OpenAPIType.name(parameter.type)
    if parameter.isVariadic {
      let element = String(parameter.type.dropLast(2))
      members += [
        .init("type", .string(type ?? "string")), .init("collectionFormat", "multi"),
        .init(
          "items",
          [
            "type": .string(OpenAPIType.name(element) ?? "string"),
            "format": .string(OpenAPIType.format(element)),
          ]),
      ]
    } else {
      // Arrays are written as `{a,b}` in a query string.
      members += [
        .init("type", .string(type == nil || type == "array" ? "string" : type ?? "string")),
        .init("format", .string(OpenAPIType.format(parameter.type))),
      ]
    }
    return .object(members)
  }
}

/// PostgreSQL's types in OpenAPI's terms.
enum OpenAPIType {
  /// Nil for JSON, which can be anything.
  static func name(_ type: String) -> String? {
    switch type {
    case "boolean": "boolean"
    case "smallint", "integer", "bigint": "integer"
    case "numeric", "real", "double precision": "number"
    case "json", "jsonb": nil
    default: type.hasSuffix("[]") ? "array" : "string"
    }
  }

  static func format(_ type: String) -> String {
    switch type {
    case "smallint", "integer": "int32"
    case "bigint": "int64"
    default: type
    }
  }

  static func members(_ type: String) -> [JSON.Member] {
    var members: [JSON.Member] = [.init("format", .string(format(type)))]
    guard let name = name(type) else { return members }
    members.append(.init("type", .string(name)))
    if name == "array" {
      let element = Self.name(String(type.dropLast(2)))
      members.append(.init("items", element.map { ["type": .string($0)] } ?? .object([])))
    }
    return members
  }

  /// A column's default as a value; nil where it is no constant.
  static func defaultValue(_ column: Column) -> JSON? {
    guard let sql = column.defaultSQL else { return nil }
    guard name(column.baseType) == "string" else { return try? JSON(parsing: sql) }
    var text = sql
    let suffix = "::" + column.baseType
    if text.hasSuffix(suffix) {
      text = String(text.dropLast(suffix.count))
      while text.hasPrefix("'") { text.removeFirst() }
      while text.hasSuffix("'") { text.removeLast() }
    }
    return try? JSON(parsing: "\"\(text)\"")
  }
}
