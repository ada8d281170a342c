import Gateway

enum Mutation: Sendable {
  case create, update, singleUpsert, delete
}

enum Action: Sendable {
  case read(QualifiedName, headersOnly: Bool)
  case mutate(QualifiedName, Mutation)
  case get(QualifiedName, headersOnly: Bool)
  case post(QualifiedName)
  case relationInfo(QualifiedName)
  case routineInfo(QualifiedName)
  case root(headersOnly: Bool)
  case rootInfo

  var isMutation: Bool { if case .mutate = self { true } else { false } }

  var isCall: Bool {
    switch self {
    case .get, .post, .routineInfo: true
    default: false
    }
  }
}

/// A request read and checked as far as that goes without knowing the schema. It holds nothing of who asks,
/// and is shared by all requests that say the same.
final class APIRequest {
  let action: Action
  let schema: String
  /// Whether responses name the schema: a profile was asked for, or there are several.
  let namesSchema: Bool
  let parameters: QueryParameters
  let preferences: Preferences
  /// By embed path as written.
  let ranges: [String: RowRange]
  let topRange: RowRange
  let payload: Payload?
  /// The columns or arguments that are given, in alphabetical order.
  let columns: [String]
  let accept: [MediaType]
  let contentType: MediaType

  /// - Throws: ``RESTError`` for what is wrong with the request by itself.
  init(_ http: HTTPRequest, _ configuration: RESTConfiguration, timezones: Set<String>) throws {
    let method = http.method
    preferences = Preferences(
      http.headers.filter { $0.name == "prefer" }.map(\.value),
      allowsTransactionEnd: configuration.transactionEnd.allowsOverride, timezones: timezones)
    let resource = try Resource(path: http.path, configuration)
    (schema, namesSchema) = try Self.schema(http, configuration)
    action = try resource.action(method, schema: schema)
    var isGet = false
    if case .get = action { isGet = true }
    parameters = try QueryParameters(http.query, isCall: isGet)
    (topRange, ranges) = try Self.ranges(http, parameters)
    contentType = http.header("content-type").map { MediaType($0) } ?? .json
    (payload, columns) = try Payload.read(http.body, contentType, parameters, action)
    accept = http.header("accept").map { AcceptHeader.mediaTypes($0) } ?? [.any]
  }

  private static func schema(
    _ http: HTTPRequest, _ configuration: RESTConfiguration
  ) throws -> (String, Bool) {
    let writes = ["DELETE", "PATCH", "POST", "PUT"].contains(http.method)
    if let profile = http.header(writes ? "content-profile" : "accept-profile") {
      guard configuration.schemas.contains(profile) else {
        throw RESTError.invalidSchema(profile, exposed: configuration.schemas)
      }
      return (profile, true)
    }
    return (configuration.schemas.first ?? "public", configuration.schemas.count != 1)
  }

  private static func ranges(
    _ http: HTTPRequest, _ parameters: QueryParameters
  ) throws -> (RowRange, [String: RowRange]) {
    let header =
      http.method == "GET" ? try http.header("range").map { try RowRange.header($0) } ?? .all : .all
    let asked = parameters.ranges["limit"] ?? .all
    var top = header.intersection(asked)
    if asked.isNoneRequested { top = RowRange.none }
    guard let top else {
      throw RESTError.invalidRange("Limit should be greater than or equal to zero.")
    }
    if http.method == "PUT", top != .all { throw RESTError.limitOnPut }
    var ranges = parameters.ranges
    ranges["limit"] = top
    return (top, ranges)
  }
}

/// What a path names.
private enum Resource {
  case root
  case relation(String)
  case routine(String)

  init(path: String, _ configuration: RESTConfiguration) throws {
    var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      QueryString.decode($0.utf8, plusIsBlank: false)
    }
    if segments == [""] { segments = [] }
    switch segments.count {
    case 0:
      if configuration.openAPIMode == .disabled { throw RESTError.rootDisabled }
      if let function = configuration.rootFunctionName { self = .routine(function) } else { self = .root }
    case 1: self = .relation(segments[0])
    case 2 where segments[0] == "rpc": self = .routine(segments[1])
    default: throw RESTError.invalidPath
    }
  }

  func action(_ method: String, schema: String) throws -> Action {
    switch (self, method) {
    case (.routine(let name), "HEAD"): return .get(QualifiedName(schema, name), headersOnly: true)
    case (.routine(let name), "GET"): return .get(QualifiedName(schema, name), headersOnly: false)
    case (.routine(let name), "POST"): return .post(QualifiedName(schema, name))
    case (.routine(let name), "OPTIONS"): return .routineInfo(QualifiedName(schema, name))
    case (.routine, _): throw RESTError.callMethod(method)
    case (.relation(let name), "HEAD"): return .read(QualifiedName(schema, name), headersOnly: true)
    case (.relation(let name), "GET"): return .read(QualifiedName(schema, name), headersOnly: false)
    case (.relation(let name), "POST"): return .mutate(QualifiedName(schema, name), .create)
    case (.relation(let name), "PUT"): return .mutate(QualifiedName(schema, name), .singleUpsert)
    case (.relation(let name), "PATCH"): return .mutate(QualifiedName(schema, name), .update)
    case (.relation(let name), "DELETE"): return .mutate(QualifiedName(schema, name), .delete)
    case (.relation(let name), "OPTIONS"): return .relationInfo(QualifiedName(schema, name))
    case (.root, "HEAD"): return .root(headersOnly: true)
    case (.root, "GET"): return .root(headersOnly: false)
    case (.root, "OPTIONS"): return .rootInfo
    default: throw RESTError.unsupportedMethod(method)
    }
  }
}
