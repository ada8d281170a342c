/// A text a user wrote, with the path they know it by.
///
/// Everything that reports a place (a migration the server refused, a key misspelt in a project file)
/// keeps the file it came from, so that the renderer can show the line.
package struct SourceFile: Sendable, Hashable {
  /// The path as the user would type it: relative to the project where possible.
  package let path: String
  package let text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  /// The file's name without its folders.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The place of a byte offset in the UTF-8 text. An offset past the end is the end.
  package func location(byte offset: Int, length: Int = 1) -> SourceLocation {
    let bytes = text.utf8
    let end =
      bytes.index(bytes.startIndex, offsetBy: max(0, offset), limitedBy: bytes.endIndex) ?? bytes.endIndex
    return location(upTo: end, width: width(from: end, bytes: length))
  }

  /// The place of a character offset, counted in Unicode scalars as PostgreSQL's error positions are.
  package func location(scalar offset: Int, length: Int = 1) -> SourceLocation {
    let scalars = text.unicodeScalars
    let end =
      scalars.index(scalars.startIndex, offsetBy: max(0, offset), limitedBy: scalars.endIndex)
      ?? scalars.endIndex
    return location(upTo: end, width: length)
  }

  /// The text of a line, counted from 1, without its line end; nil past the last line.
  package func line(_ number: Int) -> String? {
    guard number >= 1 else { return nil }
    var current = 1
    var line: [UInt8] = []
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\n") {
        if current == number { break }
        current += 1
      } else if current == number {
        line.append(byte)
      }
    }
    guard current == number else { return nil }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  private func location(upTo end: String.Index, width: Int) -> SourceLocation {
    var line = 1
    var column = 1
    for scalar in text.unicodeScalars[..<end] {
      if scalar == "\n" {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    return SourceLocation(file: self, line: line, column: column, width: max(1, width))
  }

  private func width(from start: String.Index, bytes: Int) -> Int {
    let end = text.utf8.index(start, offsetBy: bytes, limitedBy: text.endIndex) ?? text.endIndex
    return text.unicodeScalars[start..<end].prefix { $0 != "\n" && $0 != "\r" }.count
  }
}

/// A place in a ``SourceFile``: line, column and width, all counted from 1 in Unicode scalars.
package struct SourceLocation: Sendable, Hashable {
  package let file: SourceFile
  package let line: Int
  package let column: Int
  /// How many characters the caret covers. Never less than 1; the renderer clips it to the line.
  package let width: Int

  package init(file: SourceFile, line: Int, column: Int, width: Int = 1) {
    self.file = file
    self.line = line
    self.column = column
    self.width = width
  }
}
