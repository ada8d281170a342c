import Diagnostics
import JSONValues
import SQLSyntax

/// Takes one file apart into steps, going into bodies and into text that is executed.
struct ChainReader {
  struct Found {
    var steps: [Step] = []
    var handlers: [Handler] = []
    var branches: [Branch] = []
    var longNames: [LongName] = []
    var directives: [PlacedDirective] = []
    var unread: [Unread] = []
    var explainedLines: Set<Int> = []
    var called: Set<String> = []
  }

  /// Where a text came from.
  struct Surrounding {
    var context: Step.Context
    var outer: @Sendable (Int) -> Int
    /// Where the statements around it begin, outermost first.
    var statements: [Int]
    var isDynamic = false
    /// Whether a text around it has been looked through for comments and long names, this one included.
    var isScanned = false
    var depth = 0
  }

  let script: Script
  let file: Int
  var found = Found()
  private var order = 0

  /// Bodies in bodies: further down than this nothing is read.
  static let deepest = 6
  /// NAMEDATALEN - 1.
  static let longestName = 63

  init(script: Script, file: Int) {
    self.script = script
    self.file = file
  }

  mutating func read() {
    read(script, in: Surrounding(context: .file, outer: { $0 }, statements: []))
  }

  // MARK: - One text

  mutating func read(_ script: Script, in surrounding: Surrounding) {
    if !surrounding.isScanned { readNames(script.sql, in: surrounding) }
    for (statement, tree) in zip(script.statements, script.trees()) {
      let start = surrounding.outer(statement.range.lowerBound)
      var inner = surrounding
      inner.statements.append(start)
      guard let tree, let content = tree.content else {
        // psql's own commands among SQL are the server's business; COPY has a tree of its own.
        keepUnread(start, in: inner)
        continue
      }
      let text = StepText(
        source: script.source, range: statement.range, base: tree.base, outer: surrounding.outer)
      add(content.type, content.fields, start: start, text: text, in: inner)
      if let routine = Routine(tree, statement: statement.range, in: script.source) {
        read(routine, of: content.fields, in: inner)
      }
    }
  }

  /// Reads SQL that stands in another text.
  mutating func read(sql: SourceBytes, in surrounding: Surrounding) {
    guard surrounding.depth < Self.deepest else { return }
    var inner = surrounding
    inner.depth += 1
    read(Script.parse(SourceFile(path: "", text: sql.text(0..<sql.bytes.count))), in: inner)
  }

  private mutating func read(_ routine: Routine, of fields: JSON, in surrounding: Surrounding) {
    guard surrounding.depth < Self.deepest else { return }
    var inner = surrounding
    let outer = surrounding.outer
    let body = routine.body
    inner.outer = { outer(body.outer($0)) }
    inner.depth += 1
    inner.isScanned = false
    if let name = ObjectName(names: fields["funcname"]?.array) { inner.context = .routine(name.name) }
    if fields["funcname"] == nil, surrounding.context == .file { inner.context = .block }
    switch routine.language {
    case "sql": read(sql: body.content, in: inner)
    case "plpgsql":
      readNames(body.content, in: inner)
      guard let tree = routine.plpgsqlTree() else {
        if let start = surrounding.statements.last { keepUnread(start, in: surrounding) }
        return
      }
      var reader = RoutineReader(body: body.content, surrounding: inner)
      reader.read(tree["action"] ?? .null)
      take(reader)
    default: break
    }
  }

  private mutating func take(_ reader: RoutineReader) {
    for site in reader.handlers {
      found.handlers.append(
        Handler(
          conditions: site.conditions, action: site.action,
          site: self.site(site.offset, in: reader.surrounding),
          context: reader.surrounding.context))
    }
    for branch in reader.branches {
      found.branches.append(
        Branch(
          condition: branch.condition, statementTypes: branch.types, returns: branch.returns,
          site: site(branch.offset, in: reader.surrounding), context: reader.surrounding.context))
    }
    for code in reader.code {
      var inner = reader.surrounding
      let outer = inner.outer
      inner.outer = { offset in outer(code.place(offset)) }
      inner.isDynamic = inner.isDynamic || code.isDynamic
      inner.isScanned = code.isScanned
      read(sql: code.sql, in: inner)
    }
    if runsAtOnce(reader.surrounding.context) { found.called.formUnion(reader.called) }
  }

