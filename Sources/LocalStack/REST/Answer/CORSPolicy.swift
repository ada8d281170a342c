import Gateway

/// Cross-origin rules as the dialect itself has them. Behind the gateway, the gateway's rules replace these.
struct CORSPolicy {
  /// Nil allows every origin.
  let allowedOrigins: [String]?

  /// The answer to a preflight; nil where the request is none.
  func preflight(_ request: HTTPRequest) -> HTTPResponse? {
    guard request.method == "OPTIONS", let origin = request.header("origin"),
      request.header("access-control-request-method") != nil, let allowed = origins(origin)
    else { return nil }
    let asked = (request.header("access-control-request-headers") ?? "").split(separator: ",")
      .map { String($0).trimmedBlanks }
    let headers = ["Authorization"] + asked + ["Accept", "Accept-Language", "Content-Language"]
    return HTTPResponse(
      status: 200,
      headers: allowed + [
        HTTPHeader("Access-Control-Allow-Methods", "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD"),
        HTTPHeader("Access-Control-Allow-Headers", headers.joined(separator: ", ")),
        HTTPHeader("Access-Control-Max-Age", "86400"),
      ])
  }

  func allow(_ response: inout HTTPResponse, for request: HTTPRequest) {
    guard let origin = request.header("origin"), let allowed = origins(origin) else { return }
    for header in allowed { response.set(header.name, header.value) }
    response.set(
      "Access-Control-Expose-Headers",
      "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, "
        + "Transfer-Encoding, Range-Unit")
  }

  private func origins(_ origin: String) -> [HTTPHeader]? {
    guard let allowedOrigins else { return [HTTPHeader("Access-Control-Allow-Origin", "*")] }
    guard allowedOrigins.contains(origin) else { return nil }
    return [
      HTTPHeader("Access-Control-Allow-Origin", origin),
      HTTPHeader("Access-Control-Allow-Credentials", "true"),
    ]
  }
}
