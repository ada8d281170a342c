/// Where the columns of a view come from, read from the query the server stores for it.
///
/// The stored form is a tree written as text: `{KIND :field value ...}` for nodes and `(...)` for lists. Of
/// all of it three numbers matter, in each entry of the outermost query's target list: which column it is,
/// and of which relation's which column it is a plain copy.
struct ViewOrigins {
  struct Origin: Hashable {
    let column: Int
    let relation: Int
    let originColumn: Int
  }

  static func origins(in tree: UnsafeRawBufferPointer) -> [Origin] {
    var reader = TreeReader(bytes: tree)
    return reader.origins()
  }
}

private struct TreeReader {
  let bytes: UnsafeRawBufferPointer
  var position = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func origins() -> [ViewOrigins.Origin] {
    // The outermost query is at depth 1 of nodes: `({QUERY ...})`.
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: "}"):
        depth -= 1
        position += 1
      case UInt8(ascii: "\\"): position += 2
      case UInt8(ascii: ":") where depth == 1:
        if matches(":targetList ") {
          position += 12
          return entries()
        }
        position += 1
      default: position += 1
      }
    }
    return []
  }

  /// The entries of the target list that starts here.
  private mutating func entries() -> [ViewOrigins.Origin] {
    var origins: [ViewOrigins.Origin] = []
    var depth = 0
    var column = 0
    var relation = 0
    var originColumn = 0
    guard position < bytes.count, bytes[position] == UInt8(ascii: "(") else { return [] }
    position += 1
    var lists = 1
    while position < bytes.count, lists > 0 {
      switch bytes[position] {
      case UInt8(ascii: "("):
        lists += 1
        position += 1
      case UInt8(ascii: ")"):
        lists -= 1
        position += 1
      case UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: "}"):
        depth -= 1
        position += 1
        if depth == 0, relation > 0, originColumn > 0 {
          origins.append(.init(column: column, relation: relation, originColumn: originColumn))
        }
        if depth == 0 { (column, relation, originColumn) = (0, 0, 0) }
      case UInt8(ascii: "\\"): position += 2
      case UInt8(ascii: ":") where depth == 1:
        if matches(":resno ") {
          column = number(after: 7)
        } else if matches(":resorigtbl ") {
          relation = number(after: 12)
        } else if matches(":resorigcol ") {
          originColumn = number(after: 12)
        } else {
          position += 1
        }
      default: position += 1
      }
    }
    return origins
  }

  private func matches(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    return text.withUTF8Buffer { buffer in
      for index in buffer.indices where bytes[position + index] != buffer[index] { return false }
      return true
    }
  }

  private mutating func number(after offset: Int) -> Int {
    position += offset
    var value = 0
    while position < bytes.count, (48...57).contains(bytes[position]) {
      value = value &* 10 &+ Int(bytes[position] - 48)
      position += 1
    }
    return value
  }
}
