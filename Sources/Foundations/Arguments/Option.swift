/// What a shell should offer where a value is typed.
package enum Completion: Sendable, Hashable {
  case nothing, files, directories
  case words([String])
}

/// The table row of an option: what parsing, help, completions and the man page need to know of it.
package struct OptionSpec: Sendable {
  /// Without the dashes.
  package let name: String
  package let short: Character?
  /// The placeholder of the value, without brackets; nil for a flag.
  package let valueName: String?
  package let help: String
  /// The variable that gives the value where the command line doesn't.
  package let environment: String?
  package let defaultText: String?
  package let choices: [String]
  package let completion: Completion
  package let expectation: String
  package let isRequired: Bool
  package let isRepeatable: Bool
  /// Whether `--no-<name>` is accepted.
  package let isNegatable: Bool
  package let isHidden: Bool
  /// The value of a text; nil where the text is none.
  let read: @Sendable (String) -> (any Sendable)?

  var takesValue: Bool { valueName != nil }
}

/// A key for looking up what the user gave. Keys are constants, so a lookup can't be misspelt.
package protocol OptionKey<Output>: Sendable {
  associatedtype Output
  var spec: OptionSpec { get }
  /// The outcome of all occurrences, in order. None at all where the option was not given.
  func output(_ values: [any Sendable]) -> Output
}

/// An option without a value: `--dry-run`.
package struct Flag: OptionKey {
  package let spec: OptionSpec
  private let initial: Bool

  /// - Parameter negatable: Also accept `--no-<name>`, for a flag that is on by default or in a variable.
  package init(
    _ name: String, short: Character? = nil, default initial: Bool = false, negatable: Bool = false,
    environment: String? = nil, hidden: Bool = false, help: String
  ) {
    self.initial = initial
    spec = OptionSpec(
      name: name, short: short, valueName: nil, help: help, environment: environment,
      defaultText: initial ? "on" : nil, choices: [], completion: .nothing,
      expectation: "1, true, yes, on, 0, false, no or off", isRequired: false, isRepeatable: true,
      isNegatable: negatable, isHidden: hidden, read: Self.read)
  }

  package func output(_ values: [any Sendable]) -> Bool { values.last as? Bool ?? initial }

  /// Only a variable gives a flag a text.
  @Sendable private static func read(_ text: String) -> (any Sendable)? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
  }
}

/// An option the user may give: `--to <version>`, looked up as `String?`.
package struct Option<Value: ArgumentValue>: OptionKey {
  package let spec: OptionSpec

  package init(
    _ name: String, short: Character? = nil, value: String, completing: Completion? = nil,
    environment: String? = nil, hidden: Bool = false, help: String
  ) {
    spec = OptionSpec(
      Value.self, name, short, value, completing, environment, nil, hidden: hidden, help: help)
  }

  package func output(_ values: [any Sendable]) -> Value? { values.last as? Value }
}

/// An option with a default, looked up as its value.
package struct DefaultedOption<Value: ArgumentValue>: OptionKey {
  package let spec: OptionSpec
  private let initial: Value

  package init(
    _ name: String, short: Character? = nil, value: String, default initial: Value,
    completing: Completion? = nil, environment: String? = nil, hidden: Bool = false, help: String
  ) {
    self.initial = initial
    spec = OptionSpec(
      Value.self, name, short, value, completing, environment, initial.argumentText, hidden: hidden,
      help: help)
  }

  package func output(_ values: [any Sendable]) -> Value { values.last as? Value ?? initial }
}

/// An option without which the command makes no sense, looked up as its value.
package struct RequiredOption<Value: ArgumentValue>: OptionKey {
  package let spec: OptionSpec

  package init(
    _ name: String, short: Character? = nil, value: String, completing: Completion? = nil,
    environment: String? = nil, help: String
  ) {
    spec = OptionSpec(
      Value.self, name, short, value, completing, environment, nil, isRequired: true, help: help)
  }

  /// - Precondition: The arguments were parsed by a command that lists this option.
  package func output(_ values: [any Sendable]) -> Value {
    guard let value = values.last as? Value else { preconditionFailure("--\(spec.name) was not parsed") }
    return value
  }
}

/// An option that may be given many times, looked up as an array in the order given.
package struct RepeatedOption<Value: ArgumentValue>: OptionKey {
  package let spec: OptionSpec

  package init(
    _ name: String, short: Character? = nil, value: String, completing: Completion? = nil,
    hidden: Bool = false, help: String
  ) {
    spec = OptionSpec(
      Value.self, name, short, value, completing, nil, nil, isRepeatable: true, hidden: hidden, help: help)
  }

  package func output(_ values: [any Sendable]) -> [Value] { values.compactMap { $0 as? Value } }
}

extension OptionSpec {
  fileprivate init<Value: ArgumentValue>(
    _ type: Value.Type, _ name: String, _ short: Character?, _ valueName: String, _ completion: Completion?,
    _ environment: String?, _ defaultText: String?, isRequired: Bool = false, isRepeatable: Bool = false,
    hidden: Bool = false, help: String
  ) {
    self.init(
      name: name, short: short, valueName: valueName, help: help, environment: environment,
      defaultText: defaultText, choices: Value.choices,
      completion: completion ?? (Value.choices.isEmpty ? .nothing : .words(Value.choices)),
      expectation: Value.expectation, isRequired: isRequired, isRepeatable: isRepeatable, isNegatable: false,
      isHidden: hidden, read: { Value(argument: $0) })
  }
}
