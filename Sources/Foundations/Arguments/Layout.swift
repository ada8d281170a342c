/// Text set to a width, for help texts.
enum Layout {
  /// Words filled into lines of at most `width` characters. A longer word has a line of its own.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Paragraphs filled, and those that start with a blank kept as they are.
  static func paragraphs(_ text: String, width: Int) -> [String] {
    text.split(separator: "\n\n").map { paragraph in
      paragraph.first == " "
        ? String(paragraph) : wrapped(String(paragraph), width: width).joined(separator: "\n")
    }
  }

  /// Terms on the left, explanations aligned on the right. A term that is too long has its own line.
  static func table(_ rows: [(term: String, text: String)], column: Int, width: Int) -> [String] {
    rows.flatMap { row -> [String] in
      let indent = String(repeating: " ", count: column)
      var lines = wrapped(row.text, width: max(20, width - column)).map { indent + $0 }
      let term = "  " + row.term
      guard let first = lines.first, term.count + 2 <= column else { return [term] + lines }
      lines[0] = term + first.dropFirst(term.count)
      return lines
    }
  }

  /// The column that fits most terms.
  static func column(for terms: [String]) -> Int {
    (terms.map(\.count).filter { $0 <= 30 }.max() ?? 20) + 4
  }
}
