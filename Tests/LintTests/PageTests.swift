import Foundation
import Lint
import Testing

/// docs/lint is what the rules say about themselves. Recorded anew with `NOMDEV_RECORD=1 swift test`.
struct PageTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: Linter.rules.map(\.id))
  func `is the page of its rule`(id: String) throws {
    let rule = try #require(Linter.rules.first { $0.id == id })
    let page = Self.root.appendingPathComponent(rule.page)
    if ProcessInfo.processInfo.environment["NOMDEV_RECORD"] != nil {
      try Data(rule.markdown.utf8).write(to: page)
    }

    #expect(try String(decoding: Data(contentsOf: page), as: UTF8.self) == rule.markdown)
  }

  @Test func `lists each rule with its weight and its page`() throws {
    let page = Self.root.appendingPathComponent("docs/lint.md")
    let header = "| Rule | Weight | What it finds |\n|---|---|---|\n"
    var parts = try String(decoding: Data(contentsOf: page), as: UTF8.self).components(separatedBy: header)
    try #require(parts.count == 2)
    let rows = Linter.rules.map {
      "| [`\($0.id)`](lint/\($0.name).md) | \($0.severity.rawValue) | \($0.summary) |\n"
    }.joined()
    if ProcessInfo.processInfo.environment["NOMDEV_RECORD"] != nil, let end = parts[1].range(of: "\n\n") {
      parts[1] = rows + parts[1][parts[1].index(after: end.lowerBound)...]
      try Data(parts.joined(separator: header).utf8).write(to: page)
    }

    #expect(parts[1].hasPrefix(rows + "\n"))
  }

  @Test func `has no page of a rule that is gone`() throws {
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent("docs/lint").path)

    #expect(pages.sorted() == Linter.rules.map { "\($0.name).md" }.sorted())
  }
}
