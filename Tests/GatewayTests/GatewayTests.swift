import JSONValues
import Testing
import Tokens

@testable import Gateway

/// Tells what the gateway handed on.
private struct Upstream: HTTPResponder {
  func respond(to request: HTTPRequest) -> HTTPResponse {
    var response = HTTPResponse(
      status: 200, headers: [HTTPHeader("Access-Control-Allow-Origin", "https://upstream.test")],
      text: request.path + " " + (request.header("authorization") ?? "-"))
    response.role = "anon"
    return response
  }
}

@Suite struct GatewayTests {
  private let keys = APIKeys.development()

  private func gateway(_ manner: GatewayManner) -> GatewayResponder {
    GatewayResponder(
      GatewayConfiguration(
        manner: manner, keys: keys,
        routes: [GatewayRoute(prefix: "/auth/v1/verify", isOpen: true) { Upstream() }]
          + GatewayRoute.rest { Upstream() }))
  }

  private func ask(
    _ manner: GatewayManner = .local, _ path: String = "/rest/v1/t", method: String = "GET",
    _ headers: [String: String] = [:], host: String? = "localhost:54321"
  ) -> HTTPResponse {
    var fields = headers.map { HTTPHeader($0.key, $0.value) }
    if let host { fields.append(HTTPHeader("host", host)) }
    return gateway(manner).respond(to: HTTPRequest(method: method, path: path, headers: fields))
  }

  private func text(_ response: HTTPResponse) -> String {
    guard case .bytes(let bytes) = response.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Host

  @Test(arguments: [
    "localhost", "localhost:54321", "127.0.0.1", "127.0.0.1:1", "[::1]:54321", "LOCALHOST.", "127.1.2.3",
  ])
  func `names of this machine are served`(host: String) { #expect(ask(host: host).status == 200) }

  @Test(arguments: [
    "evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "evil.test:54321", "0.0.0.0", "192.168.1.1",
    "127.1", "0177.0.0.1", "2130706433", "127.0.0.1@evil.test", "[::1]evil.test", "[::ffff:127.0.0.1]",
    "localhost:80.evil.test", "", "128.0.0.1",
  ])
  func `other names are not`(host: String) { #expect(ask(host: host).status == 421) }

  @Test func `a request without a host is not served`() { #expect(ask(host: nil).status == 421) }

  // MARK: - Routes

  @Test func `the prefix is taken off and unknown paths have no route`() {
    #expect(text(ask(.local, "/rest/v1/a%2Fb")).hasPrefix("/a%2Fb "))
    #expect(text(ask(.local, "/graphql/v1")).hasPrefix("/rpc/graphql "))
    for path in ["/", "/rest/v1", "/other/v1/x"] {
      let response = ask(.local, path)
      #expect(response.status == 404)
      #expect(text(response) == #"{"message":"no Route matched with those values"}"#)
    }
  }

  // MARK: - CORS

  @Test func `a preflight is answered without a key, and echoes what was asked`() {
    let response = ask(
      .hosted, method: "OPTIONS",
      [
        "origin": "http://app.test", "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, x-client-info",
      ])

    #expect(response.status == 200)
    #expect(
      response.headers == [
        HTTPHeader("Access-Control-Allow-Origin", "*"),
        HTTPHeader("Access-Control-Allow-Headers", "authorization, x-client-info"),
        HTTPHeader(
          "Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT"),
      ])
  }

  @Test func `responses allow every origin, whatever the service said`() {
    #expect(
      ask().headers.filter { $0.name == "Access-Control-Allow-Origin" }.map(\.value) == ["*"])
  }

  // MARK: - Keys, as the local stack

  @Test func `locally keys are swapped for their tokens`() {
    #expect(text(ask(.local, ["apikey": keys.publishable])) == "/t Bearer \(keys.anonymousToken)")
    #expect(text(ask(.local, ["apikey": keys.secret])) == "/t Bearer \(keys.serviceToken)")
    #expect(
      text(ask(.local, ["apikey": keys.secret, "authorization": "Bearer \(keys.secret)"]))
        == "/t Bearer \(keys.serviceToken)")
  }

  @Test func `locally a user's token passes, and a bare key goes on without Bearer`() {
    #expect(
      text(ask(.local, ["apikey": keys.secret, "authorization": "Bearer user"])) == "/t Bearer user")
    #expect(text(ask(.local, ["apikey": keys.serviceToken])) == "/t \(keys.serviceToken)")
    #expect(
      text(ask(.local, ["apikey": "sb_secret_wrong", "authorization": "Bearer sb_secret_wrong"]))
        == "/t sb_secret_wrong")
    #expect(text(ask(.local)) == "/t -")
    #expect(text(ask(.local, ["authorization": "Bearer sb_alone"])) == "/t -")
  }

  // MARK: - Keys, as the hosted service

  @Test func `hosted, a missing or wrong key is refused`() {
    let missing = ask(.hosted)
    #expect(missing.status == 401)
    #expect(text(missing).contains("No API key found in request"))
    #expect(missing.headers.contains(HTTPHeader("sb-error-code", "UNAUTHORIZED_MISSING_API_KEY")))
    #expect(text(ask(.hosted, ["apikey": "sb_publishable_wrong"])).contains("Unregistered API key"))
    #expect(text(ask(.hosted, ["apikey": "nonsense"])).contains("Invalid API key"))
    let forged = JWTSigner(secret: Array(repeating: 1, count: 32)).token(["role": "service_role"]) ?? ""
    #expect(text(ask(.hosted, ["apikey": forged])).contains("Invalid API key"))
  }

  @Test func `hosted, keys of all four kinds are accepted`() {
    #expect(text(ask(.hosted, ["apikey": keys.publishable])) == "/t Bearer \(keys.anonymousToken)")
    #expect(text(ask(.hosted, ["apikey": keys.secret])) == "/t Bearer \(keys.serviceToken)")
    #expect(text(ask(.hosted, ["apikey": keys.anonymousToken])) == "/t Bearer \(keys.anonymousToken)")
    #expect(text(ask(.hosted, ["apikey": keys.serviceToken])) == "/t Bearer \(keys.serviceToken)")
    #expect(
      text(ask(.hosted, ["apikey": keys.publishable, "authorization": "Bearer user"])) == "/t Bearer user")
  }

  @Test func `hosted, a secret key is not for browsers, another's key no token, the root not for anon`() {
    #expect(ask(.hosted, ["apikey": keys.secret, "user-agent": "Mozilla/5.0"]).status == 401)
    #expect(
      ask(.hosted, ["apikey": keys.publishable, "authorization": "Bearer \(keys.secret)"]).status == 401)
    #expect(ask(.hosted, "/rest/v1/", ["apikey": keys.publishable]).status == 401)
    #expect(ask(.hosted, "/rest/v1/", ["apikey": keys.secret]).status == 200)
  }

  @Test func `an open route needs no key`() { #expect(ask(.hosted, "/auth/v1/verify").status == 200) }

  // MARK: - Log

  @Test func `the log shows method, path, role, status and time, and nothing secret`() throws {
    let entry = RequestLogEntry(
      time: 0, method: "GET", path: "/rest/v1/t\u{1B}[31m", role: "anon", status: 200,
      duration: .microseconds(1250))

    #expect(entry.text == "GET /rest/v1/t\\u{1b}[31m anon 200 1.3 ms")
  }
}

extension GatewayTests {
  fileprivate func ask(_ manner: GatewayManner, _ headers: [String: String]) -> HTTPResponse {
    ask(manner, "/rest/v1/t", headers)
  }
}
