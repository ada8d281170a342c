import Diagnostics

/// A comment that speaks to nomdev: `-- nomdev: WORDS [because REASON]`, or the same between `/*` and `*/`.
package struct Directive: Sendable, Hashable {
  package enum Request: Sendable, Hashable {
    /// `no-transaction`: run the file statement by statement. Counts in the file's head alone, which is what
    /// stands before the first statement.
    case noTransaction
    /// `allow RULE[, RULE…] because REASON`: the rules' findings are meant to be, at this place.
    case allow(rules: [String])
    /// None of these; the words as written.
    case unknown(String)
  }

  package let request: Request
  /// What follows `because`, `--` or a colon; nil where nothing does.
  package let reason: String?
  /// The comment's bytes in the text it was found in.
  package let range: Range<Int>
  /// Whether nothing but blanks stands before it on its line. Such a comment speaks of what follows it, any
  /// other of its own line.
  package let isAlone: Bool

  /// Reads a comment. Nil where it does not begin with `nomdev:`.
  package init?(comment range: Range<Int>, in source: SourceBytes) {
    // Only the first bytes decide, so that a comment of megabytes costs nothing.
    let head = source.text(range.lowerBound..<min(range.upperBound, range.lowerBound + 400))
    guard let rest = Self.afterMark(head) else { return nil }
    let (words, reason) = Self.separated(rest)
    self.reason = reason
    self.range = range
    request = Self.request(words)
    var before = range.lowerBound - 1
    while before >= 0, source.bytes[before] != 0x0A, Lexer.isBlank(source.bytes[before]) { before -= 1 }
    isAlone = before < 0 || source.bytes[before] == 0x0A
  }

  private static func afterMark(_ comment: String) -> Substring? {
    var text = comment[...]
    if text.hasPrefix("/*"), text.hasSuffix("*/") { text = text.dropLast(2) }
    text = text.dropFirst(2).drop { $0 == "-" || $0 == "*" || $0.isWhitespace }
    guard text.lowercased().hasPrefix("nomdev:") else { return nil }
    return text.dropFirst("nomdev:".count)
  }

  private static func separated(_ text: Substring) -> (words: [String], reason: String?) {
    let words = text.split(whereSeparator: { $0.isWhitespace || $0 == "," })
    for (index, word) in words.enumerated() {
      let isMark = ["because", "--", ":", "-", "—"].contains(word.lowercased())
      guard isMark || word.hasSuffix(":") else { continue }
      let request = words[..<index] + (isMark ? [] : [word.dropLast()])
      let reason = text[word.endIndex...].drop { $0.isWhitespace }
      let trimmed = String(reason.reversed().drop { $0.isWhitespace }.reversed())
      return (request.map { $0.lowercased() }, trimmed.isEmpty ? nil : trimmed)
    }
    return (words.map { $0.lowercased() }, nil)
  }

  private static func request(_ words: [String]) -> Request {
    if words == ["no-transaction"] { return .noTransaction }
    if words.first == "allow", words.count > 1 { return .allow(rules: Array(words.dropFirst())) }
    return .unknown(words.joined(separator: " "))
  }
}
