import CCrypto

/// SHA-256 through OpenSSL.
package enum Digest {
  /// The digest of `bytes` in 64 lower-case hex digits.
  package static func sha256(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 32
    // Fails only when the library's own algorithms are broken.
    precondition(EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil) == 1)
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
