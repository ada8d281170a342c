import JSONValues

/// The code that a DO, CREATE FUNCTION or CREATE PROCEDURE statement carries as a string.
package struct Routine: Sendable {
  /// In lower case; `plpgsql` for a DO that names none.
  package let language: String
  package let body: QuotedText
  private let statement: [UInt8]

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
  }

  /// The body's parse tree where it is PL/pgSQL: libpg_query's `PLpgSQL_function`. Line numbers in it count
  /// from the body's first line. Nil where the grammar does not know the body.
  package func plpgsqlTree() -> JSON? {
    guard language == "plpgsql", case .success(let functions) = Grammar.routineBodies(statement) else {
      return nil
    }
    return functions.first?["PLpgSQL_function"]
  }
}
