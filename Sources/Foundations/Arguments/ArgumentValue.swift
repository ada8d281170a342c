/// A type an option or argument can have.
package protocol ArgumentValue: Sendable {
  /// Reads what the user typed; nil where that is no such value.
  init?(argument: String)
  /// What a usage error says the option takes: `a whole number`.
  static var expectation: String { get }
  /// The allowed words where there are only some, in the order help lists them; else empty.
  static var choices: [String] { get }
  /// The value as a user would type it, for the default in help texts.
  var argumentText: String { get }
}

extension ArgumentValue {
  package static var choices: [String] { [] }
}

extension String: ArgumentValue {
  package init?(argument: String) { self = argument }
  package static var expectation: String { "a value" }
  package var argumentText: String { self }
}

extension Int: ArgumentValue {
  package init?(argument: String) { self.init(argument) }
  package static var expectation: String { "a whole number" }
  package var argumentText: String { String(self) }
}

/// An enum with words for raw values needs only to state the conformance.
extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  package init?(argument: String) { self.init(rawValue: argument) }
  package static var expectation: String { "one of \(choices.joined(separator: ", "))" }
  package static var choices: [String] { allCases.map(\.rawValue) }
  package var argumentText: String { rawValue }
}

extension Duration: ArgumentValue {
  /// A number with its unit, `300ms`, `5s`, `1.5s`, `2min` or `1h`, or a bare `0`. A bare number other than
  /// zero is refused: half of all tools take it for seconds, the other half for milliseconds.
  package init?(argument: String) {
    if argument == "0" {
      self = .zero
      return
    }
    let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let count = Double(number), let unit = Self.units[String(argument.dropFirst(number.count))],
      count * Double(unit) < 1e15
    else { return nil }
    self = .milliseconds(Int64((count * Double(unit)).rounded()))
  }

  package static var expectation: String { "a duration such as 300ms, 5s or 2min" }

  package var argumentText: String {
    let milliseconds = components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    if milliseconds == 0 { return "0" }
    if milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000)min" }
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }

  /// Milliseconds in each unit.
  private static let units: [String: Int64] = ["ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000]
}
