import JSONValues
import Testing

@testable import Tokens

@Suite struct JWTTests {
  private let secret = Array("a secret of our own that is long enough".utf8)

  private func verifier(_ keys: JWTKey...) -> JWTVerifier { JWTVerifier(JWTKeySet(keys: keys)) }

  private func token(header: JSON, claims: JSON = ["role": "anon"], signature: [UInt8] = []) -> String {
    [header.bytes(), claims.bytes(), signature].map(Base64URL.encode).joined(separator: ".")
  }

  @Test func `a token signed with the secret is accepted, with its claims in order`() throws {
    let token = try #require(JWTSigner(secret: secret).token(["role": "anon", "sub": "1"]))

    let claims = try verifier(JWTKey(secret: secret)).claims(of: token)

    #expect(claims == [.init("role", "anon"), .init("sub", "1")])
  }

  @Test func `another secret, a changed claim and a cut signature are refused`() throws {
    let token = try #require(JWTSigner(secret: secret).token(["role": "anon"]))
    let parts = token.split(separator: ".").map(String.init)
    let forged = Base64URL.encode(JSON.object([.init("role", "service_role")]).bytes())
    let verifier = verifier(JWTKey(secret: secret))

    for bad in [
      "\(parts[0]).\(forged).\(parts[2])", "\(parts[0]).\(parts[1]).\(parts[2].dropLast(3))",
      "\(parts[0]).\(parts[1]).",
    ] {
      #expect(throws: JWTRefusal.wrongSignature) { try verifier.claims(of: bad) }
    }
    let other = try #require(JWTSigner(secret: secret.reversed()).token(["role": "anon"]))
    #expect(throws: JWTRefusal.wrongSignature) { try verifier.claims(of: other) }
  }

