package import JSONValues

extension Diagnostic {
  /// The diagnostic as an object. Positions are counted from 1, as in the text; what is not known is left out.
  package var json: JSON {
    var members: [JSON.Member] = [
      .init("severity", .string(severity.rawValue)), .init("code", .string(code)),
      .init("message", .string(message)),
    ]
    if let detail { members.append(.init("detail", .string(detail))) }
    if let hint { members.append(.init("hint", .string(hint))) }
    if let sqlState { members.append(.init("sqlstate", .string(sqlState))) }
    if let location { members.append(.init("location", location.json)) }
    return .object(members)
  }
}

extension SourceLocation {
  /// `endColumn` is the first column after the place.
  fileprivate var json: JSON {
    [
      "file": .string(file.path), "line": .int(line), "column": .int(column),
      "endColumn": .int(column + width),
    ]
  }
}

extension [Diagnostic] {
  /// `{"version": 1, "diagnostics": […]}`. The version changes when a member changes its meaning or goes away.
  package func json() -> JSON { ["version": 1, "diagnostics": .array(map(\.json))] }
}

/// A text that should have been JSON and whose file the thrower didn't know.
extension JSONError: Diagnosable {
  package var diagnostics: [Diagnostic] {
    [Diagnostic("json.syntax", "this is not JSON: \(message)", detail: "at byte \(offset)")]
  }
}
