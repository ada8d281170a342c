/// The table row of a positional argument.
package struct ArgumentSpec: Sendable {
  package let name: String
  package let help: String
  package let choices: [String]
  package let completion: Completion
  package let expectation: String
  package let isRequired: Bool
  /// Takes all that is left. Only the last argument of a command may.
  package let isRepeatable: Bool
  let read: @Sendable (String) -> (any Sendable)?

  /// `<name>`, `[<name>]`, `<name>...`
  var usage: String {
    let name = "<\(name)>\(isRepeatable ? "..." : "")"
    return isRequired ? name : "[\(name)]"
  }

  fileprivate init<Value: ArgumentValue>(
    _ type: Value.Type, _ name: String, _ completion: Completion?, help: String, isRequired: Bool,
    isRepeatable: Bool = false
  ) {
    self.name = name
    self.help = help
    self.choices = Value.choices
    self.completion = completion ?? (Value.choices.isEmpty ? .nothing : .words(Value.choices))
    self.expectation = Value.expectation
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
    self.read = { Value(argument: $0) }
  }
}

/// A key for looking up a positional argument.
package protocol ArgumentKey<Output>: Sendable {
  associatedtype Output
  var spec: ArgumentSpec { get }
  func output(_ values: [any Sendable]) -> Output
}

/// An argument that must be given: `new <name>`.
package struct Argument<Value: ArgumentValue>: ArgumentKey {
  package let spec: ArgumentSpec

  package init(_ name: String, completing: Completion? = nil, help: String) {
    spec = ArgumentSpec(Value.self, name, completing, help: help, isRequired: true)
  }

  /// - Precondition: The arguments were parsed by a command that lists this argument.
  package func output(_ values: [any Sendable]) -> Value {
    guard let value = values.last as? Value else { preconditionFailure("<\(spec.name)> was not parsed") }
    return value
  }
}

/// An argument that may be left out.
package struct OptionalArgument<Value: ArgumentValue>: ArgumentKey {
  package let spec: ArgumentSpec

  package init(_ name: String, completing: Completion? = nil, help: String) {
    spec = ArgumentSpec(Value.self, name, completing, help: help, isRequired: false)
  }

  package func output(_ values: [any Sendable]) -> Value? { values.last as? Value }
}

/// All arguments that are left.
package struct RepeatedArgument<Value: ArgumentValue>: ArgumentKey {
  package let spec: ArgumentSpec

  /// - Parameter required: Whether there must be at least one.
  package init(_ name: String, required: Bool = false, completing: Completion? = nil, help: String) {
    spec = ArgumentSpec(
      Value.self, name, completing, help: help, isRequired: required, isRepeatable: true)
  }

  package func output(_ values: [any Sendable]) -> [Value] { values.compactMap { $0 as? Value } }
}
