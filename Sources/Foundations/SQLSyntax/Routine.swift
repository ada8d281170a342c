import JSONValues

/// The code that a DO, CREATE FUNCTION or CREATE PROCEDURE statement carries as a string.
package struct Routine: Sendable {
  /// In lower case; `plpgsql` for a DO that names none.
  package let language: String
  package let body: QuotedText
  private let statement: [UInt8]
  /// Where the statement begins in the text it was read from.
  private let start: Int

  /// - Parameter base: What to add to the tree's locations to get offsets in `source`.
  /// - Returns: Nil for any other statement, and for a body that is no single readable literal.
  package init?(_ tree: SyntaxTree, statement range: Range<Int>, in source: SourceBytes) {
    guard let (type, fields) = tree.content, type == "DoStmt" || type == "CreateFunctionStmt" else {
      return nil
    }
    let options = (fields["args"] ?? fields["options"])?.array ?? []
    let elements = options.compactMap { $0["DefElem"] }
    func element(_ name: String) -> JSON? { elements.first { $0["defname"]?.string == name } }
    guard let code = element("as"),
      let body = QuotedText(near: (code["location"]?.int ?? 0) + tree.base, in: source)
    else { return nil }
    let parts = code["arg"]?["List"]?["items"]?.array ?? [code["arg"] ?? .null]
    guard parts.count == 1,
      parts[0]["String"]?["sval"]?.string?.utf8.elementsEqual(body.content.bytes) == true
    else { return nil }
    language = element("language")?["arg"]?["String"]?["sval"]?.string?.lowercased() ?? "plpgsql"
    self.body = body
    statement = Array(source.bytes[range])
    start = range.lowerBound
  }

  /// The body's parse tree where it is PL/pgSQL: libpg_query's `PLpgSQL_function`. Line numbers in it count
  /// from the body's first line. Nil where the grammar does not know the body.
  package func plpgsqlTree() -> JSON? {
    guard language == "plpgsql" else { return nil }
    var text = statement
    for _ in 0..<8 {
      switch Grammar.routineBodies(text) {
      case .success(let functions): return functions.first?["PLpgSQL_function"]
      case .failure(let refusal):
        guard amend(&text, after: refusal.message) else { return nil }
      }
    }
    return nil
  }

  // MARK: - What the grammar can't know without a catalog

  /// Takes out of the text what the grammar refuses for want of a catalog, with everything keeping its place.
  ///
  /// It does not know the fields of a record or a row type and refuses an assignment to one; the record itself
  /// is known. It does not see that a function has output columns and wants a value after RETURN NEXT.
  ///
  /// - Returns: Whether anything was taken out, so that asking again makes sense.
  private func amend(_ text: inout [UInt8], after message: String) -> Bool {
    if message.hasPrefix("missing expression") {
      return blank(["return", "next", ";"], in: &text) { tokens in
        (tokens[0].range.lowerBound..<tokens[1].range.upperBound, "null")
      }
    }
    let suffix = "\" is not a known variable"
    guard message.hasPrefix("\""), message.hasSuffix(suffix) else { return false }
    let parts = message.dropFirst().dropLast(suffix.count).split(separator: ".").map(String.init)
    guard parts.count >= 2 else { return false }
    return blank([parts[0], ".", parts[1]], in: &text) { tokens in
      (tokens[1].range.lowerBound..<tokens[2].range.upperBound, "")
    }
  }

  /// Overwrites a part of every run of three tokens of these names or signs.
  private func blank(
    _ names: [String], in text: inout [UInt8], _ part: ([Token]) -> (range: Range<Int>, replacement: String)
  ) -> Bool {
    let content = body.content
    var lexer = Lexer(content)
    var recent: [Token] = []
    var changed = false
    while let token = lexer.nextCode() {
      recent = recent.suffix(2) + [token]
      guard recent.map({ content.name($0) ?? content.text($0.range) }) == names else { continue }
      let (range, replacement) = part(recent)
      var rest = replacement.utf8.makeIterator()
      for offset in range {
        let byte = rest.next() ?? 0x20
        let place = body.outer(offset) - start
        // A line end stays, since the tree tells places by lines.
        guard text[place] != 0x0A else { continue }
        changed = changed || text[place] != byte
        text[place] = byte
      }
    }
    return changed
  }
}
