import Diagnostics

/// One value of a YAML or TOML document, with the place it was written at.
///
/// Reading a value of the wrong kind throws a ``Diagnostic`` that points at it:
///
///     let port = try root["api"]?["port"]?.int(in: 1...65535) ?? 54321
///
/// To collect every problem before failing, read through a ``TableReader``.
package struct Node: Sendable, Hashable {
  package let value: Value
  package let location: SourceLocation
  /// The environment variable this text came from. Such a text is read as a number, as true or false, or
  /// as a list where one is expected, and is never quoted in a problem, since it may be a secret.
  package let variable: String?

  package init(_ value: Value, at location: SourceLocation, from variable: String? = nil) {
    self.value = value
    self.location = location
    self.variable = variable
  }

  package enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int)
    case float(Double)
    /// Also TOML's dates and times, as they stand in the text.
    case string(String)
    case array([Node])
    /// In the order of the document; no key occurs twice.
    case table([Member])
  }

  package struct Member: Sendable, Hashable {
    package let key: String
    package let keyLocation: SourceLocation
    package let node: Node

    package init(_ key: String, at keyLocation: SourceLocation, _ node: Node) {
      self.key = key
      self.keyLocation = keyLocation
      self.node = node
    }
  }

  /// The value of a key; nil where this is no table, or has no such key.
  package subscript(key: String) -> Node? {
    guard case .table(let members) = value else { return nil }
    return members.first { $0.key == key }?.node
  }

  package var isNull: Bool { value == .null }

  /// What kind of value this is, as a user would say it.
  package var kind: String {
    switch value {
    case .null: "nothing"
    case .bool: "a yes or no (true or false)"
    case .int: "a whole number"
    case .float: "a number"
    case .string: "a text"
    case .array: "a list"
    case .table: "a table"
    }
  }
}

// MARK: - Reading

extension Node {
  package func string() throws -> String {
    guard case .string(let text) = value else { throw mismatch("a text") }
    return text
  }

  package func bool() throws -> Bool {
    switch value {
    case .bool(let flag): return flag
    case .string("true") where variable != nil, .string("1") where variable != nil: return true
    case .string("false") where variable != nil, .string("0") where variable != nil: return false
    default: throw mismatch("true or false")
    }
  }

  package func int() throws -> Int {
    switch value {
    case .int(let number): return number
    case .string(let text) where variable != nil:
      if let number = Int(text) { return number }
      throw mismatch("a whole number")
    default: throw mismatch("a whole number")
    }
  }

  package func int(in range: ClosedRange<Int>) throws -> Int {
    let number = try int()
    guard range.contains(number) else {
      let limits =
        range.upperBound == Int.max
        ? "at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw problem("document.range", "\(number) is out of range", hint: "give a number \(limits)")
    }
    return number
  }

  package func double() throws -> Double {
    switch value {
    case .float(let number): return number
    case .int(let number): return Double(number)
    default: throw mismatch("a number")
    }
  }

  package func array() throws -> [Node] {
    guard case .array(let items) = value else { throw mismatch("a list") }
    return items
  }

  package func strings() throws -> [String] {
    switch value {
    case .array(let items): return try items.map { try $0.string() }
    case .string(let text) where variable != nil: return text.split(separator: ",").map(String.init)
    default: throw mismatch("a list of texts")
    }
  }

  package func members() throws -> [Member] {
    guard case .table(let members) = value else { throw mismatch("a table") }
    return members
  }

  /// One of the words of an enumeration; a near miss is told the word it may have meant.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _: Choice.Type = Choice.self
  ) throws -> Choice where Choice.RawValue == String {
    let word = try string()
    if let choice = Choice(rawValue: word) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    let near = nearestNames(to: word, among: words).first.map { "perhaps you meant \"\($0)\"; " } ?? ""
    let all = words.map { "\"\($0)\"" }.joined(separator: ", ")
    throw problem(
      "document.choice", "\"\(word)\" is not one of the choices", hint: "\(near)give one of \(all)")
  }

  /// A diagnostic that points at this value.
  package func problem(_ code: String, _ message: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(code, message, hint: hint, at: location)
  }

  private func mismatch(_ expected: String) -> Diagnostic {
    if let variable {
      return problem("document.type", "expected \(expected) in the environment variable \(variable)")
    }
    let quoted = if case .string(let text) = value, text.count <= 40 { " (\"\(text)\")" } else { "" }
    return problem("document.type", "expected \(expected), found \(kind)\(quoted)")
  }
}
