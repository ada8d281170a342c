import Catalog
import CatalogChanges
import Diagnostics
import JSONValues

/// A comparison made ready to be shown: one line an object, values old and new, and who could gain by it.
package struct DriftReport: Sendable {
  /// What the two sides are called.
  package struct Sides: Sendable {
    package let declared: String
    package let actual: String

    package init(declared: String, actual: String) {
      self.declared = declared
      self.actual = actual
    }
  }

  package struct Item: Sendable {
    package let difference: Difference
    package let object: String
    /// Where a migration last defined it.
    package let origin: SourceLocation?
    /// What would bring the actual side to the declared one.
    package let statements: [String]
  }

  package let comparison: Comparison
  package let sides: Sides
  package let items: [Item]

  /// - Parameter plan: What mends the differences; nil where nobody wants to know.
  /// - Parameter origin: Where a migration last defined an entry.
  package init(
    _ comparison: Comparison, sides: Sides, plan: ChangePlan? = nil,
    origin: (Entry, Comparison) -> SourceLocation? = { _, _ in nil }
  ) {
    self.comparison = comparison
    self.sides = sides
    var statements: [String: [String]] = [:]
    for step in plan?.steps ?? [] { statements[step.entry.path, default: []] += step.texts }
    // A statement about rights stands at the object they are on.
    items = comparison.reported.map { difference in
      var texts = statements[difference.path] ?? []
      if difference.entry.kind == .grant, let parent = difference.entry.parent {
        texts = (statements[parent] ?? []).filter { Self.names($0, difference.entry.name) }
      }
      return Item(
        difference: difference, object: difference.described(in: comparison),
        origin: origin(difference.entry, comparison), statements: texts)
    }
  }

  private static func names(_ statement: String, _ role: String) -> Bool {
    statement.contains(" to \(role)") || statement.contains(" from \(role)")
  }

  // MARK: - Text

  package var lines: [String] {
    items.flatMap { item -> [String] in
      let difference = item.difference
      let content = difference.content.map { "  \(Self.short($0))" } ?? ""
      var lines = [
        "\(difference.change.rawValue)[state.\(difference.change.rawValue)]: \(item.object)\(content)"
      ]
      if let origin = item.origin {
        lines.append("  --> \(origin.file.path):\(origin.line):\(origin.column)")
      }
      for value in difference.values {
        lines.append("   \(value.name)")
        lines += Self.value(sides.declared, value.declared)
        lines += Self.value(sides.actual, value.actual)
      }
      for statement in item.statements { lines += Self.indented("mend: ", statement) }
      return lines
    }
  }

  private static func value(_ side: String, _ text: String?) -> [String] {
    indented("  \(side): ", text ?? "-")
  }

  private static func indented(_ head: String, _ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
      "   \(index == 0 ? head : String(repeating: " ", count: head.count))\(line)"
    }
  }

  private static func short(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 90 ? "\(line.prefix(87))..." : line
  }

  /// `+12 grants, -3 policies, ~1 column; anon gains SELECT on 2 tables`.
  package var summary: String {
    var counts: [(word: String, kind: ObjectKind, count: Int)] = []
    for item in items {
      let word =
        switch item.difference.change {
        case .extra: "+"
        case .missing: "-"
        case .different: "~"
        }
      let kind = item.difference.entry.kind
      if let index = counts.firstIndex(where: { $0.word == word && $0.kind == kind }) {
        counts[index].count += 1
      } else {
        counts.append((word, kind, 1))
      }
    }
    let parts = counts.map { "\($0.word)\($0.kind.counted($0.count))" }
    return (parts + WhoGains(comparison).headlines).joined(separator: ", ")
  }

  // MARK: - Other formats

  package var json: [JSON.Member] {
    [
      .init("from", .string(sides.declared)), .init("to", .string(sides.actual)),
      .init("same", .bool(items.isEmpty)),
      .init("differences", .array(items.map(Self.json))),
      .init("summary", .string(summary)),
    ]
  }

  private static func json(_ item: Item) -> JSON {
    let difference = item.difference
    func content(_ entry: Entry?) -> JSON {
      guard let entry else { return .null }
      return .object(entry.attributes.map { .init($0.name, .string($0.value)) })
    }
    return .object([
      .init("code", .string("state.\(difference.change.rawValue)")),
      .init("change", .string(difference.change.rawValue)),
      .init("kind", .string(difference.entry.kind.rawValue)), .init("name", .string(difference.entry.name)),
      .init("object", .string(item.object)),
      .init(
        "values",
        .array(
          difference.values.map { value in
            .object([
              .init("name", .string(value.name)), .init("from", value.declared.map { .string($0) } ?? .null),
              .init("to", value.actual.map { .string($0) } ?? .null),
            ])
          })),
      .init("from", content(difference.declared)), .init("to", content(difference.actual)),
      .init("file", item.origin.map { .string($0.file.path) } ?? .null),
      .init("line", item.origin.map { .int($0.line) } ?? .null),
      .init("statements", .array(item.statements.map { .string($0) })),
    ])
  }

  /// One finding each, for annotations in a pull request.
  package var diagnostics: [Diagnostic] {
    items.map { item in
      let difference = item.difference
      let values = difference.values.map {
        "\($0.name): \($0.declared ?? "-") -> \($0.actual ?? "-")"
      }
      let detail = values.isEmpty ? difference.content : values.joined(separator: "\n")
      return Diagnostic(
        "state.\(difference.change.rawValue)", "\(difference.change.rawValue): \(item.object)",
        detail: detail,
        hint: item.statements.isEmpty ? nil : item.statements.joined(separator: ";\n"), at: item.origin)
    }
  }

  /// For a comment on a pull request.
  package var markdown: String {
    if items.isEmpty { return "**No difference** between \(sides.declared) and \(sides.actual).\n" }
    var text = "**\(summary)**\n\n"
    let gains = WhoGains(comparison)
    if !gains.isEmpty { text += "### Who gains and who loses\n\n" + gains.markdown + "\n" }
    text += "### Differences\n\n| | object | \(sides.declared) | \(sides.actual) |\n|---|---|---|---|\n"
    for item in items {
      let difference = item.difference
      let rows = difference.values.map { ("`\($0.name)` ", $0.declared, $0.actual) }
      let shown =
        rows.isEmpty
        ? [
          (
            "", difference.declared.map { _ in difference.content ?? "yes" },
            difference.actual.map { _ in difference.content ?? "yes" }
          )
        ] : rows
      for (name, from, to) in shown {
        text +=
          "| \(difference.change.rawValue) | \(Self.cell(item.object)) | \(name)\(Self.cell(from)) | \(name)\(Self.cell(to)) |\n"
      }
    }
    return text
  }

  private static func cell(_ text: String?) -> String {
    guard let text else { return "-" }
    return short(text).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
