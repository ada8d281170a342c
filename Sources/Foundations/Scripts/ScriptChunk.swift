import Diagnostics

/// A part of a file that is sent to the server as one message: everything up to the next `COPY … FROM STDIN`
/// and its data, or to the end. Files without COPY data are one chunk.
package struct ScriptChunk: Sendable {
  /// What is sent. Parts that are left out are blanks of the same length, so that offsets stay the file's.
  package let text: String
  /// Where `text` begins in the file, in bytes.
  package let offset: Int
  /// What is fed to the COPY that ends the chunk.
  package let copyData: [UInt8]
  /// Whether other text than the file's is sent, in which the server's positions mean nothing here.
  let isSubstitute: Bool
  /// Where the chunk's statements begin and end in the file, in bytes, in the order the server ends them.
  package let statements: [Range<Int>]

  package init(text: String, offset: Int, copyData: [UInt8] = [], statements: [Range<Int>]) {
    self.text = text
    self.offset = offset
    self.copyData = copyData
    self.statements = statements
    isSubstitute = false
  }

  /// Other text in place of one statement.
  init(_ text: String, inPlaceOf statement: Range<Int>) {
    self.text = text
    offset = statement.lowerBound
    copyData = []
    isSubstitute = true
    statements = [statement]
  }

  /// The byte in the file at a position the server named: characters from 1, counted in what was sent.
  func fileOffset(ofPosition position: Int) -> Int {
    let scalars = text.unicodeScalars
    let index = scalars.index(scalars.startIndex, offsetBy: position - 1, limitedBy: scalars.endIndex)
    return offset + text.utf8.distance(from: text.startIndex, to: index ?? scalars.endIndex)
  }
}
