import Diagnostics

/// A command line that makes no sense: what is wrong with it, and how the command is used. Nothing was done.
package struct UsageError: Diagnosable, Sendable, Hashable {
  package let diagnostic: Diagnostic
  /// The synopsis of the command that was meant and where to read more, to be shown below the diagnostic.
  package let usage: String

  package var diagnostics: [Diagnostic] { [diagnostic] }

  /// For a rule a table can't express, such as two options that exclude each other.
  ///
  /// - Parameter code: Without the leading `usage.`.
  package init(_ code: String, _ message: String, hint: String? = nil, in arguments: ParsedArguments) {
    diagnostic = Diagnostic("usage.\(code)", message, hint: hint)
    usage = "See '\(arguments.commandName) --help'."
  }

  init<Context>(
    _ code: String, _ message: String, detail: String? = nil, hint: String? = nil,
    in path: CommandPath<Context>
  ) {
    diagnostic = Diagnostic("usage.\(code)", message, detail: detail, hint: hint)
    usage = path.synopsis.joined(separator: "\n") + "\nSee '\(path.name) --help'."
  }
}
