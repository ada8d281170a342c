import Diagnostics

/// What a document may cost. Far above any real file, far below what would exhaust the machine.
package enum DocumentLimits {
  /// The longest text, in bytes.
  package static let bytes = 4 << 20
  /// How deep lists and tables may be nested.
  package static let depth = 100
  /// How many values a document may have, every use of an alias counted in full.
  package static let nodes = 200_000

  static func checkSize(of file: SourceFile) throws {
    guard file.text.utf8.count > bytes else { return }
    throw Diagnostic(
      "document.limit", "the document is too large",
      detail: "it has \(file.text.utf8.count) bytes, at most \(bytes) are read",
      at: SourceLocation(file: file, line: 1, column: 1))
  }
}
