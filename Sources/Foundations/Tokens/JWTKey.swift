import CCrypto
import JSONValues

/// The signature algorithms that are understood. `none` is not one.
package enum JWTAlgorithm: String, Sendable, CaseIterable {
  case hs256 = "HS256"
  case hs384 = "HS384"
  case hs512 = "HS512"
  case rs256 = "RS256"
  case rs384 = "RS384"
  case rs512 = "RS512"
  case es256 = "ES256"
  case es384 = "ES384"
  case es512 = "ES512"
  case edDSA = "EdDSA"

  enum Family { case hmac, rsa, ecdsa, edwards }

  var family: Family {
    switch self {
    case .hs256, .hs384, .hs512: .hmac
    case .rs256, .rs384, .rs512: .rsa
    case .es256, .es384, .es512: .ecdsa
    case .edDSA: .edwards
    }
  }

  /// The hash, nil where the scheme brings its own.
  var digest: OpaquePointer? {
    switch self {
    case .hs256, .rs256, .es256: EVP_sha256()
    case .hs384, .rs384, .es384: EVP_sha384()
    case .hs512, .rs512, .es512: EVP_sha512()
    case .edDSA: nil
    }
  }
}

/// A key that tokens are verified with. Which algorithms it takes is the key's to say, never the token's.
package struct JWTKey: Sendable {
  enum Material: Sendable {
    case secret([UInt8])
    case publicKey(PublicKey)
  }

  package let identifier: String?
  /// Empty where the key only encrypts.
  let algorithms: Set<JWTAlgorithm>
  let material: Material

  /// A shared secret, for HS256 alone.
  package init(secret: [UInt8]) {
    identifier = nil
    algorithms = [.hs256]
    material = .secret(secret)
  }

  /// A JSON Web Key. Nil for a kind or an algorithm that is not understood.
  package init?(jwk: JSON) {
    identifier = jwk["kid"]?.string
    let declared = jwk["alg"]?.string
    let named = declared.flatMap { JWTAlgorithm(rawValue: $0) }
    if declared != nil, named == nil { return nil }
    let possible: Set<JWTAlgorithm>
    func bytes(_ name: String) -> [UInt8]? { jwk[name]?.string.flatMap { Base64URL.decode($0.utf8) } }
    switch jwk["kty"]?.string {
    case "oct":
      guard let secret = bytes("k") else { return nil }
      material = .secret(secret)
      possible = [.hs256, .hs384, .hs512]
    case "RSA":
      guard let modulus = bytes("n"), let exponent = bytes("e"),
        let key = PublicKey(rsaModulus: modulus, exponent: exponent)
      else { return nil }
      material = .publicKey(key)
      possible = [.rs256, .rs384, .rs512]
    case "EC":
      guard let curve = jwk["crv"]?.string.flatMap({ Curve(rawValue: $0) }), let x = bytes("x"),
        let y = bytes("y"), let key = PublicKey(curve: curve, x: x, y: y)
      else { return nil }
      material = .publicKey(key)
      possible = [curve.algorithm]
    case "OKP":
      guard jwk["crv"]?.string == "Ed25519", let x = bytes("x"), let key = PublicKey(ed25519: x) else {
        return nil
      }
      material = .publicKey(key)
      possible = [.edDSA]
    default: return nil
    }
    let isForSigning = jwk["use"]?.string.map { $0 == "sig" } ?? true
    algorithms = !isForSigning ? [] : named.map { possible.intersection([$0]) } ?? possible
  }
}

/// The keys of a `jwt-secret`: a JWK set, a single JWK, or a secret.
package struct JWTKeySet: Sendable {
  package let keys: [JWTKey]

  package init(keys: [JWTKey]) { self.keys = keys }

  /// Reads the setting as it is written: a JWK set, else a JWK, else a secret.
  ///
  /// - Throws: ``JWTKeyError/shortSecret`` for a secret of fewer than 32 bytes.
  package init(setting: String) throws {
    if let json = try? JSON(parsing: setting), json.members != nil {
      let listed = json["keys"]?.array ?? [json]
      keys = listed.compactMap { JWTKey(jwk: $0) }
      return
    }
    let secret = Array(setting.utf8)
    guard secret.count >= 32 else { throw JWTKeyError.shortSecret }
    keys = [JWTKey(secret: secret)]
  }
}

package enum JWTKeyError: Error, Hashable {
  case shortSecret
}

/// The curves of ECDSA, with what their encodings need.
enum Curve: String {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"

  var algorithm: JWTAlgorithm {
    switch self {
    case .p256: .es256
    case .p384: .es384
    case .p521: .es512
    }
  }

  /// Bytes of one coordinate.
  var size: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }

  /// The object identifier, encoded.
  var identifier: [UInt8] {
    switch self {
    case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
    }
  }
}
