import Arguments
import Diagnostics

extension CommandTable {
  private static let names = RepeatedArgument<String>("command", help: "The command and its subcommand.")

  /// Listed for help and completions. The parser answers `help` itself, since any command may follow.
  static let help: Command = Command(
    "help", abstract: "Show how a command is used.", arguments: [names],
    examples: [Example("nomdev help completions", "The same as 'nomdev completions --help'.")])

  static let version: Command = Command("version", abstract: "Print the version.") { _, console in
    try console.print("nomdev \(ToolVersion.current)")
    return .success
  }
}
