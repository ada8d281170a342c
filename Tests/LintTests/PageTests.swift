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
    let overview = try String(
      decoding: Data(contentsOf: Self.root.appendingPathComponent("docs/lint.md")), as: UTF8.self)

    for rule in Linter.rules {
      let row = "| [`\(rule.id)`](lint/\(rule.name).md) | \(rule.severity.rawValue) | \(rule.summary) |"
      #expect(overview.contains(row), "\(row)")
    }
  }
}
