/// What the user asked for, looked up by the keys the command's table lists.
///
///     if arguments[dryRun] { … }          // Bool
///     let version = arguments[to]         // String?
package struct ParsedArguments: Sendable {
  /// As typed: `nomdev migrate status`.
  package let commandName: String
  var options: [String: [any Sendable]] = [:]
  var arguments: [String: [any Sendable]] = [:]
  let declared: Set<String>

  init(commandName: String, options: [OptionSpec], arguments: [ArgumentSpec]) {
    self.commandName = commandName
    declared = Set(options.map { "--\($0.name)" } + arguments.map { "<\($0.name)>" })
  }

  /// - Precondition: The command lists the option in its table.
  package subscript<Key: OptionKey>(key: Key) -> Key.Output {
    precondition(declared.contains("--\(key.spec.name)"), "\(commandName) has no --\(key.spec.name)")
    return key.output(options[key.spec.name] ?? [])
  }

  /// - Precondition: The command lists the argument in its table.
  package subscript<Key: ArgumentKey>(key: Key) -> Key.Output {
    precondition(declared.contains("<\(key.spec.name)>"), "\(commandName) has no <\(key.spec.name)>")
    return key.output(arguments[key.spec.name] ?? [])
  }

  /// Whether the user gave the option, by command line or variable.
  package func has(_ key: any OptionKey) -> Bool { options[key.spec.name] != nil }

  /// Whether the command takes the option at all.
  package func lists(_ key: any OptionKey) -> Bool { declared.contains("--\(key.spec.name)") }
}
