import Diagnostics
import Platform
import Postgres
import SQLSyntax
import Scripts

/// What a database that nomdev made needs in place of a few things a file says, because a stock server can't be
/// brought to do them. Elsewhere every file is sent as it is.
struct PlatformStatements {
  private let hasPrivileged: Bool
  private let hasVectorStandIn: Bool

  /// - Parameter scripts: Looked through first, so that a database is asked only where it matters.
  init(_ db: Connection, for scripts: [RunnableScript]) throws {
    let hasAny = scripts.contains { $0.statements.contains { PrivilegedStatement($0.text) != nil } }
    hasPrivileged =
      try hasAny
      && db.value("select 1 from pg_catalog.pg_namespace where nspname = 'nomdev_platform'") != nil
    let namesIndexes = scripts.contains { VectorIndexOptions.mayHold($0.file.text) }
    hasVectorStandIn =
      try namesIndexes
      && db.value(
        """
        select 1 from pg_catalog.pg_available_extensions
        where name = 'vector' and pg_catalog.starts_with(comment, 'nomdev stand-in:')
        """) != nil
  }

  /// The call that is sent in place of a statement that `postgres` may run on the platform and no grant allows
  /// on a stock server; nil where the statement itself is sent.
  func substitute(_ statement: Statement) -> String? {
    guard hasPrivileged, let kind = PrivilegedStatement(statement.text) else { return nil }
    return "select \(kind.function)(\(SQL.quoted(literal: statement.text)))"
  }

  /// The script without the options a stand-in's index can't take.
  func adapted(_ script: RunnableScript, onWarning: (Diagnostic) -> Void) -> RunnableScript {
    guard hasVectorStandIn, VectorIndexOptions.mayHold(script.file.text) else { return script }
    let options = VectorIndexOptions.ranges(in: script.script)
    for range in options {
      onWarning(
        Diagnostic(
          "migrate.stand-in-options", "the options of this index have no effect: vector is a stand-in here",
          at: script.script.location(byte: range.lowerBound, length: range.count), severity: .warning))
    }
    return script.leavingOut(options)
  }
}

/// Finds `with (m = …)` behind `using hnsw (…)`: options that only pgvector's own handler knows.
enum VectorIndexOptions {
  static func mayHold(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.contains("hnsw") || text.contains("ivfflat")
  }

  /// From each `with` to the parenthesis that closes its list, in the bodies of DO blocks and functions, too.
  static func ranges(in script: Script) -> [Range<Int>] {
    script.statements.flatMap { ranges(in: script.source, $0.range) }
  }

  private static func ranges(in source: SourceBytes, _ range: Range<Int>) -> [Range<Int>] {
    var lexer = Lexer(source, in: range)
    var tokens: [Token] = []
    var found: [Range<Int>] = []
    while let token = lexer.nextCode() {
      if token.kind == .dollarString { found += ranges(in: source, body(of: token, in: source)) }
      tokens.append(token)
    }
    for (index, token) in tokens.enumerated() where source.word(token) == "using" {
      guard index + 2 < tokens.count, ["hnsw", "ivfflat"].contains(source.name(tokens[index + 1])),
        let columns = closing(tokens, index + 2), columns + 2 < tokens.count,
        source.word(tokens[columns + 1]) == "with", let end = closing(tokens, columns + 2)
      else { continue }
      found.append(tokens[columns + 1].range.lowerBound..<tokens[end].range.upperBound)
    }
    return found
  }

  /// The index of the parenthesis that closes the one at `open`; nil where there is none.
  private static func closing(_ tokens: [Token], _ open: Int) -> Int? {
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].kind == .symbol(UInt8(ascii: "(")) { depth += 1 }
      if tokens[index].kind == .symbol(UInt8(ascii: ")")) { depth -= 1 }
      if depth == 0 { return index == open ? nil : index }
    }
    return nil
  }

  /// What stands between the two tags of a dollar-quoted text.
  private static func body(of token: Token, in source: SourceBytes) -> Range<Int> {
    let bytes = source.bytes[token.range]
    guard let end = bytes.dropFirst().firstIndex(of: UInt8(ascii: "$")) else { return token.range }
    let tag = end - token.range.lowerBound + 1
    return (token.range.lowerBound + tag)..<max(token.range.lowerBound + tag, token.range.upperBound - tag)
  }
}
