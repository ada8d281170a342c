import CCrypto

/// Fingerprints of bytes.
package enum Digest {
  /// SHA-256 in lower-case hexadecimal, 64 characters.
  package static func sha256(_ bytes: some Sequence<UInt8>) -> String {
    let input = Array(bytes)
    var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    // Cannot fail: the algorithm is built in and the buffer is as large as any digest.
    EVP_Digest(input, input.count, &output, &length, EVP_sha256(), nil)
    return hex(output.prefix(Int(length)))
  }

  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
