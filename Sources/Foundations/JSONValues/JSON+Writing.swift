extension JSON {
  /// The value as JSON text without a final line end: on one line, or indented by two spaces.
  ///
  /// Reading it back gives the same value. Characters outside ASCII are written as they are.
  package func text(pretty: Bool = false) -> String {
    String(decoding: bytes(pretty: pretty), as: UTF8.self)
  }

  /// The same as UTF-8 bytes.
  package func bytes(pretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(pretty: pretty)
    writer.write(self, depth: 0)
    return writer.output
  }
}

private struct JSONWriter {
  let pretty: Bool
  var output: [UInt8] = []

  init(pretty: Bool) { self.pretty = pretty }

  mutating func write(_ value: JSON, depth: Int) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let digits): output.append(contentsOf: digits.utf8)
    case .string(let text): write(text)
    case .array(let items):
      list("[", "]", items, depth: depth) { writer, item in writer.write(item, depth: depth + 1) }
    case .object(let members):
      list("{", "}", members, depth: depth) { writer, member in
        writer.write(member.key)
        writer.output.append(UInt8(ascii: ":"))
        if writer.pretty { writer.output.append(UInt8(ascii: " ")) }
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func list<Element>(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ elements: [Element], depth: Int,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    output.append(UInt8(ascii: open))
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      startLine(depth: depth + 1)
      write(&self, element)
    }
    if !elements.isEmpty { startLine(depth: depth) }
    output.append(UInt8(ascii: close))
  }

  private mutating func startLine(depth: Int) {
    guard pretty else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  private mutating func write(_ text: String) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      // Runs that need no escape are appended whole; nearly every string is one run.
      var start = 0
      for index in bytes.indices where Self.needsEscape(bytes[index]) {
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        appendEscape(bytes[index])
        start = index + 1
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscape(_ byte: UInt8) {
    let escape =
      switch byte {
      case UInt8(ascii: "\""): "\\\""
      case UInt8(ascii: "\\"): "\\\\"
      case 0x0A: "\\n"
      case 0x0D: "\\r"
      case 0x09: "\\t"
      default: (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)
      }
    output.append(contentsOf: escape.utf8)
  }
}
