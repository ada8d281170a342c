import Arguments
import Diagnostics
import Lint
import Migrations

extension CommandTable {
  static let migrateLint = Command(
    "lint", abstract: "Find statements that succeed without doing what they say.",
    discussion: """
      Reads the files alone and connects to nothing. A finding can be allowed at its place with a comment that \
      gives a reason: -- nomdev: allow lint.RULE because REASON. The rules are listed in docs/lint.md.
      """,
    options: [DatabaseOptions.directory, strict],
    examples: [
      Example("nomdev migrate lint", "Judge the project's migrations."),
      Example("nomdev migrate lint --format sarif > lint.sarif", "Give findings to a code scanner."),
    ],
    exitNotes: [ExitNote(.findings, "an error was found, or with --strict a warning")]
  ) { arguments, console in
    try console.requireFormat(.text, .json, .github, .sarif, in: arguments)
    let workspace = try Workspace(arguments, console, required: arguments[DatabaseOptions.directory] == nil)
    let folder = try workspace.migrations(in: arguments[DatabaseOptions.directory])
    let findings = Linter.lint(folder.files.map(\.source))
    switch console.format {
    case .json: try console.write(findings.json().text(pretty: true) + "\n")
    case .github: try console.write(findings.gitHubAnnotations())
    case .sarif:
      let rules = Linter.rules.map { RuleDescription($0.id, summary: $0.summary, helpURI: $0.page) }
      let log = findings.sarif(tool: "nomdev", version: ToolVersion.current, rules: rules)
      try console.write(log.text(pretty: true) + "\n")
    default: try printText(findings, folder, console)
    }
    let fatal: [Severity] = arguments[strict] ? [.error, .warning] : [.error]
    return findings.contains { fatal.contains($0.severity) } ? .findings : .success
  }

  private static let strict = Flag("strict", help: "Let warnings fail, too.")

  private static func printText(
    _ findings: [Diagnostic], _ folder: MigrationFolder, _ console: Console
  ) throws {
    for finding in findings { try console.print(finding.rendered(style: console.style) + "\n") }
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count { $0.severity == .warning }
    try console.print(
      """
      \(counted(folder.files.count, "file")) in \(folder.path): \(counted(errors, "error")), \
      \(counted(warnings, "warning")).
      """)
  }
}
