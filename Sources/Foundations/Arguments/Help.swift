import Diagnostics

extension OptionSpec {
  /// `-y, --yes`, `    --to <version>`
  var term: String {
    let long = isNegatable ? "--[no-]\(name)" : "--\(name)"
    let value = valueName.map { " <\($0)>" } ?? ""
    return (short.map { "-\($0), " } ?? "    ") + long + value
  }

  /// Help, and what the table knows beyond it.
  var fullHelp: String {
    var parts = [help]
    if !choices.isEmpty { parts.append("One of \(choices.joined(separator: ", ")).") }
    if isRepeatable, takesValue { parts.append("May be repeated.") }
    if let defaultText { parts.append("(default: \(defaultText))") }
    if let environment { parts.append("[\(environment)]") }
    return parts.joined(separator: " ")
  }

  /// The option's line of the help text, for errors.
  var helpLine: String { "\(term.drop { $0 == " " })  \(fullHelp)" }

  /// How it stands in a synopsis.
  var usage: String { "--\(name)\(valueName.map { " <\($0)>" } ?? "")" }
}

extension ArgumentSpec {
  var term: String { "<\(name)>\(isRepeatable ? "..." : "")" }
  var fullHelp: String { choices.isEmpty ? help : "\(help) One of \(choices.joined(separator: ", "))." }
  var helpLine: String { "\(term)  \(fullHelp)" }
}

extension CommandPath {
  /// `Usage: nomdev migrate new <name> [options]`
  package var synopsis: [String] {
    var lines: [String] = []
    if command.run != nil || command.fallback != nil || command.subcommands.isEmpty {
      let required = ownOptions.filter(\.isRequired).map(\.usage)
      lines.append(([name] + required + arguments.map(\.usage) + ["[options]"]).joined(separator: " "))
    }
    if !command.subcommands.isEmpty { lines.append("\(name) <command> [options]") }
    return lines.enumerated().map { ($0.offset == 0 ? "Usage: " : "       ") + $0.element }
  }

  /// The help text, with a final line end.
  ///
  /// - Parameter width: Columns to fill; the caller knows the terminal.
  package func help(width: Int = 80, style: Style = .plain) -> String {
    let column = Layout.column(for: allOptions.rows.map(\.term))
    let sections = [
      Layout.wrapped(command.abstract, width: width),
      synopsis,
      Layout.paragraphs(command.discussion, width: width).joined(separator: "\n\n").lines,
      section("Commands", commandRows, width, style),
      section("Arguments", arguments.map { ($0.term, $0.fullHelp) }, width, style),
      section("Options", ownOptions.rows, width, style, column: column),
      section(
        commands.count == 1 ? "Options" : "Global options", globalOptions.rows, width, style, column: column),
      examples(width, style),
      section("Exit codes", exitNotes.map { (String($0.code.rawValue), $0.meaning) }, width, style),
      commands.count == 1 ? ["See '\(name) help <command>' for more about one command."] : [],
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var commandRows: [(term: String, text: String)] {
    command.visibleSubcommands.map { subcommand in
      let isDefault = subcommand.name == command.defaultSubcommand
      return (subcommand.name, subcommand.abstract + (isDefault ? " (default)" : ""))
    }
  }

  private func section(
    _ title: String, _ rows: [(term: String, text: String)], _ width: Int, _ style: Style, column: Int? = nil
  ) -> [String] {
    if rows.isEmpty { return [] }
    let column = column ?? Layout.column(for: rows.map(\.term))
    return [style.bold("\(title):")] + Layout.table(rows, column: column, width: width)
  }

  private func examples(_ width: Int, _ style: Style) -> [String] {
    if command.examples.isEmpty { return [] }
    return [style.bold("Examples:")]
      + command.examples.flatMap { example in
        ["  \(example.command)"] + Layout.wrapped(example.explanation, width: width - 6).map { "      \($0)" }
      }
  }

  /// The command's own notes; those it doesn't mention keep their general meaning.
  var exitNotes: [ExitNote] {
    let own = command.exitNotes.isEmpty ? command.fallback?.exitNotes ?? [] : command.exitNotes
    let general = commands.count == 1 || !own.isEmpty ? ExitNote.general : []
    let codes =
      own.isEmpty
      ? general
      : own
        + general.filter { note in
          note.code != .findings && !own.contains { $0.code == note.code }
        }
    return codes.sorted { $0.code.rawValue < $1.code.rawValue }
  }
}

extension ExitNote {
  static let general = [
    ExitNote(.success, "Done, or nothing to do."), ExitNote(.findings, "A check found something."),
    ExitNote(.failure, "Could not finish."), ExitNote(.usage, "The command line makes no sense."),
  ]
}

extension [OptionSpec] {
  var rows: [(term: String, text: String)] {
    filter { !$0.isHidden }.map { ($0.term, $0.fullHelp) }
  }
}

extension String {
  fileprivate var lines: [String] { isEmpty ? [] : [self] }
}
