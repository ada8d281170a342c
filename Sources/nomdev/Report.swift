import JSONValues

/// Small helpers of the text renderings.
enum Lines {
  /// `  name ......... value`, the dots reaching to a common column.
  static func dotted(_ name: String, _ value: String, width: Int) -> String {
    let dots = String(repeating: ".", count: max(2, width - name.count + 2))
    return "  \(name) \(dots) \(value)"
  }

  /// A time as people read it: `18 ms`, `1.4 s`.
  static func time(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    guard milliseconds >= 1000 else { return "\(max(1, milliseconds)) ms" }
    return "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }
}

extension Console {
  /// A result as JSON, with the version of its shape.
  func print(json members: [JSON.Member]) throws {
    try write(JSON.object([.init("version", .int(1))] + members).text(pretty: true) + "\n")
  }
}
