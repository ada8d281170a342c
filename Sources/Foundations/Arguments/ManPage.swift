extension CommandSpec {
  /// The manual page of the program and all its commands, section 1, as roff with a final line end.
  ///
  /// - Parameters:
  ///   - date: When this version was made, as 2026-11-30.
  ///   - source: What stands at the foot beside it: name and version.
  package func manPage(date: String, source: String) -> String {
    let top = CommandPath(self)
    var page = Roff()
    page.title(name.uppercased(), date: date, source: source)
    page.request("SH", "NAME")
    page.line("\(name) - \(abstract.prefix(1).lowercased())\(abstract.dropFirst().drop(suffix: "."))")
    page.request("SH", "SYNOPSIS")
    page.unfilled(top.synopsisLines)
    page.request("SH", "DESCRIPTION")
    page.paragraphs(discussion.isEmpty ? abstract : discussion)
    page.request("SH", "GLOBAL OPTIONS")
    page.list(top.globalOptions.rows)
    page.request("SH", "COMMANDS")
    for path in top.visibleTree.dropFirst() { page.command(path) }
    page.environment(top.visibleTree.flatMap(\.allOptions))
    page.request("SH", "EXIT STATUS")
    page.list(ExitNote.general.map { (String($0.code.rawValue), $0.meaning) })
    if !examples.isEmpty { page.request("SH", "EXAMPLES") }
    page.list(examples.map { ($0.command, $0.explanation) })
    return page.text
  }
}

extension CommandPath {
  fileprivate var synopsisLines: [String] { synopsis.map { String($0.dropFirst("Usage: ".count)) } }
}

/// Roff being written. Text is escaped; requests are not.
private struct Roff {
  private(set) var text = ""

  mutating func request(_ name: String, _ arguments: String...) {
    text += ".\(([name] + arguments.map { "\"\(Self.escaped($0))\"" }).joined(separator: " "))\n"
  }

  /// The date stays unescaped: formatters read it.
  mutating func title(_ name: String, date: String, source: String) {
    text += ".TH \"\(name)\" 1 \"\(date)\" \"\(Self.escaped(source))\" \"User Commands\"\n"
  }

  /// A line of text. One that starts with a dot or quote would be taken for a request.
  mutating func line(_ line: String) {
    let guarded = line.first == "." || line.first == "'" ? "\\&" : ""
    text += "\(guarded)\(Self.escaped(line))\n"
  }

  mutating func unfilled(_ lines: [String]) {
    request("nf")
    for line in lines { self.line(line) }
    request("fi")
  }

  mutating func paragraphs(_ discussion: String) {
    for (index, paragraph) in discussion.split(separator: "\n\n").enumerated() {
      if index > 0 { request("PP") }
      let lines = paragraph.split(separator: "\n").map(String.init)
      if paragraph.first == " " { unfilled(lines) } else { lines.forEach { line($0) } }
    }
  }

  mutating func list(_ rows: [(term: String, text: String)]) {
    for row in rows {
      request("TP")
      text += "\\fB\(Self.escaped(row.term.drop { $0 == " " }))\\fR\n"
      line(row.text)
    }
  }

  mutating func command<Context>(_ path: CommandPath<Context>) {
    request("SS", path.name)
    line(path.command.abstract)
    request("PP")
    unfilled(path.synopsisLines)
    if !path.command.discussion.isEmpty {
      request("PP")
      paragraphs(path.command.discussion)
    }
    list(path.arguments.map { ($0.term, $0.fullHelp) })
    list(path.ownOptions.rows)
    list(path.command.examples.map { ($0.command, $0.explanation) })
    if !path.command.exitNotes.isEmpty {
      list(path.command.exitNotes.map { ("exit status \($0.code.rawValue)", $0.meaning) })
    }
  }

  mutating func environment(_ options: [OptionSpec]) {
    var seen: Set<String> = []
    let named = options.filter { option in
      guard let variable = option.environment, !option.isHidden else { return false }
      return seen.insert(variable).inserted
    }
    if named.isEmpty { return }
    request("SH", "ENVIRONMENT")
    list(
      named.map { ($0.environment ?? "", "The value of --\($0.name) where that is not given. \($0.help)") })
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "~": "\\(ti"
      case "^": "\\(ha"
      default: String(character)
      }
    }.joined()
  }
}

extension Substring {
  fileprivate func drop(suffix: String) -> Substring { hasSuffix(suffix) ? dropLast(suffix.count) : self }
}
