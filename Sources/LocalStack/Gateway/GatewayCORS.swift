/// Cross-origin rules of the platform's gateway, which take the place of the services' own.
enum GatewayCORS {
  /// The answer to a preflight; nil where the request is none. It needs no key.
  static func preflight(_ request: HTTPRequest) -> HTTPResponse? {
    guard request.method == "OPTIONS", request.header("origin") != nil,
      request.header("access-control-request-method") != nil
    else { return nil }
    var headers = [HTTPHeader("Access-Control-Allow-Origin", "*")]
    if let asked = request.header("access-control-request-headers") {
      headers.append(HTTPHeader("Access-Control-Allow-Headers", asked))
    }
    headers.append(
      HTTPHeader(
        "Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT"))
    return HTTPResponse(status: 200, headers: headers)
  }

  static func allow(_ response: inout HTTPResponse) {
    response.set("Access-Control-Allow-Origin", "*")
  }
}
