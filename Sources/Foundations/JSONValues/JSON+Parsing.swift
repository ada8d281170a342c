extension JSON {
  /// How deep arrays and objects may nest unless the caller says otherwise. Reading recurses, so the bound
  /// keeps a hostile text from overflowing the stack.
  package static let defaultMaximumDepth = 1_000

  /// Reads one JSON value, with nothing but blanks around it.
  ///
  /// - Throws: ``JSONError`` with the byte offset where reading stopped: text that is not JSON (RFC 8259),
  ///   half a surrogate pair, UTF-8 that isn't valid, or nesting deeper than `maximumDepth`.
  package init(parsing text: String, maximumDepth: Int = defaultMaximumDepth) throws {
    var text = text
    self = try text.withUTF8 { try Self.parse($0, maximumDepth) }
  }

  /// Reads one JSON value from UTF-8 bytes. Throws as the reading of a text does.
  package init(parsing bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth) throws {
    self = try bytes.withUnsafeBufferPointer { try Self.parse($0, maximumDepth) }
  }

  /// Reads one JSON value from memory a C library owns; nothing points into it afterwards.
  package init(parsing buffer: UnsafeRawBufferPointer, maximumDepth: Int = defaultMaximumDepth) throws {
    self = try buffer.withMemoryRebound(to: UInt8.self) { try Self.parse($0, maximumDepth) }
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ maximumDepth: Int) throws -> JSON {
    var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
    return try parser.document()
  }
}

/// A recursive descent over bytes. Strings without escapes are made straight from the buffer.
private struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  let maximumDepth: Int
  var position = 0
  // Members and items of all containers that are still open. A container that closes takes its own off the
  // end as an array of just that size: one allocation instead of a growing one.
  var openMembers: [JSON.Member] = []
  var openItems: [JSON] = []

  init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  mutating func document() throws -> JSON {
    let value = try value(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw error("text after the end of the value") }
    return value
  }

  private mutating func value(depth: Int) throws -> JSON {
    skipBlanks()
    guard let byte = peek() else { throw error("the text ends where a value is expected") }
    switch byte {
    case UInt8(ascii: "{"): return .object(try members(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try items(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error("a value can't start with \(described(byte))")
    }
  }

  private mutating func members(depth: Int) throws -> [JSON.Member] {
    try enter(depth)
    let first = openMembers.count
    skipBlanks()
    if accept("}") { return [] }
    repeat {
      skipBlanks()
      guard peek() == UInt8(ascii: "\"") else { throw expected("a key in double quotes") }
      let key = try string()
      skipBlanks()
      guard accept(":") else { throw expected("':' after a key") }
      openMembers.append(JSON.Member(key, try value(depth: depth)))
      skipBlanks()
    } while accept(",")
    guard accept("}") else { throw expected("',' or '}' after a member") }
    defer { openMembers.removeSubrange(first...) }
    return Array(openMembers[first...])
  }

  private mutating func items(depth: Int) throws -> [JSON] {
    try enter(depth)
    let first = openItems.count
    skipBlanks()
    if accept("]") { return [] }
    repeat {
      openItems.append(try value(depth: depth))
      skipBlanks()
    } while accept(",")
    guard accept("]") else { throw expected("',' or ']' after an item") }
    defer { openItems.removeSubrange(first...) }
    return Array(openItems[first...])
  }

  /// Steps over the opening bracket.
  private mutating func enter(_ depth: Int) throws {
    guard depth <= maximumDepth else { throw error("nested deeper than \(maximumDepth) levels") }
    position += 1
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws -> JSON {
    let length = word.utf8CodeUnitCount
    let rest = bytes[position...].prefix(length)
    guard rest.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: length)) else {
      throw error("expected \(word)")
    }
    position += length
    return value
  }

  private mutating func number() throws -> String {
    let start = position
    _ = accept("-")
    if !accept("0") { try digits() }
    if accept(".") { try digits() }
    if accept("e") || accept("E") {
      if !accept("+") { _ = accept("-") }
      try digits()
    }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
  }

  private mutating func digits() throws {
    let start = position
    while let byte = peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    guard position > start else { throw expected("a digit") }
  }
}

// MARK: - Strings

extension JSONParser {
  private mutating func string() throws -> String {
    position += 1
    let start = position
    var highest: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return try text(of: UnsafeBufferPointer(rebasing: bytes[start..<position - 1]), highest, from: start)
      case UInt8(ascii: "\\"):
        return try stringWithEscapes(from: start)
      case ..<0x20:
        throw error("a control character in a string must be written as an escape")
      default:
        highest |= byte
        position += 1
      }
    }
    throw error("the text ends inside a string")
  }

  /// The rest of a string from its first escape on, in a buffer of its own.
  private mutating func stringWithEscapes(from start: Int) throws -> String {
    var buffer = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return try buffer.withUnsafeBufferPointer { try text(of: $0, 0x80, from: start) }
      case UInt8(ascii: "\\"):
        position += 1
        try appendEscape(to: &buffer)
      case ..<0x20:
        throw error("a control character in a string must be written as an escape")
      default:
        buffer.append(byte)
        position += 1
      }
    }
    throw error("the text ends inside a string")
  }

  private mutating func appendEscape(to buffer: inout [UInt8]) throws {
    guard let letter = peek() else { throw error("the text ends inside a string") }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(letter)
    case UInt8(ascii: "b"): buffer.append(0x08)
    case UInt8(ascii: "f"): buffer.append(0x0C)
    case UInt8(ascii: "n"): buffer.append(0x0A)
    case UInt8(ascii: "r"): buffer.append(0x0D)
    case UInt8(ascii: "t"): buffer.append(0x09)
    case UInt8(ascii: "u"): buffer.append(contentsOf: String(try unicodeEscape()).utf8)
    default:
      position -= 1
      throw error("'\\' can't be followed by \(described(letter))")
    }
  }

  private mutating func unicodeEscape() throws -> Unicode.Scalar {
    let start = position - 2
    let high = try hexDigits()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800..<0xDC00).contains(high), accept("\\"), accept("u"),
      case let low = try hexDigits(), (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw JSONError(offset: start, message: "half a surrogate pair") }
    return scalar
  }

  private mutating func hexDigits() throws -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw expected("four hexadecimal digits after '\\u'")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private func text(
    of buffer: UnsafeBufferPointer<UInt8>, _ highest: UInt8, from start: Int
  ) throws -> String {
    if highest < 0x80 { return String(decoding: buffer, as: UTF8.self) }
    guard let text = String(validating: buffer, as: UTF8.self) else {
      throw JSONError(offset: start, message: "a string that is not valid UTF-8")
    }
    return text
  }
}

// MARK: - Bytes and errors

extension JSONParser {
  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private func error(_ message: String) -> JSONError { JSONError(offset: position, message: message) }

  private func expected(_ what: String) -> JSONError {
    error("expected \(what), found \(peek().map(described) ?? "the end of the text")")
  }

  private func described(_ byte: UInt8) -> String {
    (0x21..<0x7F).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16, uppercase: true))"
  }
}
