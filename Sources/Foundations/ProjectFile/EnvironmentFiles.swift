/// The env files beside a project, as the Supabase CLI reads them.
struct EnvironmentFiles {
  private let names: [String]

  /// - Parameter environment: The process's own: `SUPABASE_ENV` replaces "development".
  init(environment: [String: String]) {
    let stage = environment["SUPABASE_ENV"].flatMap { $0.isEmpty ? nil : $0 } ?? "development"
    // A test run must not depend on what one developer's machine overrides.
    let local = stage == "test" ? [] : [".env.local"]
    names = [".env.\(stage).local"] + local + [".env.\(stage)", ".env"]
  }

  /// The environment completed from the files of these folders: what is set already wins, and so does the
  /// first file that sets a variable. A file that can't be read sets nothing.
  func merged(from folders: [String], onto environment: [String: String]) -> [String: String] {
    var merged = environment
    for folder in folders {
      for name in names {
        guard let file = try? Folder(folder).read(name) else { continue }
        let set = Self.variables(in: file.text, knowing: merged)
        merged.merge(set) { already, _ in already }
      }
    }
    return merged
  }

  /// Reads `NAME=value` lines: `export` before them, comments, quotes, and `$NAME` outside single quotes.
  static func variables(in text: String, knowing environment: [String: String] = [:]) -> [String: String] {
    var variables: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      var rest = line.drop(while: \.isWhitespace)
      if rest.hasPrefix("export ") { rest = rest.dropFirst(7).drop(while: \.isWhitespace) }
      guard let equals = rest.firstIndex(of: "="), rest.first != "#" else { continue }
      let name = rest[..<equals].trimmed
      guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else { continue }
      let written = rest[rest.index(after: equals)...].trimmed
      variables[name] = value(written) { environment[$0] ?? variables[$0] ?? "" }
    }
    return variables
  }

  private static func value(_ written: String, lookUp: (String) -> String) -> String {
    guard let quote = written.first, quote == "\"" || quote == "'" else {
      // A comment needs a blank before it: a password may hold the sign.
      let end = written.indices.first { index in
        written[index] == "#" && index > written.startIndex
          && written[written.index(before: index)].isWhitespace
      }
      return expanded(written[..<(end ?? written.endIndex)].trimmed, lookUp)
    }
    var inner = ""
    var isEscaped = false
    for character in written.dropFirst() {
      if isEscaped {
        inner += character == "n" ? "\n" : character == "$" ? "\\$" : String(character)
        isEscaped = false
      } else if character == "\\", quote == "\"" {
        isEscaped = true
      } else if character == quote {
        break
      } else {
        inner.append(character)
      }
    }
    return quote == "\"" ? expanded(inner, lookUp) : inner
  }

  private static func expanded(_ text: String, _ lookUp: (String) -> String) -> String {
    var result = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "$") {
      result += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      if result.last == "\\" {
        result.removeLast()
        result += "$"
        continue
      }
      let isBraced = rest.first == "{"
      let name = (isBraced ? rest.dropFirst() : rest).prefix { $0.utf8.allSatisfy(isNameByte) }
      if name.isEmpty {
        result += "$"
      } else {
        result += lookUp(String(name))
        rest = rest[name.endIndex...]
        if isBraced, rest.first == "}" { rest = rest.dropFirst() }
      }
    }
    return result + rest
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension StringProtocol {
  /// Without blank space at both ends.
  var trimmed: String {
    var text = Substring(self).drop(while: \.isWhitespace)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
