import CProcess

/// The environment variables of this process, read without Foundation, whose start-up time is felt in
/// every command.
package enum ProcessEnvironment {
  /// All variables. A later entry of the same name wins, as in a shell.
  package static var all: [String: String] {
    var variables: [String: String] = [:]
    guard var next = cprocess_environment() else { return variables }
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }

  /// The value of a variable; nil when unset or empty, which POSIX tools treat alike.
  package static func value(_ name: String) -> String? {
    all[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
