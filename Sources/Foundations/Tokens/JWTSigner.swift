import CCrypto
import JSONValues

/// Signs tokens: with a shared secret, or with a key pair whose public half is published.
package final class JWTSigner: @unchecked Sendable {
  // The EVP_PKEY is never changed after it was made.
  private enum Material {
    case secret([UInt8])
    case privateKey(OpaquePointer)
  }

  private let material: Material
  private let algorithm: JWTAlgorithm
  /// Told in the header of every token, so that the right key is found.
  package let identifier: String?

  /// HS256.
  package init(secret: [UInt8], identifier: String? = nil) {
    material = .secret(secret)
    algorithm = .hs256
    self.identifier = identifier
  }

  /// ES256 with a private key in PEM form, as ``JWTSigner/makeKey()`` makes it. Nil where the text is none.
  package init?(pem: String, identifier: String?) {
    let bytes = Array(pem.utf8)
    guard let memory = BIO_new_mem_buf(bytes, Int32(bytes.count)) else { return nil }
    defer { BIO_free(memory) }
    guard let key = PEM_read_bio_PrivateKey(memory, nil, nil, nil) else {
      ERR_clear_error()
      return nil
    }
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, EVP_PKEY_get_bits(key) == 256 else {
      EVP_PKEY_free(key)
      return nil
    }
    material = .privateKey(key)
    algorithm = .es256
    self.identifier = identifier
  }

  deinit { if case .privateKey(let key) = material { EVP_PKEY_free(key) } }

  /// A new P-256 private key in PEM form; nil where libcrypto cannot make one.
  package static func makeKey() -> String? {
    guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
      EVP_PKEY_keygen(context, &key) == 1, let key
    else { return nil }
    defer { EVP_PKEY_free(key) }
    guard let memory = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(memory) }
    guard PEM_write_bio_PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1 else { return nil }
    var output = [UInt8](repeating: 0, count: 4096)
    let count = BIO_read(memory, &output, Int32(output.count))
    return count > 0 ? String(decoding: output.prefix(Int(count)), as: UTF8.self) : nil
  }

  /// The public half as a JWK; nil for a secret.
  package var jwk: JSON? {
    guard case .privateKey(let key) = material else { return nil }
    var length: Int = 0
    var point = [UInt8](repeating: 0, count: 133)
    guard EVP_PKEY_get_octet_string_param(key, "pub", &point, point.count, &length) == 1, length == 65
    else { return nil }
    var members: [JSON.Member] = [
      .init("kty", "EC"), .init("crv", "P-256"), .init("alg", "ES256"), .init("use", "sig"),
      .init("key_ops", ["verify"]), .init("ext", true),
      .init("x", .string(Base64URL.encode(Array(point[1..<33])))),
      .init("y", .string(Base64URL.encode(Array(point[33..<65])))),
    ]
    if let identifier { members.append(.init("kid", .string(identifier))) }
    return .object(members)
  }

  /// The signed token; nil where libcrypto cannot sign.
  package func token(_ claims: JSON) -> String? {
    var header: [JSON.Member] = [.init("alg", .string(algorithm.rawValue))]
    if let identifier { header.append(.init("kid", .string(identifier))) }
    header.append(.init("typ", "JWT"))
    let signed = Base64URL.encode(JSON.object(header).bytes()) + "." + Base64URL.encode(claims.bytes())
    guard let signature = sign(Array(signed.utf8)) else { return nil }
    return signed + "." + Base64URL.encode(signature)
  }

  private func sign(_ bytes: [UInt8]) -> [UInt8]? {
    switch material {
    case .secret(let secret): return HMACSignature.sign(bytes, secret, algorithm)
    case .privateKey(let key):
      guard let context = EVP_MD_CTX_new() else { return nil }
      defer { EVP_MD_CTX_free(context) }
      var output = [UInt8](repeating: 0, count: 128)
      var count = output.count
      guard EVP_DigestSignInit(context, nil, algorithm.digest, nil, key) == 1,
        EVP_DigestSign(context, &output, &count, bytes, bytes.count) == 1
      else { return nil }
      return DER.rawSignature(Array(output.prefix(count)), size: Curve.p256.size)
    }
  }
}
