import JSONValues
import Tokens

/// What the gateway does with a request's key before a service sees it.
package enum GatewayManner: String, Sendable, CaseIterable {
  /// As the Supabase CLI's local stack: nothing is refused, keys are swapped for their tokens.
  case local
  /// As the hosted service: a missing or wrong key is refused.
  case hosted
}

struct KeyPolicy {
  let manner: GatewayManner
  let keys: APIKeys
  private let verifier: JWTVerifier

  init(_ manner: GatewayManner, _ keys: APIKeys) {
    self.manner = manner
    self.keys = keys
    verifier = JWTVerifier(keys.verification)
  }

  /// Swaps the key for the token it stands for.
  ///
  /// - Returns: Nil where the request may go on, else the refusal.
  func apply(to request: inout HTTPRequest, isRESTRoot: Bool) -> HTTPResponse? {
    switch manner {
    case .local:
      swapLocally(&request)
      return nil
    case .hosted: return checkHosted(&request, isRESTRoot: isRESTRoot)
    }
  }

  // MARK: - As the local stack

  private func swapLocally(_ request: inout HTTPRequest) {
    if let authorization = request.header("authorization"), !authorization.hasPrefix("Bearer sb_") { return }
    guard let key = request.header("apikey") else {
      request.remove("authorization")
      return
    }
    if matches(key, keys.secret) {
      request.set("authorization", "Bearer " + keys.serviceToken)
    } else if matches(key, keys.publishable) {
      request.set("authorization", "Bearer " + keys.anonymousToken)
    } else {
      // Without "Bearer": services that insist on the word take it for no token at all.
      request.set("authorization", key)
    }
  }

  // MARK: - As the hosted service

  private func checkHosted(_ request: inout HTTPRequest, isRESTRoot: Bool) -> HTTPResponse? {
    guard let key = request.header("apikey") ?? queryKey(request.query) else {
      return Self.refusal(
        "No API key found in request", hint: "No `apikey` request header or url param was found.",
        errorCode: "UNAUTHORIZED_MISSING_API_KEY")
    }
    var token: String
    var isService = false
    if matches(key, keys.secret) {
      if request.header("user-agent")?.hasPrefix("Mozilla/") ?? false {
        return Self.refusal(
          "Forbidden use of secret API key in browser",
          hint: "Secret API keys can only be used in a protected environment and should never be used in a "
            + "browser. Delete this secret API key immediately.")
      }
      token = keys.serviceToken
      isService = true
    } else if matches(key, keys.publishable) {
      token = keys.anonymousToken
    } else if key.hasPrefix("sb_") {
      return Self.refusal("Unregistered API key", hint: nil)
    } else {
      let claims = try? verifier.claims(of: key)
      guard let claims, (try? JWTClaims.check(claims, now: Clock.seconds, audience: nil)) != nil else {
        return Self.refusal(
          "Invalid API key", hint: "Double check your Supabase `anon` or `service_role` API key.")
      }
      token = key
      isService = claims.last { $0.key == "role" }?.value.string == "service_role"
    }
    if isRESTRoot, !isService { return Self.refusal("Secret API key required", hint: nil) }
    let authorization = request.header("authorization")
    // A key in place of a token only counts where it is the request's own key.
    if let authorization, authorization.hasPrefix("Bearer sb_"), authorization != "Bearer " + key {
      return Self.refusal(
        "Invalid API key", hint: "Double check your Supabase `anon` or `service_role` API key.")
    }
    if authorization == nil || authorization == "Bearer " + key {
      request.set("authorization", "Bearer " + token)
    }
    return nil
  }

  private func queryKey(_ query: String) -> String? {
    for pair in query.split(separator: "&") where pair.hasPrefix("apikey=") {
      return String(pair.dropFirst(7))
    }
    return nil
  }

  /// In a time that does not depend on where two keys differ.
  private func matches(_ one: String, _ two: String) -> Bool {
    guard one.utf8.count == two.utf8.count else { return false }
    return zip(one.utf8, two.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func refusal(_ message: String, hint: String?, errorCode: String? = nil) -> HTTPResponse {
    var members: [JSON.Member] = [.init("message", .string(message))]
    if let hint { members.append(.init("hint", .string(hint))) }
    var headers = [HTTPHeader("Content-Type", "application/json; charset=utf-8")]
    if let errorCode { headers.append(HTTPHeader("sb-error-code", errorCode)) }
    return HTTPResponse(status: 401, headers: headers, body: .bytes(JSON.object(members).bytes()))
  }
}

extension HTTPRequest {
  mutating func remove(_ name: String) { headers.removeAll { $0.name == name } }

  mutating func set(_ name: String, _ value: String) {
    remove(name)
    headers.append(HTTPHeader(name, value))
  }
}
