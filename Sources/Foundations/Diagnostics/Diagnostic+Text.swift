extension Diagnostic {
  /// The diagnostic as text, without a final line end. A pure function, so it is golden-tested.
  ///
  ///     error[migrate.sql]: type "citex" does not exist (42704)
  ///       --> migrations/0007_accounts.sql:3:9
  ///      3 |   email citex not null
  ///        |         ^^^^^
  ///     hint: …
  package func rendered(style: Style = .plain) -> String {
    let state = sqlState.map { " (\($0))" } ?? ""
    var lines = [
      "\(style.severity(severity, "\(severity.rawValue)[\(code)]")): \(style.bold(message + state))"
    ]
    if let location { lines += location.excerpt(style: style) }
    if let detail { lines.append(Self.labelled("detail", detail)) }
    if let hint { lines.append(Self.labelled("hint", hint)) }
    return lines.joined(separator: "\n")
  }

  /// Continuation lines are indented under the first, so that a multi-line detail stays one block.
  private static func labelled(_ label: String, _ text: String) -> String {
    let indent = String(repeating: " ", count: label.count + 2)
    return "\(label): "
      + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n\(indent)")
  }
}

extension SourceLocation {
  /// The arrow line, and the source line with a caret under the place where that line exists.
  fileprivate func excerpt(style: Style) -> [String] {
    let gutter = String(line)
    let blank = String(repeating: " ", count: gutter.count)
    var lines = [" \(blank)--> \(file.path):\(line):\(column)"]
    guard let text = file.line(line) else { return lines }
    let (shown, shift) = Self.window(text, around: column)
    let before = shown.unicodeScalars.prefix(max(0, column - 1 - shift))
    let pad = String(String.UnicodeScalarView(before.map { $0 == "\t" ? "\t" : " " }))
    let room = max(1, shown.unicodeScalars.count - before.count)
    let caret = String(repeating: "^", count: min(width, room))
    lines.append(" \(gutter) | \(shown)")
    lines.append(" \(blank) | \(pad)\(style.red(caret))")
    return lines
  }

  /// At most 160 characters of a line, so that a minified statement does not flood the terminal.
  private static func window(_ text: String, around column: Int) -> (shown: String, shift: Int) {
    let scalars = Array(text.unicodeScalars)
    let limit = 160
    guard scalars.count > limit else { return (text, 0) }
    let start = max(0, min(column - 1 - limit / 2, scalars.count - limit))
    return (String(String.UnicodeScalarView(scalars[start..<start + limit])), start)
  }
}
