/// Base64 with the alphabet that is safe in URLs, without padding.
package enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  package static func encode(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count * 4 + 2) / 3)
    var index = 0
    while index < bytes.count {
      let one = bytes[index]
      let two = index + 1 < bytes.count ? bytes[index + 1] : 0
      let three = index + 2 < bytes.count ? bytes[index + 2] : 0
      output.append(alphabet[Int(one >> 2)])
      output.append(alphabet[Int((one & 3) << 4 | two >> 4)])
      if index + 1 < bytes.count { output.append(alphabet[Int((two & 15) << 2 | three >> 6)]) }
      if index + 2 < bytes.count { output.append(alphabet[Int(three & 63)]) }
      index += 3
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes; nil for a letter outside the alphabet, a length that cannot be, or bits that are left over.
  /// One text stands for one value, so that a signature has no second spelling.
  package static func decode<Text: Collection>(_ text: Text) -> [UInt8]? where Text.Element == UInt8 {
    var output: [UInt8] = []
    output.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for letter in text {
      let value = values[Int(letter)]
      guard value != 0xFF else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    guard count < 6, bits == 0 else { return nil }
    return output
  }
}
