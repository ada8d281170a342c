import Diagnostics
import Postgres

/// A statement of a file that the server refused, placed in that file.
package struct ScriptError: Diagnosable {
  package let error: PostgresError
  package let location: SourceLocation
  /// The diagnostic's code: `migrate.sql`, `seed.sql`.
  package let code: String
  /// Replaces or adds to the server's hint, for the refusals nomdev knows a remedy for.
  package var advice: String?
  /// Adds to the server's detail.
  package var note: String?

  package init(_ error: PostgresError, at location: SourceLocation, code: String) {
    self.error = error
    self.location = location
    self.code = code
  }

  /// Places an error of a chunk: by the server's position, else by the statement that did not end.
  package init(_ error: PostgresError, in chunk: ScriptChunk, of file: SourceFile, code: String) {
    self.init(error, at: Self.place(error, chunk, file), code: code)
    advice = Self.remedy(for: error)
  }

  package var diagnostics: [Diagnostic] {
    let details = [error.detail, note, error.context].compactMap { $0 }
    let hints = [error.hint, advice].compactMap { $0 }
    return [
      Diagnostic(
        code, error.message, detail: details.isEmpty ? nil : details.joined(separator: "\n"),
        hint: hints.isEmpty ? nil : hints.joined(separator: "\n"), at: location,
        sqlState: error.state.rawValue)
    ]
  }

  private static func place(_ error: PostgresError, _ chunk: ScriptChunk, _ file: SourceFile)
    -> SourceLocation
  {
    if let position = error.position, !chunk.isSubstitute {
      let offset = chunk.fileOffset(ofPosition: position)
      return file.location(byte: offset, length: tokenLength(in: file, at: offset))
    }
    guard !chunk.statements.isEmpty else { return file.location(byte: chunk.offset) }
    let statement = chunk.statements[min(error.completedStatements, chunk.statements.count - 1)]
    if let line = innerLine(error, file, statement) { return line }
    return file.location(byte: statement.lowerBound, length: statement.count)
  }

  /// An error inside a DO block: its context names the block's line, counted from the opening quote's.
  private static func innerLine(
    _ error: PostgresError, _ file: SourceFile, _ statement: Range<Int>
  ) -> SourceLocation? {
    let marker = "PL/pgSQL function inline_code_block line "
    guard let context = error.context, let found = context.ranges(of: marker).last else { return nil }
    let digits = context[found.upperBound...].prefix { $0.isNumber }
    let bytes = Array(file.text.utf8)
    guard let line = Int(digits),
      let quote = bytes[statement].firstIndex(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "'") })
    else { return nil }
    let first = file.location(byte: quote).line + line - 1
    guard let text = file.line(first) else { return nil }
    let indent = text.unicodeScalars.prefix { $0 == " " || $0 == "\t" }.count
    let width = text.unicodeScalars.count - indent
    return SourceLocation(file: file, line: first, column: indent + 1, width: max(1, width))
  }

  /// How many bytes the caret should cover: the word, number or quoted name at the place.
  private static func tokenLength(in file: SourceFile, at offset: Int) -> Int {
    let rest = file.text.utf8.dropFirst(offset)
    guard let first = rest.first else { return 1 }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      let inner = rest.dropFirst().prefix { $0 != first && $0 != UInt8(ascii: "\n") }
      return inner.count + 2
    }
    let word = rest.prefix { byte in
      byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    return max(1, word.count)
  }

  private static func remedy(for error: PostgresError) -> String? {
    switch error.state {
    case .unsafeNewEnumValueUsage:
      "a new enum value can be used only after it is committed: move its use into the next file"
    case .activeTransaction where error.message.contains("cannot run inside a transaction block"):
      """
      give the statement a file of its own, or write `-- nomdev: no-transaction` at the head of this one to \
      have it run statement by statement
      """
    case .diskFull: "free some space on the server's disk, then run the same command again"
    default: nil
    }
  }
}
