import CCrypto

/// A public key of libcrypto. Immutable, so any thread may verify with it.
final class PublicKey: @unchecked Sendable {
  // An EVP_PKEY is reference counted and never changed after it was made.
  let raw: OpaquePointer

  private init?(subjectPublicKeyInfo der: [UInt8]) {
    let key: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return d2i_PUBKEY(nil, &start, buffer.count)
    }
    guard let key else {
      ERR_clear_error()
      return nil
    }
    raw = key
  }

  deinit { EVP_PKEY_free(raw) }

  convenience init?(rsaModulus modulus: [UInt8], exponent: [UInt8]) {
    // rsaEncryption, with its null parameters.
    let algorithm = DER.sequence([
      0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ])
    let key = DER.sequence(DER.integer(modulus) + DER.integer(exponent))
    self.init(subjectPublicKeyInfo: DER.sequence(algorithm + DER.bitString(key)))
  }

  /// A point of the curve; nil where it is none.
  convenience init?(curve: Curve, x: [UInt8], y: [UInt8]) {
    guard x.count <= curve.size, y.count <= curve.size else { return nil }
    let point = [0x04] + DER.padded(x, to: curve.size) + DER.padded(y, to: curve.size)
    // id-ecPublicKey and the curve.
    let algorithm = DER.sequence([0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] + curve.identifier)
    self.init(subjectPublicKeyInfo: DER.sequence(algorithm + DER.bitString(point)))
  }

  convenience init?(ed25519 key: [UInt8]) {
    guard key.count == 32 else { return nil }
    let algorithm = DER.sequence([0x06, 0x03, 0x2B, 0x65, 0x70])
    self.init(subjectPublicKeyInfo: DER.sequence(algorithm + DER.bitString(key)))
  }

  /// Whether the signature, in libcrypto's form, is this key's over the bytes.
  func verifies(_ signature: [UInt8], over bytes: [UInt8], digest: OpaquePointer?) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer {
      EVP_MD_CTX_free(context)
      ERR_clear_error()
    }
    guard EVP_DigestVerifyInit(context, nil, digest, nil, raw) == 1 else { return false }
    return EVP_DigestVerify(context, signature, signature.count, bytes, bytes.count) == 1
  }
}

/// The little of DER that keys and signatures need.
enum DER {
  static func sequence(_ content: [UInt8]) -> [UInt8] { tagged(0x30, content) }

  static func bitString(_ content: [UInt8]) -> [UInt8] { tagged(0x03, [0] + content) }

  /// An unsigned number, most significant byte first.
  static func integer(_ bytes: [UInt8]) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return tagged(0x02, digits)
  }

  static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    if content.count < 128 { return [tag, UInt8(content.count)] + content }
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }

  static func padded(_ bytes: [UInt8], to size: Int) -> [UInt8] {
    let digits = Array(bytes.suffix(size))
    return [UInt8](repeating: 0, count: size - digits.count) + digits
  }

  /// The two numbers of an ECDSA signature side by side, each of `size` bytes. Nil where it is no such
  /// signature.
  static func rawSignature(_ der: [UInt8], size: Int) -> [UInt8]? {
    var index = 0
    func length() -> Int? {
      guard index < der.count else { return nil }
      let first = der[index]
      index += 1
      if first < 0x80 { return Int(first) }
      guard first == 0x81, index < der.count else { return nil }
      index += 1
      return Int(der[index - 1])
    }
    guard der.first == 0x30 else { return nil }
    index = 1
    guard length() != nil else { return nil }
    var output: [UInt8] = []
    for _ in 0..<2 {
      guard index < der.count, der[index] == 0x02 else { return nil }
      index += 1
      guard let count = length(), index + count <= der.count else { return nil }
      let digits = der[index..<index + count].drop { $0 == 0 }
      guard digits.count <= size else { return nil }
      output += padded(Array(digits), to: size)
      index += count
    }
    return output
  }
}
