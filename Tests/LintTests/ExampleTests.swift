import Diagnostics
import Lint
import Testing

/// The examples that live with the rules and stand on their pages.
struct ExampleTests {
  @Test(arguments: Linter.rules.flatMap { rule in rule.firing.indices.map { (rule.id, $0) } })
  func `fires at the marked place`(id: String, index: Int) throws {
    let rule = try #require(Linter.rules.first { $0.id == id })
    let example = rule.firing[index]
    let files = migrations(example.files.map { $0.replacing("↓", with: "") })

    let found = Linter.lint(files, rules: [rule]).map { place($0.location) }

    #expect(Linter.lint(files, rules: [rule]).allSatisfy { $0.code == id && $0.hint != nil })
    #expect(found == marks(example.files), "\(example.files)")
    #expect(!found.isEmpty, "an example that fires needs a mark")
  }

  @Test(arguments: Linter.rules.flatMap { rule in rule.quiet.indices.map { (rule.id, $0) } })
  func `stays quiet`(id: String, index: Int) throws {
    let rule = try #require(Linter.rules.first { $0.id == id })

    let found = Linter.lint(migrations(rule.quiet[index].files), rules: [rule])

    #expect(found.map { $0.rendered() } == [], "\(rule.quiet[index].files)")
  }

  @Test func `has both kinds of example for each rule, and a name of its own`() {
    for rule in Linter.rules {
      #expect(rule.id.hasPrefix("lint.") && !rule.firing.isEmpty && !rule.quiet.isEmpty, "\(rule.id)")
      #expect(!rule.summary.hasSuffix("."))
    }
    #expect(Set(Linter.rules.map(\.id)).count == Linter.rules.count)
    #expect(Linter.rules.map(\.id) == Linter.rules.map(\.id).sorted())
  }

  private func marks(_ files: [String]) -> [String] {
    files.enumerated().flatMap { number, text in
      var found: [String] = []
      var line = 1
      var column = 1
      for character in text.unicodeScalars {
        if character == "↓" {
          found.append("000\(number + 1).sql:\(line):\(column)")
        } else if character == "\n" {
          line += 1
          column = 1
        } else {
          column += 1
        }
      }
      return found
    }
  }
}

/// A chain of these texts.
func migrations(_ texts: [String]) -> [SourceFile] {
  texts.enumerated().map { SourceFile(path: "000\($0 + 1).sql", text: $1) }
}

func place(_ location: Diagnostics.SourceLocation?) -> String {
  location.map { "\($0.file.path):\($0.line):\($0.column)" } ?? "nowhere"
}
