/// Reading names that SQL has quoted where it must.
package enum QuotedNames {
  /// The names in `(a, "b, c")` or `(a, "b, c") INCLUDE (d)`: those of the first list alone.
  package static func list(_ text: String) -> [String] {
    var names: [String] = []
    var name = ""
    var isQuoted = false
    var depth = 0
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if isQuoted {
        name.append(character)
        continue
      }
      switch character {
      case "(":
        depth += 1
        if depth > 1 { name.append(character) }
      case ")":
        depth -= 1
        if depth == 0 { return name.isEmpty ? names : names + [name] }
        name.append(character)
      case "," where depth == 1:
        names.append(name)
        name = ""
      case " " where name.isEmpty: break
      default: name.append(character)
      }
    }
    return name.isEmpty ? names : names + [name]
  }

  /// `a` and `b` of `a.b`, each as it is written.
  package static func parts(_ text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == "(", !isQuoted { break }
      if character == ".", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  /// A quoted name as the server stores it.
  package static func plain(_ name: String) -> String {
    guard name.hasPrefix("\""), name.hasSuffix("\""), name.count >= 2 else { return name }
    return name.dropFirst().dropLast().split(separator: "\"\"", omittingEmptySubsequences: false)
      .joined(separator: "\"")
  }
}
