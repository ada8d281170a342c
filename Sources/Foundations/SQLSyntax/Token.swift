/// One lexical piece of SQL text, blanks left out.
package struct Token: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// An unquoted identifier or key word.
    case word
    /// `"…"` and `U&"…"`.
    case quotedIdentifier
    /// `'…'`, `E'…'`, `B'…'`, `X'…'`, `N'…'`, `U&'…'`.
    case string
    /// `$tag$ … $tag$`.
    case dollarString
    /// Digits and what belongs to them; also a parameter (`$1`).
    case number
    /// `-- …`, without the line end.
    case lineComment
    /// `/* … */`, nested ones included.
    case blockComment
    /// Any other single byte: `(`, `;`, `.`, one byte of an operator.
    case symbol(UInt8)
    /// A quote or a block comment that is still open where the text ends.
    case unterminated
  }

  package let kind: Kind
  /// Byte offsets in the text that was read.
  package let range: Range<Int>

  /// Comments say nothing to the server.
  package var isComment: Bool { kind == .lineComment || kind == .blockComment }

  func isSymbol(_ character: Unicode.Scalar) -> Bool { kind == .symbol(UInt8(ascii: character)) }
}

/// UTF-8 text as bytes with the few questions the scanner asks of it.
package struct SourceBytes: Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// A key word as PostgreSQL compares it: ASCII letters folded to lower case. Nil for what is no word.
  package func word(_ token: Token) -> String? {
    token.kind == .word ? text(token.range).foldedToLowerCase : nil
  }

  /// The name an identifier token stands for, quotes and doubled quotes resolved; nil for anything else.
  /// `U&"…"` escapes are left as written.
  package func name(_ token: Token) -> String? {
    switch token.kind {
    case .word: return word(token)
    case .quotedIdentifier:
      let text = text(token.range)
      guard let open = text.firstIndex(of: "\"") else { return nil }
      var name = ""
      var skip = false
      for character in text[text.index(after: open)...].unicodeScalars.dropLast() {
        if skip { skip = false; continue }
        skip = character == "\""
        name.unicodeScalars.append(character)
      }
      return name
    default: return nil
    }
  }
}

extension String {
  /// Folds A–Z alone, as the server does for identifiers in UTF-8.
  fileprivate var foldedToLowerCase: String {
    String(
      decoding: utf8.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }
}
