import JSONValues

/// Why a token whose signature is right is refused.
package enum JWTClaimRefusal: Error, Hashable, Sendable {
  case notNumber(String)
  case expired
  case notYetValid
  case issuedInFuture
  case audienceForm
  case otherAudience
}

/// The claims that say when and for whom a token is valid.
package enum JWTClaims {
  /// How far the clocks of issuer and verifier may differ, in seconds.
  package static let leeway = 30

  /// Checks expiry, start, issue time and audience, in this order.
  ///
  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - audience: Whom the token must be for, where it says whom; nil accepts all.
  package static func check(
    _ claims: [JSON.Member], now: Int, audience: String?
  ) throws(JWTClaimRefusal) {
    if let expiry = try number("exp", claims), now - leeway > expiry { throw .expired }
    if let start = try number("nbf", claims), now + leeway < start { throw .notYetValid }
    if let issued = try number("iat", claims), now + leeway < issued { throw .issuedInFuture }
    switch value("aud", claims) {
    case nil, .null: break
    case .string(let name): if let audience, name != audience { throw .otherAudience }
    case .array(let names):
      let texts = names.compactMap(\.string)
      guard texts.count == names.count else { throw .audienceForm }
      if let audience, !texts.isEmpty, !texts.contains(audience) { throw .otherAudience }
    default: throw .audienceForm
    }
  }

  private static func value(_ name: String, _ claims: [JSON.Member]) -> JSON? {
    claims.last { $0.key == name }?.value
  }

  /// Whole seconds; a number with a fraction counts as 0, as the hosted service has it.
  private static func number(_ name: String, _ claims: [JSON.Member]) throws(JWTClaimRefusal) -> Int? {
    switch value(name, claims) {
    case nil, .null: return nil
    case .number(let digits):
      if let whole = Int(digits) { return whole }
      guard let value = Double(digits), value == value.rounded(), abs(value) < 9e18 else { return 0 }
      return Int(value)
    default: throw .notNumber(name)
    }
  }
}
