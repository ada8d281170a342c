import Postgres

/// SQL as it is written, with the values apart. Nothing a client sent gets into the text but as a quoted
/// name; values only ever become binds.
struct StatementText {
  private(set) var text = ""
  private(set) var binds: [Bind] = []

  init() { text.reserveCapacity(512) }

  var step: Step { step() }

  func step(answersBinary: Bool = false) -> Step { Step(text, binds, answersBinary: answersBinary) }

  /// SQL of our own.
  mutating func add(_ sql: StaticString) {
    sql.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) }
  }

  /// SQL that comes from a closed list or from the catalog: operators, types, defaults, function names.
  mutating func add(trusted sql: String) { text += sql }

  mutating func add(identifier name: String) { text += Self.quoted(name) }

  mutating func add(_ name: QualifiedName) {
    if !name.schema.isEmpty {
      add(identifier: name.schema)
      text += "."
    }
    add(identifier: name.name)
  }

  mutating func add(column: String, of table: QualifiedName) {
    add(table)
    if column == "*" {
      text += ".*"
    } else {
      text += "."
      add(identifier: column)
    }
  }

  /// A value whose type the server infers from where it stands.
  mutating func bind(_ value: Bind) {
    binds.append(value)
    text += "$\(binds.count)"
  }

  mutating func bind(_ value: String) { bind(.text(value)) }

  /// A type a client named. Not quoted, as that would change the meaning of `int` and its kin. The grammar
  /// lets through letters, digits, blanks, `_` and `$`, and ``typeIsPlain(_:)`` was asked before: words that
  /// cannot begin a number, a parameter or a quotation.
  mutating func add(type: String) { text += type }

  /// Whether a type is made of plain words.
  static func typeIsPlain(_ type: String) -> Bool {
    type.split(separator: " ").allSatisfy { word in
      guard let first = word.unicodeScalars.first else { return false }
      return first == "_" || first.properties.isAlphabetic
    }
  }

  mutating func add<Element>(
    _ elements: [Element], separator: StaticString = ", ", _ write: (Element, inout StatementText) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { add(separator) }
      write(element, &self)
    }
  }

  /// A name ends at its first NUL, as the server has it.
  static func quoted(_ name: String) -> String {
    var quoted = "\""
    for scalar in name.unicodeScalars {
      if scalar == "\0" { break }
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// A literal of a name that comes from the catalog.
  mutating func add(catalogLiteral value: String) {
    text += SQL.quoted(literal: String(value.prefix { $0 != "\0" }))
  }

  /// `{"a","b"}` with everything escaped.
  static func arrayLiteral(_ values: [String]) -> String {
    SQL.arrayLiteral(values.map { String($0.unicodeScalars.prefix { $0 != "\0" }) })
  }
}

extension String {
  fileprivate init(_ scalars: Substring.UnicodeScalarView) { self = String(Substring(scalars)) }
}
