/// Reads SQL text as PostgreSQL's own lexer does (`scan.l`), far enough to know where quotes, comments and
/// identifiers begin and end. It never fails: what is left open is one last ``Token/Kind/unterminated`` token.
///
/// Every byte is looked at a constant number of times, so a text of any shape is read in linear time.
package struct Lexer {
  private let source: [UInt8]
  private let end: Int
  private(set) var position: Int

  /// - Parameter range: The bytes to read; all of them by default.
  package init(_ source: SourceBytes, in range: Range<Int>? = nil) {
    self.source = source.bytes
    position = range?.lowerBound ?? 0
    end = range?.upperBound ?? source.bytes.count
  }

  /// The next token, or nil at the end of the text.
  package mutating func next() -> Token? {
    while position < end, Self.isBlank(source[position]) { position += 1 }
    guard position < end else { return nil }
    let start = position
    let kind = readToken()
    return Token(kind: kind, range: start..<position)
  }

  /// The next token that is no comment.
  package mutating func nextCode() -> Token? {
    while let token = next() { if !token.isComment { return token } }
    return nil
  }

  /// Goes on reading at a later byte, for blocks that are not SQL (COPY data, a psql command).
  mutating func jump(to offset: Int) { position = min(max(position, offset), end) }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  // MARK: - One token

  private mutating func readToken() -> Token.Kind {
    let byte = source[position]
    switch byte {
    case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"): return lineComment()
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): return blockComment()
    case UInt8(ascii: "'"): return string(escapes: false)
    case UInt8(ascii: "\""): return quoted(UInt8(ascii: "\""), as: .quotedIdentifier)
    case UInt8(ascii: "$"): return dollar()
    case _ where Self.isDigit(byte): return number()
    case _ where Self.startsIdentifier(byte): return word(first: byte | 0x20)
    default:
      position += 1
      return .symbol(byte)
    }
  }

  private mutating func word(first: UInt8) -> Token.Kind {
    if peek(1) == UInt8(ascii: "'") {
      switch first {
      case UInt8(ascii: "e"):
        position += 1
        return string(escapes: true)
      case UInt8(ascii: "b"), UInt8(ascii: "x"), UInt8(ascii: "n"):
        position += 1
        return string(escapes: false)
      default: break
      }
    }
    if first == UInt8(ascii: "u"), peek(1) == UInt8(ascii: "&") {
      if peek(2) == UInt8(ascii: "'") {
        position += 2
        return string(escapes: false)
      }
      if peek(2) == UInt8(ascii: "\"") {
        position += 2
        return quoted(UInt8(ascii: "\""), as: .quotedIdentifier)
      }
    }
    while position < end, Self.continuesIdentifier(source[position]) { position += 1 }
    return .word
  }

  /// A dot is left to the caller (`1.5` is three tokens): nothing that is asked of numbers needs more.
  private mutating func number() -> Token.Kind {
    while position < end, Self.isDigit(source[position]) || Self.startsIdentifier(source[position]) {
      position += 1
    }
    return .number
  }

  private mutating func lineComment() -> Token.Kind {
    while position < end, source[position] != 0x0A, source[position] != 0x0D { position += 1 }
    return .lineComment
  }

  private mutating func blockComment() -> Token.Kind {
    var depth = 0
    while position < end {
      let byte = source[position]
      if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { return .blockComment }
      } else {
        position += 1
      }
    }
    position = min(position, end)
    return .unterminated
  }

  private mutating func quoted(_ quote: UInt8, as kind: Token.Kind) -> Token.Kind {
    position += 1
    while position < end {
      if source[position] == quote {
        position += 1
        guard position < end, source[position] == quote else { return kind }
      }
      position += 1
    }
    position = min(position, end)
    return .unterminated
  }

  private mutating func string(escapes: Bool) -> Token.Kind {
    guard escapes else { return quoted(UInt8(ascii: "'"), as: .string) }
    while true {
      position += 1
      var closed = false
      while position < end {
        let byte = source[position]
        position += 1
        if byte == UInt8(ascii: "\\") {
          position += 1
        } else if byte == UInt8(ascii: "'") {
          if position < end, source[position] == byte {
            position += 1
          } else {
            closed = true
            break
          }
        }
      }
      position = min(position, end)
      guard closed else { return .unterminated }
      // 'a' <newline> 'b' is one literal, and the second part still knows backslashes.
      guard let continued = continuation() else { return .string }
      position = continued
    }
  }

  /// Where a literal goes on after a line end, if it does.
  private func continuation() -> Int? {
    var offset = position
    var newline = false
    while offset < end, Self.isBlank(source[offset]) {
      newline = newline || source[offset] == 0x0A || source[offset] == 0x0D
      offset += 1
    }
    return newline && offset < end && source[offset] == UInt8(ascii: "'") ? offset : nil
  }

  private mutating func dollar() -> Token.Kind {
    let start = position
    position += 1
    if position < end, Self.isDigit(source[position]) { return number() }
    if position < end, Self.startsIdentifier(source[position]) {
      while position < end, source[position] != UInt8(ascii: "$"), Self.continuesIdentifier(source[position])
      {
        position += 1
      }
    }
    guard position < end, source[position] == UInt8(ascii: "$") else {
      position = start + 1
      return .symbol(UInt8(ascii: "$"))
    }
    position += 1
    let delimiter = source[start..<position]
    while position + delimiter.count <= end {
      if source[position] == UInt8(ascii: "$"),
        source[position..<position + delimiter.count].elementsEqual(delimiter)
      {
        position += delimiter.count
        return .dollarString
      }
      position += 1
    }
    position = end
    return .unterminated
  }

  private func peek(_ distance: Int) -> UInt8? {
    position + distance < end ? source[position + distance] : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func startsIdentifier(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")) || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }

  /// A `$` belongs to an identifier that has begun, so it opens no quote there.
  private static func continuesIdentifier(_ byte: UInt8) -> Bool {
    startsIdentifier(byte) || isDigit(byte) || byte == UInt8(ascii: "$")
  }
}
