import Diagnostics
import SQLSyntax

/// A file made ready to be sent to a server: what is no SQL is taken out or refused, its own transaction is
/// recognised, and how it must be run is decided. Making one sends nothing.
package struct RunnableScript: Sendable {
  /// How a file is run.
  package enum Mode: Sendable, Hashable {
    /// Whole, in one transaction. `begin` is the file's own BEGIN where it has one around everything.
    case transaction(begin: String)
    /// Statement by statement, since a statement in it can't run in a transaction, or its head asks for it.
    case statementByStatement
  }

  package let script: Script
  package let mode: Mode
  package let warnings: [Diagnostic]
  /// Bytes that are not sent: psql's commands, an outer BEGIN and COMMIT, what this server can't know.
  private var leftOut: [Range<Int>]
  /// The statements that are sent, outer BEGIN and COMMIT not among them.
  package let statements: [Statement]

  package var file: SourceFile { script.file }

  /// - Parameter serverVersion: libpq's number, 150018 for 15.18.
  /// - Parameter code: The prefix of the diagnostics' codes: `migrate` or `seed`.
  /// - Throws: ``DiagnosticList`` with every reason not to run the file: psql's commands, a COMMIT in the
  ///   middle, a statement that needs to run outside the transaction the file itself opens.
  package init(_ file: SourceFile, serverVersion: Int, code: String) throws {
    let script = Script.parse(file)
    var judge = Judge(script: script, code: code)
    judge.metaCommands()
    judge.newerSettings(serverVersion: serverVersion)
    mode = judge.mode()
    guard judge.problems.isEmpty else { throw DiagnosticList(judge.problems) }
    self.script = script
    warnings = judge.warnings
    leftOut = judge.leftOut
    statements = script.statements.filter { statement in !judge.leftOut.contains(statement.range) }
  }

  /// The whole file as messages for the server.
  ///
  /// - Parameter substitute: What is sent in place of a statement, as a message of its own; nil sends the
  ///   statement.
  package func chunks(substitute: (Statement) -> String? = { _ in nil }) -> [ScriptChunk] {
    let bytes = script.source.bytes
    var chunks: [ScriptChunk] = []
    var start = 0
    var pending: [Range<Int>] = []
    for statement in statements {
      if let other = substitute(statement) {
        if !pending.isEmpty {
          let before = start..<statement.range.lowerBound
          chunks.append(ScriptChunk(text: text(bytes, before), offset: start, statements: pending))
          pending = []
        }
        chunks.append(ScriptChunk(other, inPlaceOf: statement.range))
        start = statement.range.upperBound
        continue
      }
      pending.append(statement.range)
      guard let data = statement.copyData else { continue }
      chunks.append(
        ScriptChunk(
          text: text(bytes, start..<statement.range.upperBound), offset: start, copyData: Array(bytes[data]),
          statements: pending))
      pending = []
      start = Self.afterData(bytes, data)
    }
    if !pending.isEmpty {
      chunks.append(ScriptChunk(text: text(bytes, start..<bytes.count), offset: start, statements: pending))
    }
    return chunks
  }

  /// One statement as a message for the server.
  package func chunk(
    _ statement: Statement, substitute: (Statement) -> String? = { _ in nil }
  ) -> ScriptChunk {
    if let other = substitute(statement) { return ScriptChunk(other, inPlaceOf: statement.range) }
    let bytes = script.source.bytes
    let data = statement.copyData.map { Array(bytes[$0]) } ?? []
    return ScriptChunk(
      text: text(bytes, statement.range), offset: statement.range.lowerBound, copyData: data,
      statements: [statement.range])
  }

  /// The script with more bytes that are not sent. What the ledger keeps stays the file as written.
  package func leavingOut(_ ranges: [Range<Int>]) -> RunnableScript {
    var script = self
    script.leftOut += ranges
    return script
  }

  /// The file's statements as a ledger keeps them: in order, each with the comments before it and its COPY
  /// rows, joined by semicolons the file again.
  package var ledgerTexts: [String] {
    script.statements.map { statement in
      let start = statement.leadingComments.first?.lowerBound ?? statement.range.lowerBound
      var text = script.source.text(start..<statement.range.upperBound)
      if let data = statement.copyData {
        text += ";\n" + script.source.text(data) + "\\."
      }
      return text
    }
  }

  private func text(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    var sent = Array(bytes[range])
    for gap in leftOut {
      for offset in gap.clamped(to: range) where bytes[offset] != UInt8(ascii: "\n") {
        sent[offset - range.lowerBound] = UInt8(ascii: " ")
      }
    }
    return String(decoding: sent, as: UTF8.self)
  }

  /// The byte after the `\.` line that ends COPY data.
  private static func afterData(_ bytes: [UInt8], _ data: Range<Int>) -> Int {
    guard data.upperBound < bytes.count else { return bytes.count }
    return bytes[data.upperBound...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  }
}

/// Looks at a script before anything of it is sent.
private struct Judge {
  let script: Script
  let code: String
  var problems: [Diagnostic] = []
  var warnings: [Diagnostic] = []
  var leftOut: [Range<Int>] = []

  init(script: Script, code: String) {
    self.script = script
    self.code = code
  }

  /// pg_dump frames its output with `\restrict` and `\unrestrict`, which only psql acts on: they are left
  /// out. Any other command means that the file was written for psql.
  mutating func metaCommands() {
    for command in script.metaCommands {
      if command.text.hasPrefix("\\restrict") || command.text.hasPrefix("\\unrestrict") {
        leftOut.append(command.range)
        continue
      }
      problems.append(
        Diagnostic(
          "\(code).meta-command", "psql's meta-commands aren't SQL",
          hint: "take the line out, or write what it does as SQL",
          at: script.location(byte: command.range.lowerBound, length: command.range.count)))
    }
  }

  /// A dump made by a newer pg_dump begins with settings an older server has never heard of. Setting one to
  /// its default asks for nothing, so it is left out, and said.
  mutating func newerSettings(serverVersion: Int) {
    guard serverVersion < 170_000 else { return }
    for statement in script.statements {
      let words = statement.text.lowercased().split { $0 == " " || $0 == "=" || $0 == "\t" }
      guard
        words == ["set", "transaction_timeout", "0"] || words == ["set", "transaction_timeout", "to", "0"]
      else { continue }
      leftOut.append(statement.range)
      warnings.append(
        Diagnostic(
          "\(code).newer-setting", "left out: a server before PostgreSQL 17 has no transaction_timeout",
          at: script.location(byte: statement.range.lowerBound, length: statement.range.count),
          severity: .warning))
    }
  }

  mutating func mode() -> RunnableScript.Mode {
    if script.noTransaction != nil { return .statementByStatement }
    let boundaries = script.transactionBoundaries
    let outside = script.outsideTransaction
    guard !boundaries.isEmpty else {
      return outside.isEmpty ? .transaction(begin: "begin") : .statementByStatement
    }
    guard let (first, last) = ownTransaction(boundaries) else {
      refuse(boundaries)
      return .statementByStatement
    }
    leftOut += [first.range, last.range]
    for statement in outside {
      problems.append(
        Diagnostic(
          "\(code).outside-transaction",
          "\(statement.outsideTransaction?.name ?? "") can't run inside the transaction this file opens",
          hint: "take the file's begin and commit out: nomdev then runs it statement by statement",
          at: statement.location))
    }
    return .transaction(begin: first.text)
  }

  /// The one BEGIN of the file and the COMMIT that ends it. What stands before a late, plain BEGIN joins its
  /// transaction.
  private func ownTransaction(_ boundaries: [Statement]) -> (begin: Statement, commit: Statement)? {
    let statements = script.statements
    if script.isWrappedInTransaction, let last = statements.last { return (statements[0], last) }
    guard boundaries.count == 2, boundaries[0].control == .begin, boundaries[1].control == .commit,
      boundaries[1].range == statements.last?.range, boundaries[0].isPlain, boundaries[1].isPlain
    else { return nil }
    return (boundaries[0], boundaries[1])
  }

  private mutating func refuse(_ boundaries: [Statement]) {
    let culprit = boundaries.first { $0.control != .begin } ?? boundaries[0]
    let word = culprit.control?.rawValue.uppercased() ?? ""
    problems.append(
      Diagnostic(
        "\(code).commit-inside", "\(word) inside the file could leave it half done",
        detail: code == "seed" ? nil : "a file runs in one transaction together with its ledger row",
        hint: code == "seed"
          ? "take it out: seeds are loaded in one transaction"
          : """
          take it out, or split the file there; to have it run statement by statement, each step recorded, \
          write at its head: -- nomdev: no-transaction
          """,
        at: script.location(byte: culprit.range.lowerBound, length: culprit.range.count)))
  }
}

extension Statement {
  /// Whether it is a transaction statement without options.
  fileprivate var isPlain: Bool {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).dropFirst()
    return words.allSatisfy { $0 == "work" || $0 == "transaction" }
  }
}
