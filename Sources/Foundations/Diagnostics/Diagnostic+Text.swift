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
      "\(style.severity(severity, "\(severity.rawValue)[\(code)]")): \(style.bold(message.printable + state))"
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
      + text.printable.split(separator: "\n", omittingEmptySubsequences: false).joined(
        separator: "\n\(indent)")
  }
}

extension SourceLocation {
  /// The arrow line, and the source line with a caret under the place where that line exists.
  fileprivate func excerpt(style: Style) -> [String] {
    let gutter = String(line)
    let blank = String(repeating: " ", count: gutter.count)
    var lines = [" \(blank)--> \(file.path):\(line):\(column)"]
    guard let text = file.line(line) else { return lines }
    let shown = Window(of: text.printable, around: column)
    let before = shown.scalars[..<shown.offset]
    let covered = shown.scalars[shown.offset...].prefix(width)
    let caret = String(repeating: "^", count: max(1, covered.displayWidth))
    lines.append(" \(gutter) | \(String(String.UnicodeScalarView(shown.scalars)))")
    lines.append(" \(blank) | \(Self.pad(under: before))\(style.red(caret))")
    return lines
  }

  /// Blanks as wide as the text above on a terminal; its tabs are kept, because only the terminal knows how
  /// far they go.
  private static func pad(under text: ArraySlice<Unicode.Scalar>) -> String {
    text.split(separator: "\t", omittingEmptySubsequences: false)
      .map { String(repeating: " ", count: $0.displayWidth) }
      .joined(separator: "\t")
  }
}

/// At most 160 characters of a line, so that a minified statement does not flood the terminal.
private struct Window {
  let scalars: [Unicode.Scalar]
  /// Where the place stands in `scalars`, from 0; their count where it is the end of the line.
  let offset: Int

  init(of line: String, around column: Int) {
    let all = Array(line.unicodeScalars)
    let limit = 160
    let start = max(0, min(column - 1 - limit / 2, all.count - limit))
    let end = min(all.count, start + limit)
    let cut: [Unicode.Scalar] = ["…"]
    scalars = (start > 0 ? cut : []) + all[start..<end] + (end < all.count ? cut : [])
    offset = min(max(0, column - 1 - start + (start > 0 ? 1 : 0)), scalars.count)
  }
}

extension String {
  /// Control characters but tabs and line ends replaced, so that a file can't send the terminal commands.
  fileprivate var printable: String {
    guard unicodeScalars.contains(where: Self.isCommand) else { return self }
    let scalars = unicodeScalars.map { Self.isCommand($0) ? "\u{FFFD}" : $0 }
    return String(UnicodeScalarView(scalars))
  }

  private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\t" && scalar != "\n"
  }
}