  @Test func `a token without a signature is refused, however it is written`() {
    for name in ["none", "None", "NONE", ""] {
      let token = token(header: ["alg": .string(name)])
      #expect(throws: name == "none" ? JWTRefusal.unsecured : .unreadable) {
        try verifier(JWTKey(secret: secret)).claims(of: token)
      }
    }
  }

  @Test func `a public key is no secret: confusing the two finds no key`() throws {
    let signer = try #require(JWTSigner.makeKey().flatMap { JWTSigner(pem: $0, identifier: nil) })
    let jwk = try #require(signer.jwk)
    let key = try #require(JWTKey(jwk: jwk))
    let x = Base64URL.decode(jwk["x"]?.string?.utf8 ?? "".utf8) ?? []
    for stolen in [Array(jwk.text().utf8), x] {
      let forged = try #require(JWTSigner(secret: stolen).token(["role": "service_role"]))
      #expect(throws: JWTRefusal.noKey) { try verifier(key).claims(of: forged) }
    }
  }

  @Test func `ES256 tokens of our own key pair verify with the published half alone`() throws {
    let signer = try #require(JWTSigner.makeKey().flatMap { JWTSigner(pem: $0, identifier: "k1") })
    let other = try #require(JWTSigner.makeKey().flatMap { JWTSigner(pem: $0, identifier: "k1") })
    let key = try #require(signer.jwk.flatMap { JWTKey(jwk: $0) })
    let token = try #require(signer.token(["sub": "ada"]))

    #expect(try verifier(key).claims(of: token) == [.init("sub", "ada")])
    #expect(throws: JWTRefusal.wrongSignature) {
      try verifier(key).claims(of: other.token(["sub": "ada"]) ?? "")
    }
  }

  @Test func `a key is chosen by the token's kid, and a key without one never takes such a token`() throws {
    let token = try #require(JWTSigner(secret: secret, identifier: "k1").token(["sub": "ada"]))
    let k = JSON.string(Base64URL.encode(secret))
    let named = try #require(JWTKey(jwk: ["kty": "oct", "k": k, "kid": "k1"]))
    let misnamed = try #require(JWTKey(jwk: ["kty": "oct", "k": k, "kid": "k2"]))

    #expect(try verifier(misnamed, named).claims(of: token) == [.init("sub", "ada")])
    #expect(throws: JWTRefusal.noKey) { try verifier(misnamed).claims(of: token) }
    #expect(throws: JWTRefusal.noKey) { try verifier(JWTKey(secret: secret)).claims(of: token) }
  }

  @Test func `what is no token is refused by its form`() {
    let verifier = verifier(JWTKey(secret: secret))
    #expect(throws: JWTRefusal.empty) { try verifier.claims(of: "") }
    #expect(throws: JWTRefusal.parts(1)) { try verifier.claims(of: "abc") }
    #expect(throws: JWTRefusal.parts(5)) { try verifier.claims(of: "a.b.c.d.e") }
    for text in ["..", "a.b.c", "%%%.e30.e30", "e30.e30.e30", "\(token(header: ["alg": "HS999"]))"] {
      #expect(throws: JWTRefusal.unreadable) { try verifier.claims(of: text) }
    }
    #expect(throws: JWTRefusal.unreadable) {
      try verifier.claims(of: token(header: ["alg": "HS256", "crit": ["x"]]))
    }
  }

  @Test func `a huge token is refused like any other`() {
    let token = String(repeating: "A", count: 5_000_000) + "." + String(repeating: "A", count: 100) + ".AA"
    #expect(throws: JWTRefusal.self) { try verifier(JWTKey(secret: secret)).claims(of: token) }
  }

  @Test func `times are kept to, with half a minute between clocks`() throws {
    func check(_ claims: [JSON.Member]) throws { try JWTClaims.check(claims, now: 1000, audience: nil) }
    try check([.init("exp", 970)])
    #expect(throws: JWTClaimRefusal.expired) { try check([.init("exp", 969)]) }
    #expect(throws: JWTClaimRefusal.expired) { try check([.init("exp", .number("1999999999.5"))]) }
    try check([.init("nbf", 1030), .init("iat", 1030)])
    #expect(throws: JWTClaimRefusal.notYetValid) { try check([.init("nbf", 1031)]) }
    #expect(throws: JWTClaimRefusal.issuedInFuture) { try check([.init("iat", 1031)]) }
    #expect(throws: JWTClaimRefusal.notNumber("exp")) { try check([.init("exp", "1")]) }
    try check([.init("exp", .null)])
  }

  @Test func `an audience is kept to where one is asked for`() throws {
    func check(_ value: JSON, _ audience: String?) throws {
      try JWTClaims.check([.init("aud", value)], now: 0, audience: audience)
    }
    try check("app", "app")
    try check(["other", "app"], "app")
    try check([], "app")
    try check("other", nil)
    #expect(throws: JWTClaimRefusal.otherAudience) { try check("other", "app") }
    #expect(throws: JWTClaimRefusal.otherAudience) { try check(["other"], "app") }
    #expect(throws: JWTClaimRefusal.audienceForm) { try check(1, nil) }
    #expect(throws: JWTClaimRefusal.audienceForm) { try check([1], nil) }
  }

  @Test func `a secret for a key set must be long enough`() throws {
    #expect(throws: JWTKeyError.shortSecret) { try JWTKeySet(setting: "short") }
    #expect(try JWTKeySet(setting: String(repeating: "s", count: 32)).keys.count == 1)
    #expect(try JWTKeySet(setting: #"{"keys":[{"kty":"oct","k":"c2VjcmV0"},{"kty":"odd"}]}"#).keys.count == 1)
  }

  @Test func `the cache is bounded and keeps what is used`() {
    let cache = VerifiedTokenCache<Int>(capacity: 10)
    cache.insert(0, for: "kept")
    for number in 1...100 {
      cache.insert(number, for: "t\(number)")
      #expect(cache["kept"] == 0)
    }
    #expect(cache.count == 10)
  }
}
