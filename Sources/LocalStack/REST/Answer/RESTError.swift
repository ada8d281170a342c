import Gateway
import JSONValues

/// A refusal as clients see it: four parts, an HTTP status, and headers that go with it.
struct RESTError: Error {
  var status: Int
  var code: String
  var message: String
  var details: JSON = .null
  var hint: JSON = .null
  var headers: [HTTPHeader] = []

  init(
    _ status: Int, _ code: String, _ message: String, details: JSON = .null, hint: JSON = .null,
    headers: [HTTPHeader] = []
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
    self.hint = hint
    self.headers = headers
  }

  /// The body: always the same four keys in the same order.
  var body: JSON {
    ["code": .string(code), "details": details, "hint": hint, "message": .string(message)]
  }

  var response: HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [
        HTTPHeader("Content-Type", "application/json; charset=utf-8"),
        HTTPHeader("Proxy-Status", "PostgREST; error=" + code),
      ] + headers, body: .bytes(body.bytes()))
  }
}

// MARK: - What a request can get wrong by itself

extension RESTError {
  static func queryParameter(_ message: String, _ details: String) -> RESTError {
    RESTError(400, "PGRST100", message, details: .string(details))
  }

  static func callMethod(_ method: String) -> RESTError {
    RESTError(405, "PGRST101", "Cannot use the \(method) method on RPC")
  }

  static func invalidBody(_ message: String) -> RESTError { RESTError(400, "PGRST102", message) }

  static func invalidRange(_ details: String) -> RESTError {
    RESTError(416, "PGRST103", "Requested range not satisfiable", details: .string(details))
  }

  static func outOfRange(offset: Int, total: Int?) -> RESTError {
    invalidRange("An offset of \(offset) was requested, but there are only \(total ?? 0) rows.")
  }

