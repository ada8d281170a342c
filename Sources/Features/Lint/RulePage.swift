import Diagnostics

extension Rule {
  /// The rule's page in Markdown, made of what the rule says about itself, so that the two can't differ.
  package var markdown: String {
    var lines = [
      "# \(id)", "", summary + ".", "", "Severity: \(severity.rawValue)", "", "## Problem", "", problem, "",
      "## Solution", "", solution, "", "## Fires", "",
    ]
    for example in firing { lines += Self.listing(example) }
    lines += ["The `↓` marks the place of the finding.", "", "## Doesn't fire", ""]
    for example in quiet { lines += Self.listing(example) }
    lines += [
      "## Allowing it", "",
      "On its own line above the statement, or behind code on the line of the finding; the reason is required:",
      "", "```sql", "-- nomdev: allow \(id) because <reason>", "```", "",
    ]
    return lines.joined(separator: "\n")
  }

  private static func listing(_ example: Example) -> [String] {
    var lines = ["```sql"]
    for (number, file) in example.files.enumerated() {
      if example.files.count > 1 { lines.append("-- file \(number + 1)") }
      lines.append(file)
    }
    return lines + ["```", ""]
  }
}
