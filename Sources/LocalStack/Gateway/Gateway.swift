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

  package func respond(toAll requests: [HTTPRequest]) -> [HTTPResponse] {
    guard configuration.log == nil else { return requests.map { respond(to: $0) } }
    // Those that go on to the same service go together.
    var answers = [HTTPResponse?](repeating: nil, count: requests.count)
    var forwarded: [Int: [(position: Int, request: HTTPRequest)]] = [:]
    for (position, request) in requests.enumerated() {
      switch admit(request) {
      case .answered(let response): answers[position] = response
      case .forward(let request, let route): forwarded[route, default: []].append((position, request))
      }
    }
    for (route, members) in forwarded {
      for (member, response) in zip(members, responders[route].respond(toAll: members.map(\.request))) {
        var response = response
        GatewayCORS.allow(&response)
        answers[member.position] = response
      }
    }
    return answers.map { $0 ?? HTTPResponse(status: 500) }
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    switch admit(request) {
    case .answered(let response): return response
    case .forward(let request, let route):
      var response = responders[route].respond(to: request)
      GatewayCORS.allow(&response)
      return response
    }
  }

  private enum Admission {
    case answered(HTTPResponse)
    case forward(HTTPRequest, route: Int)
  }

  private func admit(_ request: HTTPRequest) -> Admission {
    guard LoopbackHost.isLoopback(request.header("host")) else { return .answered(LoopbackHost.refusal) }
    guard let index = configuration.routes.firstIndex(where: { $0.fits(request.path) }) else {
      return .answered(
        HTTPResponse(
          status: 404, headers: [HTTPHeader("Content-Type", "application/json; charset=utf-8")],
          text: #"{"message":"no Route matched with those values"}"#))
    }
    if let preflight = GatewayCORS.preflight(request) { return .answered(preflight) }
    let route = configuration.routes[index]
    var forwarded = request
    if !route.isOpen,
      var refusal = policy.apply(to: &forwarded, isRESTRoot: request.path == "/rest/v1/")
    {
      GatewayCORS.allow(&refusal)
      return .answered(refusal)
    }
    forwarded.path = "/" + request.path.dropFirst(route.prefix.count)
    route.rewrite(&forwarded)
    return .forward(forwarded, route: index)
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

  package func respond(toAll requests: [HTTPRequest]) -> [HTTPResponse] {
    guard log == nil, requests.allSatisfy({ LoopbackHost.isLoopback($0.header("host")) }) else {
      return requests.map { respond(to: $0) }
    }
    return inner.respond(toAll: requests)
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
