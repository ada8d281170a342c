/// One statement with its values apart: `"… where id = \(id)"` binds, never splices.
///
///     let rows = try db.rows("select name from \(identifier: table) where id = \(id)")
package struct SQL: ExpressibleByStringInterpolation, Sendable, Hashable {
  package private(set) var text: String
  /// Values in text form, nil for SQL's null, in the order of `$1`, `$2`, …
  package private(set) var binds: [String?]

  package init(stringLiteral value: String) {
    text = value
    binds = []
  }

  package init(stringInterpolation interpolation: Interpolation) {
    text = interpolation.text
    binds = interpolation.binds
  }

  /// SQL that is already text. The label is meant to be ugly: never pass a value a user gave.
  package init(trusted text: String) {
    self.text = text
    binds = []
  }

  /// Adds the value of the next `$n` of a text that already names it.
  package mutating func append(bind value: String?) { binds.append(value) }
  /// SQL from a file of the program, with the values of its `$1`, `$2`, ….
  package init(trusted text: String, binding values: [String?]) {
    self.text = text
    binds = values
  }

  package struct Interpolation: StringInterpolationProtocol {
    var text = ""
    var binds: [String?] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 3)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ value: String?) { bind(value) }
    package mutating func appendInterpolation(_ value: Int) { bind(String(value)) }
    package mutating func appendInterpolation(_ value: Bool) { bind(value ? "t" : "f") }
    /// Bytes, bound in `bytea`'s hex form, so that any byte is safe.
    package mutating func appendInterpolation(_ bytes: [UInt8]) {
      let digits = Array("0123456789abcdef".unicodeScalars)
      var hex = "\\x"
      for byte in bytes {
        hex.unicodeScalars.append(digits[Int(byte >> 4)])
        hex.unicodeScalars.append(digits[Int(byte & 15)])
      }
      bind(hex)
    }
    package mutating func appendInterpolation(_ values: [String]) { bind(SQL.arrayLiteral(values)) }

    /// A name, quoted.
    package mutating func appendInterpolation(identifier name: String) {
      text += SQL.quoted(identifier: name)
    }

    /// SQL that is already text.
    package mutating func appendInterpolation(trusted sql: String) { text += sql }

    private mutating func bind(_ value: String?) {
      binds.append(value)
      text += "$\(binds.count)"
    }
  }

  /// A name in double quotes, inner quotes doubled.
  package static func quoted(identifier name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// A value as a literal, for the few statements that take no parameters (`SET`, `NOTIFY`, DDL).
  package static func quoted(literal value: String) -> String {
    let doubled = value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    guard doubled.contains("\\") else { return "'\(doubled)'" }
    return " E'" + doubled.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      + "'"
  }

  /// `{"a","b"}`: the text form of a `text[]`.
  package static func arrayLiteral(_ values: [String]) -> String {
    let items = values.map { value in
      var item = "\""
      for character in value.unicodeScalars {
        if character == "\"" || character == "\\" { item.unicodeScalars.append("\\") }
        item.unicodeScalars.append(character)
      }
      return item + "\""
    }
    return "{" + items.joined(separator: ",") + "}"
  }
}
