import Diagnostics

/// One way a migration can report success and change nothing, or less than it says.
package struct Rule: Sendable {
  /// Stable: `lint.` and the name of the rule's page.
  package let id: String
  /// What its findings weigh unless they say otherwise.
  package let severity: Severity
  /// One line for a list of rules.
  package let summary: String
  /// Why it matters, in the words of the page.
  package let problem: String
  /// What to write instead.
  package let solution: String
  /// Files that fire, each place marked with a `↓` in front of it.
  package let firing: [Example]
  /// Files that don't.
  package let quiet: [Example]
  let check: @Sendable (Chain) -> [Finding]

  /// Where the rule's page is, from the repository's root.
  package var page: String { "docs/lint/\(name).md" }

  /// The id without its family.
  package var name: String { String(id.dropFirst("lint.".count)) }

  /// The files of a small chain, oldest first.
  package struct Example: Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    package let files: [String]

    package init(stringLiteral text: String) { files = [text] }
    package init(arrayLiteral files: String...) { self.files = files }
  }
}

/// What a rule found.
struct Finding: Sendable {
  let site: Site
  let message: String
  var detail: String?
  let hint: String
  /// Where it weighs something else than the rule.
  var severity: Severity?
  /// How many bytes the caret covers.
  var width = 1
}
