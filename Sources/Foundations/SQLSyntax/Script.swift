import Diagnostics

/// A file of SQL, cut into statements.
///
/// The grammar of PostgreSQL 15 is asked first. Where it can't read the file, the statements are found by
/// their tokens alone, and whether they are right is for the server to say: reading a script never fails.
package struct Script: Sendable {
  package let file: SourceFile
  package let statements: [Statement]
  /// Who found the statements.
  package let parser: Parser
  /// psql's own commands (`\set`, `\connect`), which are no SQL and which no server runs.
  package let metaCommands: [MetaCommand]
  /// Every comment that speaks to nomdev, at top level and inside statements; not those inside quoted bodies.
  package let directives: [Directive]
  /// The file's bytes: ranges count in them.
  package let source: SourceBytes
  /// The same bytes with everything that is not SQL (a byte order mark, rows of COPY, psql's commands) blanked
  /// out, so that offsets stay what they are.
  package let sql: SourceBytes
  let nesting: [Int]
  private let lines: LineIndex

  package enum Parser: Sendable, Hashable {
    case postgres
    /// The grammar could not read the file; the diagnostic says what it stumbled over, as a note.
    case fallback(reason: Diagnostic)
  }

  package struct MetaCommand: Sendable, Hashable {
    /// From the backslash to the end of the line.
    package let range: Range<Int>
    package let text: String
    package let location: SourceLocation
  }

  /// Reads a script in time proportional to its length.
  package static func parse(_ file: SourceFile) -> Script { Script(file) }

  private init(_ file: SourceFile) {
    self.file = file
    let source = SourceBytes(file.text)
    let lines = LineIndex(source)
    let splitter = Splitter(source)
    var sql = source.bytes
    for range in splitter.notSQL {
      for offset in range where sql[offset] != 0x0A { sql[offset] = 0x20 }
    }
    self.source = source
    self.lines = lines
    self.sql = SourceBytes(sql)

    let (pieces, refusal) = Self.checked(splitter.pieces, sql: sql)
    parser = refusal.map { .fallback(reason: $0.diagnostic(in: file, source: source)) } ?? .postgres
    var places = PlaceReader(file: file, source: source)
    statements = pieces.map { piece in
      Statement(
        range: piece.range, text: source.text(piece.range),
        location: places.place(of: piece.range.lowerBound),
        kind: StatementKindReader(source, in: piece.range).kind(isCopyFromStdin: piece.isCopyFromStdin),
        leadingComments: piece.comments, copyData: piece.copyData)
    }
    nesting = pieces.map(\.nesting)
    var commandPlaces = PlaceReader(file: file, source: source)
    metaCommands = splitter.metaCommands.map {
      MetaCommand(range: $0, text: source.text($0), location: commandPlaces.place(of: $0.lowerBound))
    }
    directives = splitter.comments.compactMap { Directive(comment: $0, in: source) }
  }

  /// The place of a byte of the file, found without reading the file from its start.
  package func location(byte offset: Int, length: Int = 1) -> SourceLocation {
    let offset = min(max(offset, 0), source.bytes.count)
    let line = lines.line(of: offset)
    let end = min(offset + max(length, 0), source.bytes.count)
    let lineEnd = source.bytes[offset..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end
    return SourceLocation(
      file: file, line: line, column: source.scalars(in: lines.start(ofLine: line)..<offset) + 1,
      width: max(1, source.scalars(in: offset..<lineEnd)))
  }

  /// The line of a byte of the file, counted from 1.
  package func line(byte offset: Int) -> Int { lines.line(of: offset) }

  // MARK: - What a runner asks

  /// The statements that can't run in a transaction block.
  package var outsideTransaction: [Statement] { statements.filter { $0.outsideTransaction != nil } }

  /// The statements that begin or end a transaction, the outer pair included.
  package var transactionBoundaries: [Statement] {
    statements.filter { $0.control?.isBoundary == true }
  }

  /// Whether a BEGIN before everything and a COMMIT after everything wrap the whole file, with no other
  /// boundary between: then the pair is the file's own transaction.
  package var isWrappedInTransaction: Bool {
    guard statements.count >= 2, statements[0].control == .begin,
      let last = statements.last, last.control == .commit, !Self.chains(last.text)
    else { return false }
    return transactionBoundaries.count == 2
  }

  /// The file's request to run statement by statement, where its head makes one.
  package var noTransaction: Directive? {
    let head = statements.first?.range.lowerBound ?? source.bytes.count
    return directives.first { $0.request == .noTransaction && $0.range.lowerBound < head }
  }

  /// COMMIT AND CHAIN opens the next transaction at once, so it ends nothing.
  private static func chains(_ commit: String) -> Bool {
    let words = commit.lowercased().split(whereSeparator: \.isWhitespace)
    return words.contains("chain") && !words.contains("no")
  }

  // MARK: - Asking the grammar

  /// The pieces as the grammar sees them, or as they are with the reason why it could not be asked.
  private static func checked(
    _ pieces: [Splitter.Piece], sql: [UInt8]
  ) -> ([Splitter.Piece], Grammar.Refusal?) {
    switch Grammar.split(sql) {
    case .failure(let refusal): return (pieces, refusal)
    case .success(let ranges):
      let agree =
        ranges.count == pieces.count
        && zip(ranges, pieces).allSatisfy {
          $0.lowerBound <= $1.range.lowerBound && $1.range.upperBound <= $0.upperBound
        }
      if agree { return (pieces, nil) }
      let source = SourceBytes(sql)
      return (ranges.compactMap { piece(of: $0, in: source, among: pieces) }, nil)
    }
  }

  /// The grammar's ranges hold the blanks and comments before a statement; they are taken off here.
  private static func piece(
    of range: Range<Int>, in source: SourceBytes, among pieces: [Splitter.Piece]
  ) -> Splitter.Piece? {
    var lexer = Lexer(source, in: range)
    var comments: [Range<Int>] = []
    var bounds: Range<Int>?
    while let token = lexer.next() {
      if token.isComment {
        if bounds == nil { comments.append(token.range) }
      } else {
        bounds = (bounds?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
      }
    }
    guard let bounds else { return nil }
    let twin = pieces.last {
      $0.range.lowerBound <= bounds.lowerBound && $0.range.upperBound >= bounds.upperBound
    }
    return Splitter.Piece(
      range: bounds, comments: comments, isCopyFromStdin: twin?.isCopyFromStdin ?? false,
      copyData: twin?.copyData, nesting: twin?.nesting ?? .max)
  }
}

/// Places of rising offsets, found in one pass over the text: a file of one long line is no reason to be slow.
private struct PlaceReader {
  let file: SourceFile
  let source: SourceBytes
  private var offset = 0
  private var line = 1
  private var column = 1

  init(file: SourceFile, source: SourceBytes) {
    self.file = file
    self.source = source
  }

  mutating func place(of target: Int) -> SourceLocation {
    while offset < target {
      let byte = source.bytes[offset]
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      offset += 1
    }
    return SourceLocation(file: file, line: line, column: column)
  }
}