  private func site(_ offset: Int, in surrounding: Surrounding) -> Site {
    let place = surrounding.outer(offset)
    return Site(file: file, offset: place, statements: surrounding.statements + [place])
  }

  private func runsAtOnce(_ context: Step.Context) -> Bool { context == .file || context == .block }

  private mutating func keepUnread(_ start: Int, in surrounding: Surrounding) {
    let site = Site(file: file, offset: start, statements: surrounding.statements)
    found.unread.append(Unread(site: site, isDynamic: surrounding.isDynamic))
  }

  // MARK: - One statement

  private mutating func add(
    _ type: String, _ fields: JSON, start: Int, text: StepText, in surrounding: Surrounding
  ) {
    let step = Step(
      type: type, fields: fields, file: file, start: start, statements: surrounding.statements,
      context: surrounding.context, isDynamic: surrounding.isDynamic, order: order, text: text)
    order += 1
    found.steps.append(step)
    if runsAtOnce(surrounding.context), type == "SelectStmt" || type == "CallStmt" {
      fields.walk { name, node in
        guard name == "FuncCall" || name == "funccall" else { return }
        if let called = ObjectName(names: node["funcname"]?.array) { found.called.insert(called.name) }
      }
    }
    // Statements that stand in others: in WITH, in rules, in CREATE SCHEMA, in BEGIN ATOMIC bodies.
    for (name, node) in fields.nestedStatements() {
      var inner = surrounding
      if type == "CreateFunctionStmt", let routine = ObjectName(names: fields["funcname"]?.array) {
        inner.context = .routine(routine.name)
      }
      if type == "RuleStmt" { inner.context = .routine("") }
      let nested = Step(
        type: name, fields: node, file: file, start: start, statements: surrounding.statements,
        context: inner.context, isDynamic: surrounding.isDynamic, order: order, text: text)
      order += 1
      found.steps.append(nested)
    }
  }

  // MARK: - What tokens tell

  private mutating func readNames(_ source: SourceBytes, in surrounding: Surrounding) {
    var lexer = Lexer(source)
    var open: [Directive] = []
    while let token = lexer.next() {
      if token.isComment {
        if let directive = Directive(comment: token.range, in: source) {
          open.append(directive)
        } else {
          readComment(token.range, of: source, in: surrounding)
        }
        continue
      }
      let place = surrounding.outer(token.range.lowerBound)
      keep(open, before: place, in: surrounding)
      open = []
      guard token.range.count > Self.longestName, !surrounding.isDynamic, let name = source.name(token),
        name.utf8.count > Self.longestName
      else { continue }
      found.longNames.append(
        LongName(name: name, site: Site(file: file, offset: place, statements: surrounding.statements)))
    }
    keep(open, before: nil, in: surrounding)
  }

  /// Three words are the least a reason can be told in.
  private mutating func readComment(_ range: Range<Int>, of source: SourceBytes, in surrounding: Surrounding)
  {
    let words = source.text(range.lowerBound..<min(range.upperBound, range.lowerBound + 200)).split(
      whereSeparator: \.isWhitespace
    )
    .filter { $0.contains(where: \.isLetter) }
    guard words.count >= 3 else { return }
    found.explainedLines.insert(script.line(byte: surrounding.outer(range.lowerBound)))
    found.explainedLines.insert(script.line(byte: surrounding.outer(range.upperBound - 1)))
  }

  private mutating func keep(_ directives: [Directive], before next: Int?, in surrounding: Surrounding) {
    for directive in directives {
      found.directives.append(
        PlacedDirective(
          directive: directive, file: file, offset: surrounding.outer(directive.range.lowerBound), next: next)
      )
    }
  }
}