  static let invalidFilters = RESTError(
    405, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators")

  static func invalidSchema(_ schema: String, exposed: [String]) -> RESTError {
    RESTError(
      406, "PGRST106", "Invalid schema: " + schema,
      hint: .string("Only the following schemas are exposed: " + exposed.joined(separator: ", ")))
  }

  static func notAcceptable(_ types: [MediaType]) -> RESTError {
    let names = types.map(\.name).joined(separator: ", ")
    return RESTError(406, "PGRST107", "None of these media types are available: " + names)
  }

  static func notEmbedded(_ name: String) -> RESTError {
    RESTError(
      400, "PGRST108", "'\(name)' is not an embedded resource in this request",
      hint: .string("Verify that '\(name)' is included in the 'select' query parameter."))
  }

  static let invalidResponseHeaders = RESTError(
    500, "PGRST111",
    "response.headers guc must be a JSON array composed of objects with a single key and a string value")
  static let invalidResponseStatus = RESTError(
    500, "PGRST112", "response.status guc must be a valid status code")
  static let limitOnPut = RESTError(
    400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")
  static let putMismatch = RESTError(
    400, "PGRST115", "Payload values do not match URL in primary key column(s)")

  static func notSingular(_ rows: Int) -> RESTError {
    RESTError(
      406, "PGRST116", "Cannot coerce the result to a single JSON object",
      details: .string("The result contains \(rows) rows"))
  }

  static func unsupportedMethod(_ method: String) -> RESTError {
    RESTError(405, "PGRST117", "Unsupported HTTP method: " + method)
  }

  static func relatedOrder(_ origin: String, _ target: String) -> RESTError {
    RESTError(
      400, "PGRST118", "A related order on '\(target)' is not possible",
      details: .string("'\(origin)' and '\(target)' do not form a many-to-one or one-to-one relationship"))
  }

  static func invalidPreferences(_ names: [String]) -> RESTError {
    RESTError(
      400, "PGRST122", "Invalid preferences given with handling=strict",
      details: .string("Invalid preferences: " + names.joined(separator: ", ")))
  }

  static let aggregatesDisabled = RESTError(400, "PGRST123", "Use of aggregate functions is not allowed")

  static func maxAffected(_ rows: Int) -> RESTError {
    RESTError(
      400, "PGRST124", "Query result exceeds max-affected preference constraint",
      details: .string("The query affects \(rows) rows"))
  }

  static let invalidPath = RESTError(404, "PGRST125", "Invalid path specified in request URL")
  static let rootDisabled = RESTError(404, "PGRST126", "Root endpoint metadata is disabled")
  static let spreadAggregates = RESTError(
    400, "PGRST127", "Feature not implemented",
    details: "Aggregates are not implemented for one-to-many or many-to-many spreads.")
  static let maxAffectedCall = RESTError(
    400, "PGRST128",
    "Function must return SETOF or TABLE when max-affected preference is used with handling=strict")
}

// MARK: - What the schema cache does not know

extension RESTError {
  static let noSchemaCache = RESTError(
    503, "PGRST002", "Could not query the database for the schema cache. Retrying.",
    headers: [HTTPHeader("Retry-After", "1")])

  static func unknownTable(_ table: QualifiedName, hint: String?) -> RESTError {
    RESTError(
      404, "PGRST205",
      "Could not find the table '\(table.schema).\(table.name)' in the schema cache",
      hint: hint.map { .string("Perhaps you meant the table '\(table.schema).\($0)'") } ?? .null)
  }

  static func unknownColumn(_ column: String, of table: String) -> RESTError {
    RESTError(
      400, "PGRST204", "Could not find the '\(column)' column of '\(table)' in the schema cache")
  }

  static func noRelationship(
    _ parent: String, _ child: String, hint given: String?, schema: String, suggestion: String?
  ) -> RESTError {
    let used = given.map { "' using the hint '" + $0 } ?? ""
    return RESTError(
      400, "PGRST200",
      "Could not find a relationship between '\(parent)' and '\(child)' in the schema cache",
      details: .string(
        "Searched for a foreign key relationship between '\(parent)' and '\(child)\(used)' in the schema "
          + "'\(schema)', but no matches were found."),
      hint: suggestion.map { .string($0) } ?? .null)
  }

  static func ambiguousRelationship(
    _ parent: String, _ child: String, _ found: [Relationship]
  ) -> RESTError {
    let choices = found.map { "'\($0.foreignTable.name)!\($0.hintName)'" }.joined(separator: ", ")
    return RESTError(
      300, "PGRST201",
      "Could not embed because more than one relationship was found for '\(parent)' and '\(child)'",
      details: .array(found.map(\.described)),
      hint: .string(
        "Try changing '\(child)' to one of the following: \(choices). Find the desired relationship in the "
          + "'details' key."))
  }

  static func ambiguousFunction(_ routines: [Routine]) -> RESTError {
    let names = routines.map { routine in
      let parameters = routine.parameters.map { $0.name + " => " + $0.type }.joined(separator: ", ")
      return "\(routine.name.schema).\(routine.name.name)(\(parameters))"
    }
    return RESTError(
      300, "PGRST203",
      "Could not choose the best candidate function between: " + names.joined(separator: ", "),
      hint:
        "Try renaming the parameters or the function itself in the database so function overloading can be resolved"
    )
  }

  /// - Parameters:
  ///   - raw: The type of the single unnamed parameter that a raw body would fill.
  ///   - isJSONCall: Whether a single unnamed JSON parameter would have done too.
  static func unknownFunction(
    _ function: QualifiedName, arguments: [String], raw: String?, isJSONCall: Bool, hint: String?
  ) -> RESTError {
    let name = "\(function.schema).\(function.name)"
    let list = arguments.joined(separator: ", ")
    let short = arguments.isEmpty ? " without parameters" : "(\(list))"
    let long =
      arguments.isEmpty
      ? " without parameters" : " with parameter\(arguments.count > 1 ? "s" : "") \(list)"
    let searched: String =
      if let raw {
        " with a single unnamed \(raw) parameter"
      } else if isJSONCall {
        long + " or with a single unnamed json/jsonb parameter"
      } else {
        long
      }
    return RESTError(
      404, "PGRST202",
      "Could not find the function \(name)\(raw == nil ? short : "") in the schema cache",
      details: .string(
        "Searched for the function \(name)\(searched), but no matches were found in the schema cache."),
      hint: hint.map { .string("Perhaps you meant to call the function \(function.schema).\($0)") } ?? .null)
  }
}
