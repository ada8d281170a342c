/// Colour or none, decided once per stream and passed down. Words carry the meaning; colour repeats it.
package struct Style: Sendable {
  private let coloured: Bool

  package static let plain = Style(coloured: false)
  package static let colour = Style(coloured: true)

  /// Colour only on a terminal that wants it: not where `NO_COLOR` is set to anything, nor `TERM=dumb`.
  /// `choice` is the user's own `--color always|never` and wins.
  package static func chosen(
    isTerminal: Bool, environment: [String: String], choice: Bool? = nil
  ) -> Style {
    if let choice { return choice ? .colour : .plain }
    let refused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return isTerminal && !refused ? .colour : .plain
  }

  package func bold(_ text: String) -> String { wrapped(text, "1") }
  package func dim(_ text: String) -> String { wrapped(text, "2") }
  package func red(_ text: String) -> String { wrapped(text, "31") }
  package func green(_ text: String) -> String { wrapped(text, "32") }
  package func yellow(_ text: String) -> String { wrapped(text, "33") }

  func severity(_ severity: Severity, _ text: String) -> String {
    switch severity {
    case .error: red(text)
    case .warning: yellow(text)
    case .note: dim(text)
    }
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    coloured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
