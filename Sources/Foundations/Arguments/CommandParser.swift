/// What a command line asks for.
package enum Request<Context>: Sendable {
  case run(CommandPath<Context>, ParsedArguments)
  case help(CommandPath<Context>)
  case version
}

/// Reads a command line against the table.
///
/// Options may stand before, between and after the names of commands. `--` ends options.
package struct CommandParser<Context> {
  private let root: CommandSpec<Context>
  private let environment: [String: String]

  /// - Parameter environment: Where options that name a variable find it. An empty variable counts as unset.
  package init(_ root: CommandSpec<Context>, environment: [String: String] = [:]) {
    self.root = root
    self.environment = environment
  }

  /// - Parameter words: Without the program's own name.
  /// - Throws: ``UsageError`` about the first thing that is wrong.
  package func parse(_ words: [String]) throws -> Request<Context> {
    let given = try CommandWords(root, words: words)
    if given.asksForHelp || words.isEmpty { return .help(given.path) }
    if given.asksForVersion { return .version }

    var path = given.path
    if path.command.run == nil, let fallback = path.command.fallback { path = path.appending(fallback) }
    var parsed = ParsedArguments(
      commandName: path.name, options: path.allOptions, arguments: path.command.arguments)
    for option in given.options { try read(option, in: path, into: &parsed) }
    if path.command.run == nil { throw UsageError.missingCommand(in: path) }
    try readEnvironment(of: path, into: &parsed)
    for spec in path.allOptions where spec.isRequired && parsed.options[spec.name] == nil {
      throw UsageError.missingOption(spec, in: path)
    }
    try read(given.arguments, in: path, into: &parsed)
    return .run(path, parsed)
  }

  private func read(
    _ given: CommandWords<Context>.GivenOption, in path: CommandPath<Context>,
    into parsed: inout ParsedArguments
  ) throws {
    guard let spec = path.option(typed: given.typed) else {
      throw UsageError.unknownOption(given.typed, in: path)
    }
    guard spec.takesValue else {
      if given.hasInlineValue { throw UsageError.unexpectedValue(spec, given.typed, in: path) }
      let isNegated = spec.isNegatable && given.typed == "--no-\(spec.name)"
      parsed.options[spec.name, default: []].append(!isNegated)
      return
    }
    guard let text = given.value else { throw UsageError.missingValue(spec, given.typed, in: path) }
    guard let value = spec.read(text) else {
      throw UsageError.invalidValue(text, of: spec, given.typed, in: path)
    }
    if !spec.isRepeatable, parsed.options[spec.name] != nil {
      throw UsageError.repeatedOption(spec, given.typed, in: path)
    }
    parsed.options[spec.name, default: []].append(value)
  }

  private func readEnvironment(of path: CommandPath<Context>, into parsed: inout ParsedArguments) throws {
    for spec in path.allOptions where parsed.options[spec.name] == nil {
      guard let variable = spec.environment, let text = environment[variable], !text.isEmpty else { continue }
      guard let value = spec.read(text) else {
        throw UsageError.invalidVariable(variable, text, of: spec, in: path)
      }
      parsed.options[spec.name] = [value]
    }
  }

  private func read(
    _ words: [String], in path: CommandPath<Context>, into parsed: inout ParsedArguments
  ) throws {
    var rest = words[...]
    for spec in path.command.arguments {
      repeat {
        guard let word = rest.popFirst() else { break }
        guard let value = spec.read(word) else { throw UsageError.invalidArgument(word, of: spec, in: path) }
        parsed.arguments[spec.name, default: []].append(value)
      } while spec.isRepeatable
      if spec.isRequired, parsed.arguments[spec.name] == nil {
        throw UsageError.missingArgument(spec, in: path)
      }
    }
    if let word = rest.first { throw UsageError.unexpectedArgument(word, in: path) }
  }
}
