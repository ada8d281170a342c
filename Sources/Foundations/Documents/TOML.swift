import CTOML
import Diagnostics
import JSONValues

extension Node {
  /// Reads a TOML 1.0 document, at most ``DocumentLimits/bytes`` long. Dates and times become texts.
  ///
  /// - Throws: ``Diagnostic`` `toml.syntax` with its place, or `document.limit`.
  package init(toml file: SourceFile) throws {
    try DocumentLimits.checkSize(of: file)
    var text: UnsafeMutablePointer<CChar>?
    var line: UInt32 = 0
    var column: UInt32 = 0
    var source = file.text
    let isRead = source.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        ctoml_to_json($0.baseAddress, UInt($0.count), &text, &line, &column) == 1
      }
    }
    defer { ctoml_free(text) }
    let answer = text.map { String(cString: $0) } ?? "out of memory"
    guard isRead else {
      let place = SourceLocation(file: file, line: Int(line), column: Int(column))
      throw Diagnostic("toml.syntax", Self.sentence(answer), at: place)
    }
    self = try TOMLTree(file: file).node(JSON(parsing: answer))
  }

  /// The reader's message as one lower-case sentence; it ends some of them with a full stop.
  private static func sentence(_ text: String) -> String {
    var message = Substring(text)
    while message.last == "." || message.last == "\n" { message.removeLast() }
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}

/// Turns the C function's answer into nodes.
private struct TOMLTree {
  let file: SourceFile

  func node(_ json: JSON) -> Node {
    let text = json["value"]?.string ?? ""
    let value: Node.Value =
      switch json["type"]?.string {
      case "table": .table(members(json["value"]?.array ?? []))
      case "array": .array((json["value"]?.array ?? []).map(node))
      case "integer": .int(Int(text) ?? 0)
      case "float": .float(Double(text) ?? .nan)
      case "boolean": .bool(json["value"]?.bool ?? false)
      default: .string(text)
      }
    return Node(value, at: place(json, width: 1))
  }

  private func members(_ items: [JSON]) -> [Node.Member] {
    let members = items.map { item in
      let key = item["key"]?.string ?? ""
      return Node.Member(
        key, at: place(item, width: key.unicodeScalars.count), node(item["node"] ?? .null))
    }
    // The C++ library keeps tables sorted by name; users think in the order they wrote.
    return members.sorted { order($0.keyLocation) < order($1.keyLocation) }
  }

  private func order(_ place: SourceLocation) -> (Int, Int) { (place.line, place.column) }

  private func place(_ json: JSON, width: Int) -> SourceLocation {
    SourceLocation(
      file: file, line: max(1, json["line"]?.int ?? 1), column: max(1, json["column"]?.int ?? 1),
      width: width)
  }
}
