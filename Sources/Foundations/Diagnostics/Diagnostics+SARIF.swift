package import JSONValues

/// What SARIF viewers show about a code.
package struct RuleDescription: Sendable {
  package let code: String
  /// One sentence.
  package let summary: String
  package let helpURI: String?

  package init(_ code: String, summary: String, helpURI: String? = nil) {
    self.code = code
    self.summary = summary
    self.helpURI = helpURI
  }
}

extension [Diagnostic] {
  /// A SARIF 2.1.0 log with one run.
  ///
  /// - Parameter rules: Descriptions of all rules that were checked. Codes that are not among them are listed
  ///   with their name only.
  package func sarif(tool: String, version: String, rules: [RuleDescription] = []) -> JSON {
    var codes = rules.map(\.code)
    for code in map(\.code) where !codes.contains(code) { codes.append(code) }
    let described = codes.map { code in rules.first { $0.code == code }?.sarif ?? ["id": .string(code)] }
    let results = map { $0.sarif(ruleIndex: codes.firstIndex(of: $0.code)) }
    let driver: JSON = [
      "name": .string(tool), "version": .string(version), "rules": .array(described),
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        ["tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": .array(results)]
      ],
    ]
  }
}

extension RuleDescription {
  fileprivate var sarif: JSON {
    let uri = helpURI.map { [JSON.Member("helpUri", .string($0))] } ?? []
    return .object(
      [.init("id", .string(code)), .init("shortDescription", ["text": .string(summary)])] + uri)
  }
}

extension Diagnostic {
  fileprivate func sarif(ruleIndex: Int?) -> JSON {
    let text = ([message, detail, hint.map { "hint: \($0)" }] as [String?]).compactMap { $0 }
    var members: [JSON.Member] = [.init("ruleId", .string(code))]
    if let ruleIndex { members.append(.init("ruleIndex", .int(ruleIndex))) }
    members.append(.init("level", .string(severity.rawValue)))
    members.append(.init("message", ["text": .string(text.joined(separator: "\n"))]))
    if let location { members.append(.init("locations", [["physicalLocation": location.sarif]])) }
    return .object(members)
  }
}

extension SourceLocation {
  fileprivate var sarif: JSON {
    [
      "artifactLocation": ["uri": .string(Self.percentEncoded(file.path))],
      "region": [
        "startLine": .int(line), "startColumn": .int(column), "endColumn": .int(column + width),
      ],
    ]
  }

  /// A path as a URI reference: all but unreserved characters and slashes as %XX.
  private static func percentEncoded(_ path: String) -> String {
    let hex = Array("0123456789ABCDEF")
    return path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || "-._~/".contains(character) {
        return String(character)
      }
      return "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
    }.joined()
  }
}
