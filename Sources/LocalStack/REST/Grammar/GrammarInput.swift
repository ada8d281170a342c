/// A text on its way through a grammar.
///
/// The grammars are written as plain functions over this. What they report on failure follows the rules of
/// a predictive parser with explicit backtracking: an alternative is tried only where the one before took
/// nothing, and problems at the same place are told together. Clients show these texts to their users, so
/// their order and wording matter.
struct GrammarInput {
  let scalars: [Unicode.Scalar]
  var position = 0
  /// Problems are gathered only on a second run, when it is known that there is one.
  let explains: Bool
  /// How deep the grammar has nested; see ``maximumDepth``.
  var depth = 0
  var isTooDeep = false

  /// Far above what a person writes, far below what a thread's stack can hold.
  static let maximumDepth = 64

  init(_ text: String, explains: Bool) {
    scalars = Array(text.unicodeScalars)
    self.explains = explains
  }

  var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
}

/// What went wrong, or what would have been possible, at one place.
struct GrammarProblem {
  enum Message: Equatable {
    /// The text itself: quoted already, empty for the end.
    case found(String)
    case unexpected(String)
    case expected(String)

    var rank: Int {
      switch self {
      case .found: 0
      case .unexpected: 1
      case .expected: 2
      }
    }
  }

  var position: Int
  var messages: [Message]

  /// The farther one; both where they are at the same place.
  static func merge(_ one: GrammarProblem?, _ two: GrammarProblem?) -> GrammarProblem? {
    guard let one, !one.messages.isEmpty else { return two }
    guard let two, !two.messages.isEmpty else { return one }
    if one.position != two.position { return one.position > two.position ? one : two }
    return GrammarProblem(position: one.position, messages: one.messages + two.messages)
  }

  /// In place of all that was expected, the name of the whole.
  func labelled(_ label: String) -> GrammarProblem {
    GrammarProblem(position: position, messages: [.expected(label)] + messages.filter { $0.rank != 2 })
  }
}

/// How a grammar function ended: with a value or without, with input taken or not.
struct Outcome<Value> {
  var value: Value?
  var hasConsumed: Bool
  var problem: GrammarProblem?

  static func success(_ value: Value) -> Outcome { Outcome(value: value, hasConsumed: false, problem: nil) }

  func map<Other>(_ transform: (Value) -> Other) -> Outcome<Other> {
    Outcome<Other>(value: value.map(transform), hasConsumed: hasConsumed, problem: problem)
  }
}

typealias Grammar<Value> = (inout GrammarInput) -> Outcome<Value>

/// Steps one after the other: keeps whether any took input, and the problem that counts.
struct GrammarSequence {
  private var hasConsumed = false
  private var problem: GrammarProblem?

  mutating func take<Value>(_ grammar: Grammar<Value>, _ input: inout GrammarInput) -> Value? {
    take(grammar(&input))
  }

  mutating func take<Value>(_ outcome: Outcome<Value>) -> Value? {
    if outcome.hasConsumed {
      hasConsumed = true
      problem = outcome.problem
    } else {
      problem = GrammarProblem.merge(problem, outcome.problem)
    }
    return outcome.value
  }

  func succeed<Value>(_ value: Value) -> Outcome<Value> {
    Outcome(value: value, hasConsumed: hasConsumed, problem: problem)
  }

  func fail<Value>() -> Outcome<Value> {
    Outcome(value: nil, hasConsumed: hasConsumed, problem: problem)
  }
}

extension GrammarInput {
  // MARK: - Single characters and words

  mutating func satisfy(
    _ label: String? = nil, _ predicate: (Unicode.Scalar) -> Bool
  ) -> Outcome<Unicode.Scalar> {
    if let scalar = current, predicate(scalar) {
      position += 1
      return Outcome(value: scalar, hasConsumed: true, problem: nil)
    }
    return Outcome(value: nil, hasConsumed: false, problem: miss(label))
  }

  mutating func char(_ expected: Unicode.Scalar) -> Outcome<Unicode.Scalar> {
    satisfy(explains ? Self.quoted([expected]) : nil) { $0 == expected }
  }

  mutating func string(_ expected: StaticString) -> Outcome<Void> {
    let start = position
    var index = 0
    var missed: Unicode.Scalar??
    expected.withUTF8Buffer { buffer in
      for byte in buffer {
        guard let scalar = current else {
          missed = .some(nil)
          return
        }
        guard scalar.value == UInt32(byte) else {
          missed = .some(scalar)
          return
        }
        position += 1
        index += 1
      }
    }
    guard let missed else { return Outcome(value: (), hasConsumed: true, problem: nil) }
    guard explains else { return Outcome(value: nil, hasConsumed: index > 0, problem: nil) }
    let found = missed.map { Self.quoted([$0]) } ?? ""
    return Outcome(
      value: nil, hasConsumed: index > 0,
      problem: GrammarProblem(
        position: start, messages: [.expected("\"\(expected)\""), .found(found)]))
  }

  /// As many characters as satisfy, none included.
  mutating func run(
    _ labels: [String] = [], _ predicate: (Unicode.Scalar) -> Bool
  ) -> Outcome<String> {
    let start = position
    var text = String.UnicodeScalarView()
    while let scalar = current, predicate(scalar) {
      text.append(scalar)
      position += 1
    }
    var problem: GrammarProblem?
    if explains {
      problem = miss(nil)
      problem?.messages += labels.map { .expected($0) }
    }
    return Outcome(value: String(text), hasConsumed: position > start, problem: problem)
  }

  /// As many characters as satisfy, at least one.
  mutating func run1(
    _ labels: [String] = [], _ predicate: (Unicode.Scalar) -> Bool
  ) -> Outcome<String> {
    var outcome = run(labels, predicate)
    if !outcome.hasConsumed { outcome.value = nil }
    return outcome
  }

  private func miss(_ label: String?) -> GrammarProblem? {
    guard explains else { return nil }
    let found = GrammarProblem.Message.found(current.map { Self.quoted([$0]) } ?? "")
    return GrammarProblem(position: position, messages: (label.map { [.expected($0)] } ?? []) + [found])
  }

  mutating func end() -> Outcome<Void> {
    guard let scalar = current else { return .success(()) }
    guard explains else { return Outcome(value: nil, hasConsumed: false, problem: nil) }
    return Outcome(
      value: nil, hasConsumed: false,
      problem: GrammarProblem(
        position: position, messages: [.expected("end of input"), .unexpected(Self.literal(scalar))]))
  }

  /// Succeeds where the character does not stand next; takes nothing.
  mutating func not(_ predicate: (Unicode.Scalar) -> Bool) -> Outcome<Void> {
    guard let scalar = current, predicate(scalar) else { return .success(()) }
    guard explains else { return Outcome(value: nil, hasConsumed: false, problem: nil) }
    return Outcome(
      value: nil, hasConsumed: false,
      problem: GrammarProblem(position: position + 1, messages: [.unexpected(Self.literal(scalar))]))
  }
}
