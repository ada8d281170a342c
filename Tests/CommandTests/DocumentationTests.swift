import Foundation
import Testing

/// The documents say what is true of the sources: every code is explained, every link leads somewhere.
struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `explains every code the sources can give`() throws {
    let codes = try Self.codesInSources()
    try #require(codes.count > 80)

    #expect(codes.subtracting(try Self.codesExplained()).sorted() == [])
  }

  @Test func `explains no code that is gone`() throws {
    #expect(try Self.codesExplained().subtracting(Self.codesInSources()).sorted() == [])
  }

  @Test func `links to files that are there`() throws {
    let pages = try Self.files(in: "docs", ending: ".md") + ["README.md", "CHANGELOG.md", "checks/README.md"]
    var broken: [String] = []
    for page in pages {
      let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
      for match in try Self.text(page).matches(of: #/\]\(([^)#\s]+)[^)]*\)/#) {
        let link = String(match.1)
        if link.contains("://") { continue }
        let target = folder.appendingPathComponent(link).path
        if !FileManager.default.fileExists(atPath: target) { broken.append("\(page): \(link)") }
      }
    }

    #expect(broken == [])
  }

  // MARK: - Codes

  /// Literals at the places where a code is given, with the families that are put together at run time.
  private static func codesInSources() throws -> Set<String> {
    var codes: Set<String> = []
    for file in try files(in: "Sources", ending: ".swift") {
      let source = try text(file)
      for match in source.matches(of: #/"([a-z]+\.[a-z_-]+)"/#) where families.contains(family(match.1)) {
        codes.insert(String(match.1))
      }
      // A family that the list below lacks must not go unnoticed.
      for match in source.matches(of: #/Diagnostic\(\s*"([a-z]+\.[a-z_-]+)"/#) {
        codes.insert(String(match.1))
      }
      for match in source.matches(of: #/"\\\(code\)\.([a-z_-]+)"/#) {
        codes.formUnion(["migrate.\(match.1)", "seed.\(match.1)"])
      }
      for match in source.matches(of: #/UsageError\(\s*"([a-z-]+)"/#) { codes.insert("usage.\(match.1)") }
    }
    // The rules of the linter have a page each, which another test compares.
    let rules = try files(in: "docs/lint", ending: ".md").map {
      "lint." + URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
    }
    return codes.subtracting(rules)
  }

  private static let families: Set<String> = [
    "cluster", "console", "database", "document", "internal", "json", "lint", "migrate", "project", "seed",
    "stack", "syntax", "system", "target", "toml", "yaml",
  ]

  private static func family(_ code: Substring) -> String { String(code.prefix { $0 != "." }) }

  /// The first cell of each table row of docs/errors.md that holds a code.
  private static func codesExplained() throws -> Set<String> {
    Set(
      try text("docs/errors.md").matches(of: #/(?m)^\| `([a-z]+\.[a-z_-]+)` \|/#).map { String($0.1) })
  }

  // MARK: - Files

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }

  private static func files(in folder: String, ending: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }.sorted()
  }
}
