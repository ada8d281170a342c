import CCrypto
import JSONValues

/// Why a token's form or signature is refused.
package enum JWTRefusal: Error, Hashable, Sendable {
  case empty
  case parts(Int)
  /// No key fits the token, or none that fits has signed it.
  case noKey
  case wrongSignature
  /// `alg: none`.
  case unsecured
  /// What stands there can't be read, or names an algorithm that is not understood.
  case unreadable
  /// The signature is right, but what it signs are no claims.
  case noClaims
}

/// Checks signatures. Which algorithms are possible is decided by the keys: a token that names another, or
/// wants to be checked with a public key as a secret, finds no key that fits.
package struct JWTVerifier: Sendable {
  package let keys: [JWTKey]

  package init(_ keys: JWTKeySet) { self.keys = keys.keys }

  /// The claims of a token whose signature is right. Times and audience are not looked at.
  package func claims(of token: String) throws(JWTRefusal) -> [JSON.Member] {
    if token.isEmpty { throw .empty }
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .parts(parts.count) }
    guard let headerBytes = Base64URL.decode(parts[0]), let header = try? JSON(parsing: headerBytes),
      header.members != nil, let name = header["alg"]?.string
    else { throw .unreadable }
    if name == "none" { throw .unsecured }
    guard let algorithm = JWTAlgorithm(rawValue: name), header["crit"] == nil,
      let claims = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw .unreadable }
    let identifier = header["kid"]?.string
    let candidates = keys.filter { key in
      key.algorithms.contains(algorithm) && (identifier == nil || identifier == key.identifier)
    }
    guard !candidates.isEmpty else { throw .noKey }
    let signed = Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count))
    guard candidates.contains(where: { $0.verifies(signature, over: signed, algorithm) }) else {
      throw .wrongSignature
    }
    guard let members = (try? JSON(parsing: claims))?.members else { throw .noClaims }
    return members
  }
}

extension JWTKey {
  func verifies(_ signature: [UInt8], over bytes: [UInt8], _ algorithm: JWTAlgorithm) -> Bool {
    switch (material, algorithm.family) {
    case (.secret(let secret), .hmac):
      guard let own = HMACSignature.sign(bytes, secret, algorithm), own.count == signature.count else {
        return false
      }
      return CRYPTO_memcmp(own, signature, own.count) == 0
    case (.publicKey(let key), .ecdsa):
      let sizes: [JWTAlgorithm: Int] = [.es256: 64, .es384: 96, .es512: 132]
      guard signature.count == sizes[algorithm] else { return false }
      let half = signature.count / 2
      let der = DER.sequence(
        DER.integer(Array(signature[..<half])) + DER.integer(Array(signature[half...])))
      return key.verifies(der, over: bytes, digest: algorithm.digest)
    case (.publicKey(let key), .rsa), (.publicKey(let key), .edwards):
      return key.verifies(signature, over: bytes, digest: algorithm.digest)
    default: return false
    }
  }
}

enum HMACSignature {
  static func sign(_ bytes: [UInt8], _ secret: [UInt8], _ algorithm: JWTAlgorithm) -> [UInt8]? {
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard HMAC(algorithm.digest, secret, Int32(secret.count), bytes, bytes.count, &output, &count) != nil
    else { return nil }
    return Array(output.prefix(Int(count)))
  }
}
