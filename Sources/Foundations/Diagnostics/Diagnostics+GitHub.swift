extension [Diagnostic] {
  /// Workflow commands that GitHub Actions shows beside the line, each with a line end.
  package func gitHubAnnotations() -> String { map { $0.gitHubAnnotation + "\n" }.joined() }
}

extension Diagnostic {
  fileprivate var gitHubAnnotation: String {
    let command =
      switch severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    var properties: [(String, String)] = []
    if let location {
      properties = [
        ("file", location.file.path), ("line", String(location.line)), ("col", String(location.column)),
        ("endColumn", String(location.column + location.width)),
      ]
    }
    properties.append(("title", code))
    let text = ([message, detail, hint.map { "hint: \($0)" }] as [String?]).compactMap { $0 }
    return "::\(command) "
      + properties.map { "\($0)=\(Self.escaped($1, also: [":": "%3A", ",": "%2C"]))" }.joined(separator: ",")
      + "::" + Self.escaped(text.joined(separator: "\n"))
  }

  private static func escaped(_ text: String, also extra: [Unicode.Scalar: String] = [:]) -> String {
    let escapes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
    return text.unicodeScalars.map { escapes[$0] ?? extra[$0] ?? String($0) }.joined()
  }
}
