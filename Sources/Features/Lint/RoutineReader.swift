import Diagnostics
import JSONValues
import SQLSyntax

/// Walks the parse tree of a PL/pgSQL body and collects the SQL it runs, its exception handlers and its
/// conditions. The tree tells lines only, so places are found by looking for the text from its line on.
struct RoutineReader {
  struct Code {
    let sql: SourceBytes
    let isDynamic: Bool
    /// Whether it stands in the body as code, and not inside a literal.
    let isScanned: Bool
    /// From an offset in `sql` to one in the body.
    let place: @Sendable (Int) -> Int
  }

  let body: SourceBytes
  let surrounding: ChainReader.Surrounding
  private(set) var code: [Code] = []
  private(set) var handlers: [(conditions: [String], action: [JSON], offset: Int)] = []
  private(set) var branches: [(condition: JSON?, types: [String], returns: Bool, offset: Int)] = []
  private(set) var called: Set<String> = []

  private let lines: LineIndex
  /// Every WHEN in the body, in its order: where handlers begin, and CASE branches, too.
  private var whens: [(offset: Int, condition: String)] = []
  private var nextWhen = 0

  init(body: SourceBytes, surrounding: ChainReader.Surrounding) {
    self.body = body
    self.surrounding = surrounding
    lines = LineIndex(body)
    var lexer = Lexer(body)
    var when: Int?
    while let token = lexer.nextCode() {
      let word = body.word(token)
      if let offset = when {
        whens.append((offset, word ?? ""))
        when = nil
      }
      if word == "when" { when = token.range.lowerBound }
    }
  }

  /// Reads a statement or a list of them.
  mutating func read(_ node: JSON) {
    if let items = node.array {
      for item in items { read(item) }
      return
    }
    guard let members = node.members else { return }
    for member in members {
      switch member.key {
      case "PLpgSQL_stmt_execsql": readStatic(member.value["sqlstmt"], of: member.value)
      case "PLpgSQL_stmt_perform", "PLpgSQL_stmt_call": readCall(member.value["expr"], of: member.value)
      case "PLpgSQL_stmt_dynexecute", "PLpgSQL_stmt_dynfors":
        readDynamic(member.value["query"], of: member.value)
        read(member.value["body"] ?? .null)
      case "PLpgSQL_stmt_if": readIf(member.value)
      case "PLpgSQL_exception": readHandler(member.value)
      default: read(member.value)
      }
    }
  }

  // MARK: - SQL

  private mutating func readStatic(_ expression: JSON?, of statement: JSON) {
    guard let query = query(expression) else { return }
    let base = offset(of: query, from: statement)
    code.append(Code(sql: SourceBytes(query), isDynamic: false, isScanned: true, place: { base + $0 }))
  }

  private mutating func readCall(_ expression: JSON?, of statement: JSON) {
    guard let query = query(expression) else { return }
    // PERFORM is read as SELECT, CALL as itself.
    for tree in Script.parse(SourceFile(path: "", text: query)).trees() {
      tree?.node.walk { name, node in
        guard name == "FuncCall" || name == "funccall" else { return }
        if let function = ObjectName(names: node["funcname"]?.array) { called.insert(function.name) }
      }
    }
  }

  private mutating func readDynamic(_ expression: JSON?, of statement: JSON) {
    guard let query = query(expression), let text = ConstantText(expression: query) else { return }
    let base = offset(of: query, from: statement)
    if text.isWhole, let literal = QuotedText(near: base, in: body),
      literal.content.bytes.elementsEqual(text.sql.utf8)
    {
      code.append(Code(sql: literal.content, isDynamic: false, isScanned: false, place: literal.outer))
    } else {
      code.append(Code(sql: SourceBytes(text.sql), isDynamic: true, isScanned: false, place: { _ in base }))
    }
  }

  // MARK: - Conditions and handlers

  private mutating func readIf(_ statement: JSON) {
    let branch = statement["then_body"] ?? .null
    var types: [String] = []
    var returns = false
    branch.walk { name, node in
      switch name {
      case "PLpgSQL_stmt_return": returns = true
      case "PLpgSQL_stmt_execsql": types += statementTypes(query(node["sqlstmt"]))
      case "PLpgSQL_stmt_dynexecute":
        types += statementTypes(query(node["query"]).flatMap { ConstantText(expression: $0)?.sql })
      default: break
      }
    }
    let condition = query(statement["cond"])
    let tree = condition.flatMap {
      Script.parse(SourceFile(path: "", text: "select " + $0)).trees().first ?? nil
    }
    branches.append((tree?.node, types, returns, lineOffset(statement)))
    read(branch)
    read(statement["elsif_list"] ?? .null)
    read(statement["else_body"] ?? .null)
  }

  private func statementTypes(_ sql: String?) -> [String] {
    guard let sql else { return [] }
    return Script.parse(SourceFile(path: "", text: sql)).trees().compactMap { $0?.content?.type }
  }

  private mutating func readHandler(_ handler: JSON) {
    let conditions = (handler["conditions"]?.array ?? []).compactMap {
      $0["PLpgSQL_condition"]?["condname"]?.string?.lowercased()
    }
    let action = handler["action"]?.array ?? []
    // Handlers stand in the tree in the order they are written.
    var offset = 0
    if let index = whens[nextWhen...].firstIndex(where: {
      $0.condition == conditions.first || (conditions.isEmpty && $0.condition == "sqlstate")
        || $0.condition == "sqlstate"
    }) {
      offset = whens[index].offset
      nextWhen = index + 1
    }
    handlers.append((conditions, action, offset))
    read(.array(action))
  }

  // MARK: - Places

  private func query(_ expression: JSON?) -> String? { expression?["PLpgSQL_expr"]?["query"]?.string }

  private func lineOffset(_ statement: JSON) -> Int {
    var offset = lines.start(ofLine: statement["lineno"]?.int ?? 1)
    while offset < body.bytes.count, body.bytes[offset] == 0x20 || body.bytes[offset] == 0x09 { offset += 1 }
    return offset
  }

  /// Where a piece of the body stands, looked for from its statement's line on. The line's start where the
  /// tree holds it in other words than the body.
  private func offset(of query: String, from statement: JSON) -> Int {
    let line = lineOffset(statement)
    let words = Array(query.utf8)
    // An INTO is blanked out in the tree's text, so the beginning decides.
    let head = words.prefix(24)
    let last = min(line + 4_000, body.bytes.count - head.count)
    guard !head.isEmpty, line <= last else { return line }
    for start in line...last where body.bytes[start..<start + head.count].elementsEqual(head) { return start }
    return line
  }
}
