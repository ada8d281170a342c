/// The words of a command line, sorted into command, options and arguments but not yet judged.
///
/// Sorting comes first because the options a command takes are known only once the last of its names has
/// been read: in `--format json migrate --dry-run status` that is the fifth word.
struct CommandWords<Context> {
  struct GivenOption {
    /// With its dashes, as the user wrote it.
    let typed: String
    /// The text after `=`, or the next word where the option takes a value.
    let value: String?
    let hasInlineValue: Bool
  }

  private(set) var path: CommandPath<Context>
  private(set) var options: [GivenOption] = []
  private(set) var arguments: [String] = []
  private(set) var asksForHelp = false
  private(set) var asksForVersion = false

  /// - Throws: ``UsageError`` for a word where a command is expected that is none.
  init(_ root: CommandSpec<Context>, words: [String]) throws {
    path = CommandPath(root)
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        arguments += rest
        break
      }
      if Self.looksLikeOption(word) {
        readOption(word, &rest)
      } else {
        try readName(word)
      }
    }
  }

  /// A lone dash stands for standard input, and a negative number is a value.
  static func looksLikeOption(_ word: String) -> Bool {
    word.count > 1 && word.hasPrefix("-") && !word.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
  }

  private mutating func readOption(_ word: String, _ rest: inout ArraySlice<String>) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let spec = path.option(typed: parts[0])
    if spec?.name == BuiltInOption.help.name { asksForHelp = true }
    if spec?.name == BuiltInOption.version.name, path.commands.count == 1 { asksForVersion = true }
    if parts.count == 2 {
      options.append(GivenOption(typed: parts[0], value: parts[1], hasInlineValue: true))
    } else if spec?.takesValue == true, let next = rest.first, !Self.looksLikeOption(next) {
      options.append(GivenOption(typed: word, value: rest.removeFirst(), hasInlineValue: false))
    } else {
      options.append(GivenOption(typed: word, value: nil, hasInlineValue: false))
    }
  }

  private mutating func readName(_ word: String) throws {
    if path.commands.count == 1, word == "help", !asksForHelp {
      asksForHelp = true
    } else if arguments.isEmpty, let command = path.command.subcommand(word) {
      path = path.appending(command)
    } else if path.command.subcommands.isEmpty || !path.arguments.isEmpty {
      arguments.append(word)
    } else if let unknown = options.first(where: { path.option(typed: $0.typed) == nil }) {
      // Most likely the word is that option's value.
      throw UsageError.unknownOption(unknown.typed, in: path)
    } else {
      throw UsageError.unknownCommand(word, in: path)
    }
  }
}

extension CommandPath {
  /// The option behind `--name`, `--no-name` or `-n`.
  func option(typed: String) -> OptionSpec? {
    if !typed.hasPrefix("--") { return allOptions.first { $0.short.map { "-\($0)" } == typed } }
    return allOptions.first { "--\($0.name)" == typed || ($0.isNegatable && "--no-\($0.name)" == typed) }
  }
}
