import Diagnostics

/// Where each line of a text begins, so that a place is found without reading the text again.
package struct LineIndex: Sendable {
  private let starts: [Int]

  package init(_ source: SourceBytes) {
    var starts = [0]
    for (offset, byte) in source.bytes.enumerated() where byte == 0x0A { starts.append(offset + 1) }
    self.starts = starts
  }

  /// The line of a byte offset, counted from 1.
  package func line(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The byte offset where a line begins; the last line's where there are fewer.
  package func start(ofLine line: Int) -> Int { starts[min(max(line, 1), starts.count) - 1] }
}

extension SourceBytes {
  /// How many characters (Unicode scalars) begin in a range of bytes.
  func scalars(in range: Range<Int>) -> Int {
    var count = 0
    for byte in bytes[range] where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// The byte offset of a character offset, as PostgreSQL counts error positions; the end where it is past it.
  func offset(ofScalar scalar: Int) -> Int {
    var left = scalar
    for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
      if left == 0 { return offset }
      left -= 1
    }
    return bytes.count
  }
}
