/// What stands between the quotes of a string literal, with the way back to where each byte was written.
package struct QuotedText: Sendable {
  package let content: SourceBytes
  /// The literal's own bytes, quotes included.
  package let literal: Range<Int>
  /// Where the content begins, when it is written out verbatim.
  private let start: Int
  /// Where each byte of the content was written, when quotes are doubled or escaped in it.
  private let offsets: [Int]?

  /// The first string literal at or after an offset.
  ///
  /// - Returns: Nil where none stands among the next three tokens, or where it is written with escapes that
  ///   aren't resolved here (`U&'…'`, `E'\n'`).
  package init?(near offset: Int, in source: SourceBytes) {
    guard offset >= 0, offset < source.bytes.count else { return nil }
    var lexer = Lexer(source, in: offset..<source.bytes.count)
    for _ in 0..<3 {
      guard let token = lexer.nextCode() else { return nil }
      switch token.kind {
      case .dollarString: self.init(dollar: token, source)
      case .string: self.init(plain: token, source)
      default: continue
      }
      return
    }
    return nil
  }

  private init(dollar token: Token, _ source: SourceBytes) {
    let bytes = source.bytes[token.range]
    let tag = bytes.dropFirst().firstIndex(of: UInt8(ascii: "$")).map { $0 + 1 - token.range.lowerBound } ?? 2
    start = token.range.lowerBound + tag
    content = SourceBytes(Array(source.bytes[start..<token.range.upperBound - tag]))
    literal = token.range
    offsets = nil
  }

  private init?(plain token: Token, _ source: SourceBytes) {
    let quote = UInt8(ascii: "'")
    guard let open = source.bytes[token.range].firstIndex(of: quote) else { return nil }
    let prefix = source.text(token.range.lowerBound..<open).lowercased()
    let body = open + 1..<token.range.upperBound - 1
    let hasEscapes = prefix == "e" && source.bytes[body].contains(UInt8(ascii: "\\"))
    guard prefix.isEmpty || prefix == "e" || prefix == "n", !hasEscapes else { return nil }
    literal = token.range
    start = body.lowerBound
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    var skip = false
    for offset in body {
      if skip {
        skip = false
        continue
      }
      skip = source.bytes[offset] == quote
      bytes.append(source.bytes[offset])
      offsets.append(offset)
    }
    content = SourceBytes(bytes)
    self.offsets = bytes.count == body.count ? nil : offsets
  }

  /// Where a byte of the content was written.
  package func outer(_ offset: Int) -> Int {
    guard let offsets else { return start + offset }
    guard offset >= 0, offset < offsets.count else { return literal.upperBound - 1 }
    return offsets[offset]
  }
}
