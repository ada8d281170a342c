/// Tells a statement's kind from its leading key words.
///
/// The parse tree would say the same, but only for a grammar that knows the whole file. The words are exact:
/// each of these statements begins with key words that nothing else can begin with.
struct StatementKindReader {
  private let source: SourceBytes
  private let tokens: [Token]
  /// The key words at the same index as `tokens`; empty for what is no word.
  private let words: [String]

  /// No statement of interest tells its kind later than this, except those read to their end.
  private static let leading = 48

  init(_ source: SourceBytes, in range: Range<Int>) {
    var lexer = Lexer(source, in: range)
    var tokens: [Token] = []
    var words: [String] = []
    var limit = Self.leading
    while tokens.count < limit, let token = lexer.nextCode() {
      tokens.append(token)
      // A long word is no key word, and a plain identifier may be megabytes.
      words.append(token.range.count <= 20 ? source.word(token) ?? "" : "")
      if tokens.count == 2, words[1] == "subscription" { limit = 400 }
    }
    self.source = source
    self.tokens = tokens
    self.words = words
  }

  func kind(isCopyFromStdin: Bool) -> Statement.Kind {
    if isCopyFromStdin { return .copyFromStdin }
    if let control = control { return .transaction(control) }
    if let index = concurrentIndex { return .outsideTransaction(.createIndexConcurrently(index)) }
    if let name = outsideTransaction { return .outsideTransaction(.other(name)) }
    return .ordinary
  }

  private func word(_ index: Int) -> String { index < words.count ? words[index] : "" }
  private func begins(_ expected: String...) -> Bool { words.starts(with: expected) }

  // MARK: - Transaction control

  private var control: TransactionControl? {
    switch word(0) {
    case "begin": .begin
    case "start" where word(1) == "transaction": .begin
    case "commit", "end": word(1) == "prepared" ? nil : .commit
    case "abort": .rollback
    case "rollback": word(1) == "prepared" ? nil : rollback
    case "savepoint": .savepoint
    case "release": .releaseSavepoint
    case "prepare" where word(1) == "transaction": .prepareTransaction
    default: nil
    }
  }

  private var rollback: TransactionControl {
    let next = ["work", "transaction"].contains(word(1)) ? word(2) : word(1)
    return next == "to" ? .rollbackToSavepoint : .rollback
  }

  // MARK: - What a transaction block refuses

  private var outsideTransaction: String? {
    switch word(0) {
    case "vacuum": "vacuum"
    case "discard" where word(1) == "all": "discard all"
    case "commit" where word(1) == "prepared", "rollback" where word(1) == "prepared":
      "\(word(0)) prepared"
    case "cluster": clustersAll ? "cluster" : nil
    case "reindex": reindex
    case "create": created
    case "drop": dropped
    case "alter": altered
    default: nil
    }
  }

  private var clustersAll: Bool {
    var next = 1
    if word(next) == "verbose" { next += 1 }
    if next < tokens.count, tokens[next].isSymbol("(") { next = afterParentheses(next) }
    return next >= tokens.count
  }

  private var reindex: String? {
    var next = 1
    var concurrently = false
    if next < tokens.count, tokens[next].isSymbol("(") {
      let end = afterParentheses(next)
      concurrently = words[next..<end].contains("concurrently")
      next = end
    }
    let object = word(next)
    if ["database", "system", "schema"].contains(object) { return "reindex \(object)" }
    return concurrently || word(next + 1) == "concurrently" ? "reindex concurrently" : nil
  }

  private var created: String? {
    switch word(1) {
    case "database", "tablespace": "create \(word(1))"
    case "subscription": createsSlot ? "create subscription" : nil
    default: nil
    }
  }

  /// CREATE SUBSCRIPTION makes a replication slot, and then refuses a transaction, unless told otherwise.
  private var createsSlot: Bool {
    for (index, option) in words.enumerated() where option == "connect" || option == "create_slot" {
      let value = words[min(index + 1, words.count)...].prefix(2).first { !$0.isEmpty }
      if value == "false" || value == "off" { return false }
    }
    return true
  }

  private var dropped: String? {
    switch word(1) {
    case "database", "tablespace", "subscription": "drop \(word(1))"
    case "index" where word(2) == "concurrently": "drop index concurrently"
    default: nil
    }
  }

  private var altered: String? {
    switch word(1) {
    case "system": return "alter system"
    case "database":
      // ALTER DATABASE name SET TABLESPACE …; a setting of that name can't be written without quotes.
      return words.dropFirst(3).starts(with: ["set", "tablespace"]) ? "alter database set tablespace" : nil
    case "subscription":
      return words.dropFirst(3).starts(with: ["refresh", "publication"])
        ? "alter subscription refresh publication" : nil
    case "table":
      guard let detach = words.firstIndex(of: "detach"), word(detach + 1) == "partition" else { return nil }
      let rest = words[detach...]
      return rest.contains("concurrently") || rest.contains("finalize")
        ? "alter table detach partition concurrently" : nil
    default: return nil
    }
  }

  // MARK: - CREATE INDEX CONCURRENTLY

  private var concurrentIndex: ConcurrentIndex? {
    var next = 1
    guard word(0) == "create" else { return nil }
    if word(next) == "unique" { next += 1 }
    guard word(next) == "index", word(next + 1) == "concurrently" else { return nil }
    next += 2
    let ifNotExists = words.dropFirst(next).starts(with: ["if", "not", "exists"])
    if ifNotExists { next += 3 }
    var name: String?
    // ON is reserved, so a word here that is not ON is the index's name.
    if word(next) != "on", next < tokens.count {
      name = source.name(tokens[next])
      next += 1
    }
    guard word(next) == "on" else { return nil }
    next += word(next + 1) == "only" ? 2 : 1
    var path: [String] = []
    while next < tokens.count, let part = source.name(tokens[next]) {
      path.append(part)
      guard next + 1 < tokens.count, tokens[next + 1].isSymbol(".") else { break }
      next += 2
    }
    guard let table = path.last else { return nil }
    return ConcurrentIndex(
      name: name, schema: path.dropLast().last, table: table, ifNotExists: ifNotExists)
  }

  /// The index after the parenthesis that closes the one at `open`.
  private func afterParentheses(_ open: Int) -> Int {
    var depth = 0
    for index in open..<tokens.count {
      if tokens[index].isSymbol("(") { depth += 1 }
      if tokens[index].isSymbol(")") {
        depth -= 1
        if depth == 0 { return index + 1 }
      }
    }
    return tokens.count
  }
}
