import Diagnostics

/// A scalar as written, and its meaning under YAML 1.2's core schema.
struct YAMLScalar: Equatable {
  let text: String
  /// Not quoted and no block.
  let isPlain: Bool
  let tag: String?

  func value(at place: SourceLocation) throws -> Node.Value {
    switch tag {
    case nil: return isPlain ? Self.plain(text) : .string(text)
    case "!", "tag:yaml.org,2002:str": return .string(text)
    case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool",
      "tag:yaml.org,2002:null":
      return Self.plain(text)
    case .some(let tag): throw Self.unsupported(tag: tag, at: place)
    }
  }

  static func unsupported(tag: String, at place: SourceLocation) -> Diagnostic {
    Diagnostic(
      "yaml.unsupported", "the tag `\(tag)` is not supported", hint: "write the value without a tag",
      at: place)
  }

  /// The core schema's rules: nothing else is a number, so `1_000`, `12:30` and `0777` (read as 777) don't
  /// surprise, and a whole number too large for 64 bits stays a text rather than losing digits.
  private static func plain(_ text: String) -> Node.Value {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return .float(.nan)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .float(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .float(-.infinity)
    default: return number(text) ?? .string(text)
    }
  }

  private static func number(_ text: String) -> Node.Value? {
    if text.hasPrefix("0x") { return digits(text.dropFirst(2), radix: 16).map { .int($0) } }
    if text.hasPrefix("0o") { return digits(text.dropFirst(2), radix: 8).map { .int($0) } }
    let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : Substring(text)
    guard let first = unsigned.utf8.first, first == UInt8(ascii: ".") || isDigit(first) else { return nil }
    if unsigned.utf8.allSatisfy(isDigit) { return Int(text).map { .int($0) } }
    return isFloat(unsigned) ? Double(text).map { .float($0) } : nil
  }

  /// `digits [. digits] [e [sign] digits]`, or a fraction that begins with its point.
  private static func isFloat(_ text: Substring) -> Bool {
    var rest = text.utf8[...]
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(fraction)
    }
    guard !whole.isEmpty || fraction > 0 else { return false }
    guard let mark = rest.first else { return true }
    guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
    rest = rest.dropFirst()
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    return !rest.isEmpty && rest.allSatisfy(isDigit)
  }

  private static func digits(_ text: Substring, radix: Int) -> Int? {
    guard let first = text.first, first != "-", first != "+" else { return nil }
    return Int(text, radix: radix)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
