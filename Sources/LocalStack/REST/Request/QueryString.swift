/// A query string taken apart: pairs in order, decoded.
struct QueryString: Sendable {
  struct Pair: Sendable {
    var key: String
    /// Nil where there was no `=`.
    var value: String?
  }

  let pairs: [Pair]

  /// Splits at `&` and `;`, decodes `+` and percent escapes. A broken escape stays as it stands.
  init(_ text: String) {
    var pairs: [Pair] = []
    if !text.isEmpty {
      for part in text.utf8.split(
        omittingEmptySubsequences: false,
        whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") })
      {
        if let equals = part.firstIndex(of: UInt8(ascii: "=")) {
          pairs.append(
            Pair(
              key: Self.decode(part[..<equals]), value: Self.decode(part[part.index(after: equals)...])))
        } else {
          pairs.append(Pair(key: Self.decode(part), value: nil))
        }
      }
    }
    self.pairs = pairs
  }

  /// The pairs sorted by key and encoded again; repeated keys share one pair, values joined by commas.
  var canonical: String {
    let sorted = pairs.enumerated().sorted { ($0.element.key, $0.offset) < ($1.element.key, $1.offset) }
      .map(\.element)
    var parts: [String] = []
    var index = 0
    while index < sorted.count {
      let key = sorted[index].key
      var values: [String] = []
      while index < sorted.count, sorted[index].key == key {
        values.append(Self.encode(sorted[index].value ?? ""))
        index += 1
      }
      parts.append(Self.encode(key) + "=" + values.joined(separator: ","))
    }
    return parts.joined(separator: "&")
  }

  static func decode<Bytes: Collection>(_ bytes: Bytes, plusIsBlank: Bool = true) -> String
  where Bytes.Element == UInt8 {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), let high = bytes.index(index, offsetBy: 1, limitedBy: bytes.endIndex),
        let low = bytes.index(index, offsetBy: 2, limitedBy: bytes.endIndex), low < bytes.endIndex,
        let one = hexValue(bytes[high]), let two = hexValue(bytes[low])
      {
        output.append(one << 4 | two)
        index = bytes.index(after: low)
        continue
      }
      output.append(byte == UInt8(ascii: "+") && plusIsBlank ? UInt8(ascii: " ") : byte)
      index = bytes.index(after: index)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
    default: nil
    }
  }

  static func encode(_ text: String, isReserved: (UInt8) -> Bool = Self.isReserved) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    for byte in text.utf8 {
      if isReserved(byte) {
        output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isReserved(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || ";/?:@&=+,$#{}|\\^[]`<>%\"".utf8.contains(byte)
  }
}
