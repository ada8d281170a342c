import Catalog
import Diagnostics
import SQLSyntax

/// What a fold can't keep as the chain has it: values that are others at each run, and calls to the outside. Each
/// must be accepted by name, with a reason.
package struct Uncapturable: Sendable, Hashable {
  /// How the file of acceptances names it: `public.plans.token`, `public.plans`, `0002_call.sql:3`.
  package let name: String
  package let what: String
  package let location: SourceLocation?

  /// - Parameter runs: The same chain, run twice.
  package static func all(_ first: Snapshot, _ second: Snapshot, files: [SourceFile]) -> [Uncapturable] {
    var found: [Uncapturable] = []
    func add(_ name: String, _ what: String) {
      if !found.contains(where: { $0.name == name }) {
        found.append(.init(name: name, what: what, location: nil))
      }
    }
    for entry in first.entries where entry.kind == .row {
      let table = first.ancestors(of: entry).first?.name ?? "?"
      guard let twin = second[entry.path] else {
        add(table, "rows of \(table) get another key at each run")
        continue
      }
      for attribute in entry.attributes where twin[attribute.name] != attribute.value {
        add("\(table).\(attribute.name)", "\(attribute.name) of \(table) gets another value at each run")
      }
    }
    return found + files.flatMap(calls)
  }

  private static func calls(_ file: SourceFile) -> [Uncapturable] {
    Script.parse(file).statements.compactMap { statement in
      let text = statement.text.lowercased()
      guard ["select", "do", "call", "perform"].contains(where: text.hasPrefix),
        ["net.http_", "http_get(", "http_post(", "http_put(", "http_delete(", "dblink(", "dblink_exec("]
          .contains(where: text.contains)
      else { return nil }
      return Uncapturable(
        name: "\(file.name):\(statement.location.line)", what: "a statement calls to the outside",
        location: statement.location)
    }
  }

  /// The names a file of acceptances gives a reason for: a line each, `name: reason`.
  package static func accepted(_ file: SourceFile?) -> Set<String> {
    let lines = (file?.text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Set(
      lines.compactMap { line in
        guard let colon = line.ranges(of: ": ").last, !line[colon.upperBound...].allSatisfy(\.isWhitespace)
        else { return nil }
        return String(line[..<colon.lowerBound])
      })
  }

  package var diagnostic: Diagnostic {
    Diagnostic(
      "squash.uncapturable", what,
      hint: "if that is right, accept it: add a line \"\(name): REASON\" to the file of acceptances",
      at: location)
  }
}
