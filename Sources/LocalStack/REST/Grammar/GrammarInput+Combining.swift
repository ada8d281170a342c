extension GrammarInput {
  // MARK: - Combining

  /// The grammar, but a failure counts as if nothing had been taken.
  mutating func attempt<Value>(_ grammar: Grammar<Value>) -> Outcome<Value> {
    let start = position
    var outcome = grammar(&self)
    if outcome.value == nil {
      position = start
      outcome.hasConsumed = false
    }
    return outcome
  }

  /// The grammar without taking what it matched.
  mutating func lookAhead<Value>(_ grammar: Grammar<Value>) -> Outcome<Value> {
    let start = position
    let outcome = grammar(&self)
    guard let value = outcome.value else { return outcome }
    position = start
    return .success(value)
  }

  /// The first alternative that takes something or succeeds.
  mutating func choose<Value>(_ alternatives: Grammar<Value>...) -> Outcome<Value> {
    var problem: GrammarProblem?
    for alternative in alternatives {
      var outcome = alternative(&self)
      if outcome.hasConsumed { return outcome }
      outcome.problem = GrammarProblem.merge(problem, outcome.problem)
      if outcome.value != nil { return outcome }
      problem = outcome.problem
    }
    return Outcome(value: nil, hasConsumed: false, problem: problem)
  }

  mutating func optional<Value>(_ grammar: Grammar<Value>) -> Outcome<Value?> {
    let outcome = grammar(&self)
    if let value = outcome.value {
      return Outcome(value: .some(value), hasConsumed: outcome.hasConsumed, problem: outcome.problem)
    }
    if outcome.hasConsumed { return Outcome(value: nil, hasConsumed: true, problem: outcome.problem) }
    return Outcome(value: .some(nil), hasConsumed: false, problem: outcome.problem)
  }

  /// The grammar; where it takes nothing and fails, `name` is what was expected.
  mutating func label<Value>(_ name: String, _ grammar: Grammar<Value>) -> Outcome<Value> {
    var outcome = grammar(&self)
    guard explains, !outcome.hasConsumed else { return outcome }
    if outcome.value == nil {
      outcome.problem = (outcome.problem ?? GrammarProblem(position: position, messages: []))
        .labelled(name)
    } else if let problem = outcome.problem, !problem.messages.isEmpty {
      outcome.problem = problem.labelled(name)
    }
    return outcome
  }

  mutating func many<Value>(_ grammar: Grammar<Value>) -> Outcome<[Value]> {
    var values: [Value] = []
    var hasConsumed = false
    while true {
      let outcome = grammar(&self)
      guard let value = outcome.value else {
        return Outcome(
          value: outcome.hasConsumed ? nil : values, hasConsumed: hasConsumed || outcome.hasConsumed,
          problem: outcome.problem)
      }
      // A repetition of nothing would not end.
      guard outcome.hasConsumed else {
        return Outcome(value: values, hasConsumed: hasConsumed, problem: outcome.problem)
      }
      hasConsumed = true
      values.append(value)
    }
  }

  /// One or more, with a separator between them.
  mutating func separated<Value, Separator>(
    by separator: Grammar<Separator>, _ grammar: Grammar<Value>
  ) -> Outcome<[Value]> {
    var sequence = GrammarSequence()
    guard let first = sequence.take(grammar, &self) else { return sequence.fail() }
    let rest: Outcome<[Value]> = many { input in
      var step = GrammarSequence()
      guard step.take(separator, &input) != nil, let value = step.take(grammar, &input) else {
        return step.fail()
      }
      return step.succeed(value)
    }
    guard let others = sequence.take(rest) else { return sequence.fail() }
    return sequence.succeed([first] + others)
  }

  mutating func between<Value>(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ grammar: Grammar<Value>
  ) -> Outcome<Value> {
    var sequence = GrammarSequence()
    guard sequence.take(char(open)) != nil, let value = sequence.take(grammar, &self),
      sequence.take(char(close)) != nil
    else { return sequence.fail() }
    return sequence.succeed(value)
  }

  /// The grammar with blanks around it.
  mutating func lexeme<Value>(_ grammar: Grammar<Value>) -> Outcome<Value> {
    var sequence = GrammarSequence()
    _ = sequence.take(run { $0 == " " || $0 == "\t" })
    guard let value = sequence.take(grammar, &self) else { return sequence.fail() }
    _ = sequence.take(run { $0 == " " || $0 == "\t" })
    return sequence.succeed(value)
  }

  /// The grammar one level deeper. Fails for good where that is too deep for a thread's stack.
  mutating func nested<Value>(_ grammar: Grammar<Value>) -> Outcome<Value> {
    guard depth < Self.maximumDepth else {
      isTooDeep = true
      return Outcome(value: nil, hasConsumed: true, problem: nil)
    }
    depth += 1
    defer { depth -= 1 }
    return grammar(&self)
  }

  // MARK: - Telling

  /// Column and explanation of a problem, on one line.
  func explanation(of problem: GrammarProblem?) -> (line: Int, column: Int, text: String) {
    let (line, column) = place(of: problem?.position ?? position)
    if isTooDeep {
      return (line, column, "nested deeper than \(Self.maximumDepth) levels")
    }
    let messages = (problem?.messages ?? []).enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    guard !messages.isEmpty else { return (line, column, "unknown parse error") }
    var found: String?
    var unexpected: [String] = []
    var expected: [String] = []
    for message in messages {
      switch message {
      case .found(let text): found = found ?? text
      case .unexpected(let text): if !text.isEmpty, !unexpected.contains(text) { unexpected.append(text) }
      case .expected(let text): if !text.isEmpty, !expected.contains(text) { expected.append(text) }
      }
    }
    var parts: [String] = []
    if unexpected.isEmpty, let found {
      parts.append("unexpected " + (found.isEmpty ? "end of input" : found))
    }
    if !unexpected.isEmpty { parts.append("unexpected " + Self.list(unexpected)) }
    if !expected.isEmpty { parts.append("expecting " + Self.list(expected)) }
    return (line, column, parts.joined(separator: " "))
  }

  private func place(of target: Int) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for scalar in scalars.prefix(target) {
      switch scalar {
      case "\n":
        line += 1
        column = 1
      case "\t": column += 8 - (column - 1) % 8
      default: column += 1
      }
    }
    return (line, column)
  }

  private static func list(_ texts: [String]) -> String {
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " or " + last
  }

  static func quoted(_ scalars: [Unicode.Scalar]) -> String {
    "\"" + scalars.map { $0 == "\"" ? "\\\"" : escaped($0) }.joined() + "\""
  }

  static func literal(_ scalar: Unicode.Scalar) -> String {
    "'" + (scalar == "'" ? "\\'" : escaped(scalar)) + "'"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    case "\u{7F}": "\\DEL"
    default:
      scalar.value < 0x20 || scalar.value > 0x7E ? "\\\(scalar.value)" : String(Character(scalar))
    }
  }
}
