import Diagnostics
import Documents

/// How the environment gets a say in `supabase/config.toml`: `SUPABASE_API_PORT` replaces `[api].port`, and
/// a text `env(NAME)` stands for the variable.
struct Substitution {
  let environment: [String: String]

  func callAsFunction(_ path: String, _ node: Node?, _ reader: TableReader) -> Node? {
    let variable = "SUPABASE_" + path.map { $0 == "." ? "_" : $0.uppercased() }.joined()
    // A table has no text form; only a value, or a key that isn't written, can be replaced.
    if let value = environment[variable], !value.isEmpty, !(node?.isTable ?? false) {
      return Node(.string(value), at: node?.location ?? reader.location, from: variable)
    }
    return node.flatMap { resolved($0, reader) }
  }

  /// Nil for a variable that is not set: the key then counts as not written, and its default holds.
  private func resolved(_ node: Node, _ reader: TableReader) -> Node? {
    switch node.value {
    case .string(let text):
      guard text.hasPrefix("env("), text.hasSuffix(")") else { return node }
      let variable = String(text.dropFirst(4).dropLast())
      if let value = environment[variable] { return Node(.string(value), at: node.location, from: variable) }
      var warning = node.problem(
        "project.variable-missing", "the environment variable \(variable) is not set",
        hint: "set it, or write it to an env file beside the project; the default is used")
      warning.severity = .warning
      reader.report(warning)
      return nil
    case .array(let items): return Node(.array(items.compactMap { resolved($0, reader) }), at: node.location)
    default: return node
    }
  }
}

extension Node {
  fileprivate var isTable: Bool { if case .table = value { true } else { false } }
}
