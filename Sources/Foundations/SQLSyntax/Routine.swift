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
        guard let (record, field) = Self.unknownField(refusal.message), blank(field, of: record, in: &text)
        else {
          return nil
        }
      }
    }
    return nil
  }

  // MARK: - Fields of records

  /// Without a catalog the grammar does not know the fields of a record or a row type, and refuses an
  /// assignment to one. The record itself is known, so the field is blanked out and the rest keeps its place.
  private static func unknownField(_ message: String) -> (record: String, field: String)? {
    let suffix = "\" is not a known variable"
    guard message.hasPrefix("\""), message.hasSuffix(suffix) else { return nil }
    let parts = message.dropFirst().dropLast(suffix.count).split(separator: ".")
    return parts.count >= 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// - Returns: Whether there was anything to blank out.
  private func blank(_ field: String, of record: String, in text: inout [UInt8]) -> Bool {
    let content = body.content
    var lexer = Lexer(content)
    var recent: [Token] = []
    var changed = false
    while let token = lexer.nextCode() {
      recent = recent.suffix(2) + [token]
      guard recent.count == 3, recent[1].isSymbol("."), content.name(recent[0]) == record,
        content.name(token) == field
      else { continue }
      for offset in recent[1].range.lowerBound..<token.range.upperBound {
        let place = body.outer(offset) - start
        changed = changed || text[place] != 0x20
        text[place] = 0x20
      }
    }
    return changed
  }
}
