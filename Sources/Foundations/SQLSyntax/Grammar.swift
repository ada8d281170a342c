import CPgQuery
import Diagnostics
import JSONValues

/// The grammar of PostgreSQL 15, through libpg_query.
enum Grammar {
  /// Why the grammar did not read a text. It may be newer than the grammar and right all the same.
  struct Refusal: Error, Sendable {
    let message: String
    /// Where it stumbled, as a byte offset in the text; nil where it did not say.
    let offset: Int?

    func diagnostic(in file: SourceFile, source: SourceBytes) -> Diagnostic {
      Diagnostic(
        "syntax.beyond-grammar", "the built-in grammar (PostgreSQL 15) does not know what is written here",
        detail: message, hint: "let the server judge it: newer versions know more",
        at: offset.map { file.location(byte: $0) }, severity: .note)
    }
  }

  /// The byte ranges of the statements, with the blanks and comments before each and without semicolons.
  static func split(_ sql: [UInt8]) -> Result<[Range<Int>], Refusal> {
    withText(sql) { text in
      let result = pg_query_split_with_parser(text)
      defer { pg_query_free_split_result(result) }
      if let error = result.error { return .failure(refusal(error.pointee, in: sql)) }
      var ranges: [Range<Int>] = []
      for index in 0..<Int(result.n_stmts) {
        guard let statement = result.stmts[index]?.pointee else { continue }
        let start = Int(statement.stmt_location)
        // A length of 0 means up to the end of the text.
        let length = Int(statement.stmt_len)
        ranges.append(start..<(length == 0 ? sql.count : start + length))
      }
      return .success(ranges)
    }
  }

  /// The statements' parse trees, in order: what libpg_query calls `stmts`, each with its `stmt` inside.
  ///
  /// - Precondition: No expression nests deeper than ``deepest`` tokens: the library walks trees by recursion.
  static func trees(_ sql: [UInt8]) -> Result<[JSON], Refusal> {
    withText(sql) { text in
      let result = pg_query_parse(text)
      defer { pg_query_free_parse_result(result) }
      if let error = result.error { return .failure(refusal(error.pointee, in: sql)) }
      return read(result.parse_tree).flatMap { tree in
        .success((tree["stmts"]?.array ?? []).compactMap { $0["stmt"] })
      }
    }
  }

  /// The parse trees of the PL/pgSQL bodies in a CREATE FUNCTION, CREATE PROCEDURE or DO statement.
  static func routineBodies(_ sql: [UInt8]) -> Result<[JSON], Refusal> {
    withText(sql) { text in
      let result = pg_query_parse_plpgsql(text)
      defer { pg_query_free_plpgsql_parse_result(result) }
      if let error = result.error { return .failure(refusal(error.pointee, in: sql)) }
      return read(result.plpgsql_funcs).map { $0.array ?? [] }
    }
  }

  /// Trees deeper than this many tokens are not asked for. The library's own limits guard its parser but not
  /// its output, which overflows the stack at some tens of thousands of operators in a row.
  static let deepest = 1_000

  /// How deep the JSON of a tree may be: it is walked by recursion, too, and a nested query takes ten levels.
  private static let deepestJSON = 1_000

  private static func read(_ json: UnsafeMutablePointer<CChar>?) -> Result<JSON, Refusal> {
    guard let json else { return .failure(Refusal(message: "the grammar gave no answer", offset: nil)) }
    var length = 0
    while json[length] != 0 { length += 1 }
    do {
      let bytes = UnsafeRawBufferPointer(start: json, count: length)
      return .success(try JSON(parsing: bytes, maximumDepth: deepestJSON))
    } catch {
      return .failure(Refusal(message: "the parse tree is nested too deeply to be read", offset: nil))
    }
  }

  /// The library takes C strings, and would silently stop at a NUL: such a text is refused.
  private static func withText<T>(
    _ sql: [UInt8], _ body: (UnsafePointer<CChar>) -> Result<T, Refusal>
  ) -> Result<T, Refusal> {
    if let zero = sql.firstIndex(of: 0) {
      return .failure(Refusal(message: "the text holds a NUL byte, which SQL can't", offset: zero))
    }
    return (sql + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
    }
  }

  private static func refusal(_ error: PgQueryError, in sql: [UInt8]) -> Refusal {
    let message = error.message.map { String(cString: $0) } ?? "no message"
    // Counted from 1, in characters of the text that was handed over.
    let position = Int(error.cursorpos)
    return Refusal(
      message: message, offset: position > 0 ? SourceBytes(sql).offset(ofScalar: position - 1) : nil)
  }
}
