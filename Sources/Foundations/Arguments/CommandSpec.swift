/// A command line to copy, and what it does.
package struct Example: Sendable {
  package let command: String
  package let explanation: String

  package init(_ command: String, _ explanation: String) {
    self.command = command
    self.explanation = explanation
  }
}

/// What an exit code means for one command.
package struct ExitNote: Sendable {
  package let code: ExitCode
  package let meaning: String

  package init(_ code: ExitCode, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}

/// One command: a row of the table from which parsing, help, completions and the man page are made.
///
/// `Context` is what the program hands every command beside its arguments, such as the console.
package struct CommandSpec<Context>: Sendable {
  package typealias Run = @Sendable (ParsedArguments, Context) throws -> ExitCode

  package let name: String
  /// One sentence, verb first, with a full stop.
  package let abstract: String
  /// Paragraphs separated by an empty line; a paragraph that starts with a blank is kept as it is.
  package let discussion: String
  package let options: [OptionSpec]
  package let arguments: [ArgumentSpec]
  package let examples: [Example]
  package let exitNotes: [ExitNote]
  package let subcommands: [CommandSpec]
  /// The subcommand that runs where none is named: `migrate` means `migrate up`.
  package let defaultSubcommand: String?
  package let isHidden: Bool
  package let run: Run?

  /// - Parameter options: For the outermost command, the options every command takes.
  /// - Precondition: Names are unique, optional arguments come last, and `defaultSubcommand` exists.
  package init(
    _ name: String, abstract: String, discussion: String = "", options: [any OptionKey] = [],
    arguments: [any ArgumentKey] = [], examples: [Example] = [], exitNotes: [ExitNote] = [],
    subcommands: [CommandSpec] = [], defaultSubcommand: String? = nil, hidden: Bool = false, run: Run? = nil
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.options = options.map(\.spec)
    self.arguments = arguments.map(\.spec)
    self.examples = examples
    self.exitNotes = exitNotes
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
    self.isHidden = hidden
    self.run = run
    checkTable()
  }

  package func subcommand(_ name: String) -> CommandSpec? { subcommands.first { $0.name == name } }

  /// Every variable that some option of this command or one below it reads.
  package var environmentVariables: [String] {
    options.compactMap(\.environment) + subcommands.flatMap(\.environmentVariables)
  }

  var fallback: CommandSpec? { defaultSubcommand.flatMap(subcommand) }

  var visibleSubcommands: [CommandSpec] { subcommands.filter { !$0.isHidden } }

  /// A mistake in the table is the programmer's, and stops at the first start.
  private func checkTable() {
    let optionNames = options.map(\.name) + options.compactMap { $0.short.map(String.init) }
    precondition(Set(optionNames).count == optionNames.count, "\(name): two options have one name")
    precondition(Set(subcommands.map(\.name)).count == subcommands.count, "\(name): two commands, one name")
    precondition(
      defaultSubcommand == nil || fallback != nil, "\(name): no command \(defaultSubcommand ?? "")")
    let firstOptional = arguments.firstIndex { !$0.isRequired } ?? arguments.count
    precondition(
      arguments[firstOptional...].allSatisfy { !$0.isRequired }, "\(name): a required argument comes too late"
    )
    precondition(arguments.dropLast().allSatisfy { !$0.isRepeatable }, "\(name): only the last may repeat")
  }
}

/// A command together with those it is part of, the program itself first.
package struct CommandPath<Context>: Sendable {
  package private(set) var commands: [CommandSpec<Context>]

  init(_ root: CommandSpec<Context>) { commands = [root] }

  package var command: CommandSpec<Context> { commands[commands.count - 1] }
  package var root: CommandSpec<Context> { commands[0] }
  /// As typed: `nomdev migrate status`.
  package var name: String { commands.map(\.name).joined(separator: " ") }

  /// Its own options and, where it stands for one, its default subcommand's.
  var ownOptions: [OptionSpec] {
    commands.count == 1 ? [] : command.options + (command.fallback?.options ?? [])
  }
  var globalOptions: [OptionSpec] { root.options + BuiltInOption.all(forRoot: commands.count == 1) }
  var allOptions: [OptionSpec] { ownOptions + globalOptions }
  var arguments: [ArgumentSpec] { command.arguments + (command.fallback?.arguments ?? []) }

  func appending(_ command: CommandSpec<Context>) -> CommandPath {
    var path = self
    path.commands.append(command)
    return path
  }

  /// Every visible command at or below this one, parents first.
  var visibleTree: [CommandPath] {
    [self] + command.visibleSubcommands.flatMap { appending($0).visibleTree }
  }
}

/// The options no table has to list.
enum BuiltInOption {
  static let help = Flag("help", short: "h", help: "Show help, then stop.").spec
  static let version = Flag("version", help: "Show the version, then stop.").spec

  static func all(forRoot isRoot: Bool) -> [OptionSpec] { isRoot ? [version, help] : [help] }
}
