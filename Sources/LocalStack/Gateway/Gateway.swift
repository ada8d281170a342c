import JSONValues

/// A service behind the gateway: what its paths begin with, and what answers them.
package struct GatewayRoute: Sendable {
  /// `/rest/v1/`: the service sees the rest, with a slash before it. Without a slash at the end it is one
  /// exact path.
  package let prefix: String
  /// Whether keys are left alone: links that a browser opens carry none.
  package let isOpen: Bool
  /// What a request becomes on the way; called after the prefix is taken off.
  package let rewrite: @Sendable (inout HTTPRequest) -> Void
  package let responder: @Sendable () -> any HTTPResponder

  package init(
    prefix: String, isOpen: Bool = false, rewrite: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in },
    responder: @escaping @Sendable () -> any HTTPResponder
  ) {
    self.prefix = prefix
    self.isOpen = isOpen
    self.rewrite = rewrite
    self.responder = responder
  }

  /// The data API and GraphQL over it.
  package static func rest(_ responder: @escaping @Sendable () -> any HTTPResponder) -> [GatewayRoute] {
    [
      GatewayRoute(prefix: "/rest/v1/", responder: responder),
      GatewayRoute(
        prefix: "/graphql/v1",
        rewrite: { request in
          request.path = "/rpc/graphql"
          request.set("content-profile", "graphql_public")
        }, responder: responder),
    ]
  }

  /// The public keys that tokens can be verified with.
  package static func publicKeys(_ keys: [JSON]) -> GatewayRoute {
    let body = JSON.object([.init("keys", .array(keys))]).bytes()
    return GatewayRoute(prefix: "/auth/v1/.well-known/jwks.json", isOpen: true) { FixedResponder(body) }
  }
}

private struct FixedResponder: HTTPResponder {
  private let body: [UInt8]

  init(_ body: [UInt8]) { self.body = body }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        HTTPHeader("Content-Type", "application/json"), HTTPHeader("Cache-Control", "public, max-age=600"),
      ], body: .bytes(body))
  }
}

/// What the gateway is made of.
package struct GatewayConfiguration: Sendable {
  package var manner: GatewayManner
  package var keys: APIKeys
  /// The first whose prefix fits is taken: the longer ones come first.
  package var routes: [GatewayRoute]
  package var log: (@Sendable (RequestLogEntry) -> Void)?

  package init(
    manner: GatewayManner = .local, keys: APIKeys = .development(), routes: [GatewayRoute],
    log: (@Sendable (RequestLogEntry) -> Void)? = nil
  ) {
    self.manner = manner
    self.keys = keys
    self.routes = routes
    self.log = log
  }
}

/// The front of the stack on one worker's thread: checks the host, answers preflights, swaps keys, and hands
/// each request to its service.
package struct GatewayResponder: HTTPResponder {
  private let configuration: GatewayConfiguration
  private let policy: KeyPolicy
  private let responders: [any HTTPResponder]

  package init(_ configuration: GatewayConfiguration) {
    self.configuration = configuration
    policy = KeyPolicy(configuration.manner, configuration.keys)
    responders = configuration.routes.map { $0.responder() }
  }

  package func respond(to request: HTTPRequest) -> HTTPResponse {
    guard let log = configuration.log else { return answer(request) }
    let start = ContinuousClock.now
    let response = answer(request)
    log(
      RequestLogEntry(
        time: Clock.seconds, method: request.method, path: request.path, role: response.role,
        status: response.status, duration: ContinuousClock.now - start))
    return response
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard LoopbackHost.isLoopback(request.header("host")) else { return LoopbackHost.refusal }
    guard let index = configuration.routes.firstIndex(where: { $0.fits(request.path) }) else {
      return HTTPResponse(
        status: 404, headers: [HTTPHeader("Content-Type", "application/json; charset=utf-8")],
        text: #"{"message":"no Route matched with those values"}"#)
    }
    if let preflight = GatewayCORS.preflight(request) { return preflight }
    let route = configuration.routes[index]
    var forwarded = request
    var response: HTTPResponse
    if !route.isOpen,
      let refusal = policy.apply(to: &forwarded, isRESTRoot: request.path == "/rest/v1/")
    {
      response = refusal
    } else {
      forwarded.path = "/" + request.path.dropFirst(route.prefix.count)
      route.rewrite(&forwarded)
      response = responders[index].respond(to: forwarded)
    }
    GatewayCORS.allow(&response)
    return response
  }
}

extension GatewayRoute {
  fileprivate func fits(_ path: String) -> Bool {
    prefix.hasSuffix("/") ? path.hasPrefix(prefix) : path == prefix
  }
}

/// Serves one responder alone, for requests that were meant for this machine.
package struct LoopbackResponder: HTTPResponder {
  private let inner: any HTTPResponder
  private let log: (@Sendable (RequestLogEntry) -> Void)?

  package init(_ inner: any HTTPResponder, log: (@Sendable (RequestLogEntry) -> Void)? = nil) {
    self.inner = inner
    self.log = log
  }

  package func respond(to request: HTTPRequest) -> HTTPResponse {
    let start = ContinuousClock.now
    let response =
      LoopbackHost.isLoopback(request.header("host")) ? inner.respond(to: request) : LoopbackHost.refusal
    log?(
      RequestLogEntry(
        time: Clock.seconds, method: request.method, path: request.path, role: response.role,
        status: response.status, duration: ContinuousClock.now - start))
    return response
  }
}
