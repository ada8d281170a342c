import Gateway
import JSONValues
import Postgres

/// Makes the HTTP response of a request's result.
struct Responses {
  let request: APIRequest

  // MARK: - By kind of request

  func read(_ result: QueryResult, _ table: QualifiedName, _ type: MediaType, headersOnly: Bool)
    throws -> HTTPResponse
  {
    let (status, range) = request.topRange.contentRange(rows: result.rows, total: result.total)
    let query = request.parameters.canonical
    var headers = [
      HTTPHeader("Content-Range", range),
      HTTPHeader("Content-Location", "/" + table.name + (query.isEmpty ? "" : "?" + query)),
    ]
    headers += contentType(type)
    headers += applied { _ in }
    var body: HTTPResponse.Body = headersOnly ? .bytes([]) : result.body
    if status == 416 { body = outOfRange(result) }
    return try finish(HTTPResponse(status: status, headers: headers, body: body), result)
  }

  func create(_ result: QueryResult, _ table: Table, _ type: MediaType) throws -> HTTPResponse {
    var headers: [HTTPHeader] = []
    if !result.location.isEmpty { headers.append(location(result.location, table.name.name)) }
    headers.append(HTTPHeader("Content-Range", countRange(result)))
    let resolves = !table.primaryKey.isEmpty || request.parameters.onConflict != nil
    headers += applied { preferences in
      if resolves { preferences.resolution = request.preferences.resolution }
      preferences.representation = request.preferences.representation
      preferences.missing = request.preferences.missing
    }
    let isFull = request.preferences.representation == .full
    if isFull { headers += contentType(type) }
    // With merging, 200 says that no row was new.
    let merges = request.preferences.resolution == .mergeDuplicates
    let status = merges && (result.inserted ?? 0) <= 0 ? 200 : 201
    return try finish(
      HTTPResponse(status: status, headers: headers, body: isFull ? result.body : .bytes([])), result)
  }

  func update(_ result: QueryResult, _ type: MediaType) throws -> HTTPResponse {
    let total = request.preferences.countsRows ? result.rows : nil
    let range = RowRange.contentRange(from: 0, to: result.rows - 1, total: total)
    return try written(result, type, range: range) { preferences in
      preferences.missing = request.preferences.missing
      preferences.maxAffected = request.preferences.maxAffected
    }
  }

  func delete(_ result: QueryResult, _ type: MediaType) throws -> HTTPResponse {
    try written(result, type, range: countRange(result)) { preferences in
      preferences.maxAffected = request.preferences.maxAffected
    }
  }

  func put(_ result: QueryResult, _ type: MediaType) throws -> HTTPResponse {
    let isFull = request.preferences.representation == .full
    let status = isFull ? (result.inserted ?? 0) > 0 ? 201 : 200 : 204
    var headers = isFull ? contentType(type) : []
    headers += applied { $0.representation = request.preferences.representation }
    return try finish(
      HTTPResponse(status: status, headers: headers, body: isFull ? result.body : .bytes([])), result)
  }

  func call(
    _ result: QueryResult, _ routine: Routine, _ type: MediaType, headersOnly: Bool
  ) throws -> HTTPResponse {
    let (status, range) = request.topRange.contentRange(rows: result.rows, total: result.total)
    var headers = [HTTPHeader("Content-Range", range)]
    headers += applied { $0.maxAffected = request.preferences.maxAffected }
    if routine.returnsVoid { return try finish(HTTPResponse(status: 204, headers: headers), result) }
    headers += contentType(type)
    var body = status == 416 ? outOfRange(result) : result.body
    if headersOnly { body = .bytes([]) }
    return try finish(HTTPResponse(status: status, headers: headers, body: body), result)
  }

  func explained(_ answer: Answer, _ type: MediaType) -> HTTPResponse {
    var text = ""
    for row in 0..<answer.rowCount { text += (answer.text(row, 0) ?? "") + "\n" }
    return HTTPResponse(status: 200, headers: contentType(type), text: text)
  }

  static func allow(_ methods: String) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: [HTTPHeader("Access-Control-Allow-Origin", "*"), HTTPHeader("Allow", methods)])
  }

  // MARK: - Parts

  private func written(
    _ result: QueryResult, _ type: MediaType, range: String, _ change: (inout Preferences) -> Void
  ) throws -> HTTPResponse {
    let isFull = request.preferences.representation == .full
    var headers = [HTTPHeader("Content-Range", range)]
    headers += applied {
      $0.representation = request.preferences.representation
      change(&$0)
    }
    if isFull { headers += contentType(type) }
    return try finish(
      HTTPResponse(
        status: isFull ? 200 : 204, headers: headers, body: isFull ? result.body : .bytes([])), result)
  }

  private func countRange(_ result: QueryResult) -> String {
    RowRange.contentRange(from: 1, to: 0, total: request.preferences.countsRows ? result.rows : nil)
  }

  private func outOfRange(_ result: QueryResult) -> HTTPResponse.Body {
    .bytes(RESTError.outOfRange(offset: request.topRange.lower, total: result.total).body.bytes())
  }

  func contentType(_ type: MediaType) -> [HTTPHeader] {
    [HTTPHeader("Content-Type", type.contentType)] + profile
  }

  var profile: [HTTPHeader] {
    request.namesSchema ? [HTTPHeader("Content-Profile", request.schema)] : []
  }

  /// What was applied: the preferences that hold for every request, and those of this kind.
  private func applied(_ change: (inout Preferences) -> Void) -> [HTTPHeader] {
    var preferences = request.preferences
    preferences.resolution = nil
    preferences.representation = nil
    preferences.missing = nil
    preferences.maxAffected = nil
    change(&preferences)
    return preferences.applied.map { [HTTPHeader("Preference-Applied", $0)] } ?? []
  }

  private func location(_ pairs: [(name: String, value: String?)], _ table: String) -> HTTPHeader {
    func encode(_ text: String) -> String {
      QueryString.encode(text) { byte in
        let isPlain =
          (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "-_.~".utf8.contains(byte)
        return !isPlain
      }
    }
    let query = pairs.map { name, value in
      encode(name) + "=" + encode(value.map { "eq." + $0 } ?? "is.null")
    }.joined(separator: "&")
    return HTTPHeader("Location", "/\(table)?\(query)")
  }

  // MARK: - What SQL code says about the response

  private func finish(_ response: HTTPResponse, _ result: QueryResult) throws -> HTTPResponse {
    var response = response
    if let status = result.status {
      let digits = status.prefix { $0.isASCII && $0.isNumber }
      guard let code = Int(digits), (100...999).contains(code) else { throw RESTError.invalidResponseStatus }
      response.status = code
    }
    if let text = result.headers {
      guard let items = (try? JSON(parsing: text))?.array else { throw RESTError.invalidResponseHeaders }
      let own = try items.map { item in
        guard let members = item.members, members.count == 1, let value = members[0].value.string else {
          throw RESTError.invalidResponseHeaders
        }
        return HTTPHeader(members[0].key, value)
      }
      response.headers.removeAll { header in
        own.contains { $0.name.isEqualIgnoringCase(to: header.name) }
      }
      response.headers += own
    }
    return response
  }
}
