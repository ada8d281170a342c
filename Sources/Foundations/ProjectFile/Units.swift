import Documents

extension Node {
  /// A size in bytes: a number, or a text such as `50MiB`. As Docker counts, `MB` and `MiB` are the same.
  func bytes() throws -> Int {
    if case .int = value { return try int(in: 0...Int.max) }
    let text = try string()
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let shifts = ["": 0, "b": 0, "k": 10, "m": 20, "g": 30, "t": 40]
    var unit = text.dropFirst(digits.count).trimmed.lowercased()
    if unit.hasSuffix("ib") {
      unit.removeLast(2)
    } else if unit.count > 1, unit.hasSuffix("b") {
      unit.removeLast()
    }
    guard let number = Double(String(digits)), let shift = shifts[unit],
      number * Double(1 << shift) < Double(1 << 60)
    else {
      throw problem("document.size", "not a size", hint: "write a number and a unit, such as \"50MiB\"")
    }
    return Int(number * Double(1 << shift))
  }

  /// A time span: seconds as a number, or a text such as `1h30m` or `500ms`.
  func duration() throws -> Duration {
    if case .int = value { return .seconds(try int(in: 0...Int(Int32.max))) }
    let text = try string()
    if variable != nil, let seconds = Int(text) { return .seconds(seconds) }
    let units: [String: Double] = ["h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9]
    var rest = text[...]
    var seconds = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let number = Double(String(digits)), let factor = units[String(unit)], number < 1e9 else {
        throw problem(
          "document.duration", "not a time span", hint: "write a number and a unit, such as \"10s\"")
      }
      seconds += number * factor
    }
    return .seconds(seconds)
  }
}
