import Gateway
import JSONValues
import Tokens

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// On whose behalf a request is made.
struct Caller: Sendable {
  var role: String
  /// The claims with the role they stand for, as JSON text.
  var claims: String
}

/// Finds out who calls, from the token of a request.
final class Authenticator: Sendable {
  private struct Verified: Sendable {
    var claims: [JSON.Member]
    var caller: Caller?
  }

  private let verifier: JWTVerifier?
  private let audience: String?
  private let anonymousRole: String?
  private let roleClaim: RoleClaimPath
  private let cache = VerifiedTokenCache<Verified>()
  private let anonymous: Caller?

  /// - Throws: ``RoleClaimPathError`` for a path that cannot be read.
  init(_ configuration: RESTConfiguration) throws {
    verifier = configuration.keys.map { JWTVerifier($0) }
    audience = configuration.audience
    anonymousRole = configuration.anonymousRole
    roleClaim = try RoleClaimPath(configuration.roleClaim)
    anonymous = anonymousRole.map {
      Caller(role: $0, claims: JSON.object([.init("role", .string($0))]).text())
    }
  }

  /// - Throws: ``RESTError`` PGRST300 to PGRST303.
  func caller(of request: HTTPRequest) throws -> Caller {
    guard let token = request.header("authorization").flatMap(Self.bearerToken) else {
      guard let anonymous else { throw RESTError.tokenRequired }
      return anonymous
    }
    guard let verifier else { throw RESTError(500, "PGRST300", "Server lacks JWT secret") }
    let verified: Verified
    if let known = cache[token] {
      verified = known
    } else {
      let claims: [JSON.Member]
      do { claims = try verifier.claims(of: token) } catch { throw RESTError(error) }
      verified = Verified(claims: claims, caller: caller(with: claims))
      cache.insert(verified, for: token)
    }
    do {
      try JWTClaims.check(verified.claims, now: time(nil), audience: audience)
    } catch { throw RESTError(error) }
    guard let caller = verified.caller else { throw RESTError.tokenRequired }
    return caller
  }

  private func caller(with claims: [JSON.Member]) -> Caller? {
    let value = roleClaim.value(in: .object(claims))
    guard let role = value.map({ $0.string ?? $0.text() }) ?? anonymousRole else { return nil }
    var members = claims.filter { $0.key != "role" }
    members.append(.init("role", .string(role)))
    return Caller(role: role, claims: JSON.object(members).text())
  }

  static func bearerToken(_ header: String) -> String? {
    let usual = "Bearer "
    if header.utf8.starts(with: usual.utf8), header.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      let token = header.utf8.dropFirst(usual.utf8.count)
      if !token.contains(0x20) { return String(Substring(token)) }
    }
    let parts = header.unicodeScalars.split(maxSplits: 1) { $0.properties.isWhitespace }
    guard header.first?.isWhitespace != true, let scheme = parts.first,
      String(scheme).lowercased() == "bearer"
    else { return nil }
    return parts.count < 2 ? "" : String(String(parts[1]).trimmedStart)
  }
}

extension String {
  fileprivate var trimmedStart: Substring { drop { $0.isWhitespace } }
}

extension RESTError {
  static let tokenRequired = RESTError(
    401, "PGRST302", "Anonymous access is disabled",
    headers: [HTTPHeader("WWW-Authenticate", "Bearer")])

  init(_ refusal: JWTRefusal) {
    switch refusal {
    case .empty: self.init(invalidToken: "PGRST301", "Empty JWT is sent in Authorization header")
    case .parts(let count): self.init(invalidToken: "PGRST301", "Expected 3 parts in JWT; got \(count)")
    case .noKey:
      self.init(
        invalidToken: "PGRST301", "No suitable key or wrong key type",
        details: "No suitable key was found to decode the JWT")
    case .wrongSignature:
      self.init(
        invalidToken: "PGRST301", "No suitable key or wrong key type",
        details: "None of the keys was able to decode the JWT")
    case .unsecured:
      self.init(
        invalidToken: "PGRST301", "Wrong or unsupported encoding algorithm",
        details: "JWT is unsecured but expected 'alg' was not 'none'")
    case .unreadable: self.init(invalidToken: "PGRST301", "JWT cryptographic operation failed")
    case .noClaims: self.init(invalidToken: "PGRST303", "Parsing claims failed")
    }
  }

  init(_ refusal: JWTClaimRefusal) {
    let message =
      switch refusal {
      case .notNumber(let name): "The JWT '\(name)' claim must be a number"
      case .expired: "JWT expired"
      case .notYetValid: "JWT not yet valid"
      case .issuedInFuture: "JWT issued at future"
      case .audienceForm: "The JWT 'aud' claim must be a string or an array of strings"
      case .otherAudience: "JWT not in audience"
      }
    self.init(invalidToken: "PGRST303", message)
  }

  private init(invalidToken code: String, _ message: String, details: JSON = .null) {
    self.init(
      401, code, message, details: details,
      headers: [
        HTTPHeader(
          "WWW-Authenticate", "Bearer error=\"invalid_token\", error_description=\"\(message)\"")
      ])
  }
}
