import Testing

@Suite struct UsageErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let id: String
    let line: String
    var environment: [String: String] = [:]
    let expected: String
    var testDescription: String { id }
  }

  static let cases = [
    Case(
      id: "unknown command", line: "migrat",
      expected: """
        error[usage.unknown-command]: 'tool' has no command 'migrat'
        hint: did you mean 'migrate'?
        Usage: tool <command> [options]
        See 'tool --help'.
        """),
    Case(
      id: "unknown subcommand of a group that runs", line: "migrate stauts",
      expected: """
        error[usage.unknown-command]: 'tool migrate' has no command 'stauts'
        hint: did you mean 'status'?
        Usage: tool migrate [options]
               tool migrate <command> [options]
        See 'tool migrate --help'.
        """),
    Case(
      id: "command in the wrong place", line: "repair 7",
      expected: """
        error[usage.unknown-command]: 'tool' has no command 'repair'
        hint: did you mean 'tool migrate repair'?
        Usage: tool <command> [options]
        See 'tool --help'.
        """),
    Case(
      id: "nothing near", line: "frobnicate",
      expected: """
        error[usage.unknown-command]: 'tool' has no command 'frobnicate'
        Usage: tool <command> [options]
        See 'tool --help'.
        """),
    Case(
      id: "hidden commands are not suggested", line: "iner",
      expected: """
        error[usage.unknown-command]: 'tool' has no command 'iner'
        Usage: tool <command> [options]
        See 'tool --help'.
        """),
    Case(
      id: "missing command", line: "stack",
      expected: """
        error[usage.missing-command]: 'tool stack' needs a command
        hint: add one of up, down
        Usage: tool stack <command> [options]
        See 'tool stack --help'.
        """),
    Case(
      id: "unknown option", line: "migrate up --dryrun",
      expected: """
        error[usage.unknown-option]: 'tool migrate up' has no option '--dryrun'
        detail: --dry-run  Show what would run, then stop.
        hint: did you mean '--dry-run'?
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "option of another command", line: "migrate status --dry-run",
      expected: """
        error[usage.unknown-option]: 'tool migrate status' has no option '--dry-run'
        hint: it belongs to 'tool migrate' and 'tool migrate up'
        Usage: tool migrate status [options]
        See 'tool migrate status --help'.
        """),
    Case(
      id: "unknown option before a word", line: "--frmat json migrate",
      expected: """
        error[usage.unknown-option]: 'tool' has no option '--frmat'
        detail: --format <format>  Print in this format. One of text, json, tap. (default: text) [TOOL_FORMAT]
        hint: did you mean '--format'?
        Usage: tool <command> [options]
        See 'tool --help'.
        """),
    Case(
      id: "unknown short option", line: "migrate -x",
      expected: """
        error[usage.unknown-option]: 'tool migrate up' has no option '-x'
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "negation that isn't declared", line: "migrate --no-dry-run",
      expected: """
        error[usage.unknown-option]: 'tool migrate up' has no option '--no-dry-run'
        detail: --dry-run  Show what would run, then stop.
        hint: did you mean '--dry-run'?
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "missing value at the end", line: "migrate --to",
      expected: """
        error[usage.missing-value]: '--to' needs a value
        detail: --to <version>  Stop after this version.
        hint: write '--to=VALUE' for a value that starts with a dash
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "option where a value is expected", line: "migrate --to --dry-run",
      expected: """
        error[usage.missing-value]: '--to' needs a value
        detail: --to <version>  Stop after this version.
        hint: write '--to=VALUE' for a value that starts with a dash
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "value for a flag", line: "migrate --dry-run=yes",
      expected: """
        error[usage.unexpected-value]: '--dry-run' takes no value
        detail: --dry-run  Show what would run, then stop.
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "no such choice", line: "migrate --format jsno",
      expected: """
        error[usage.invalid-value]: '--format' takes one of text, json, tap, not 'jsno'
        detail: --format <format>  Print in this format. One of text, json, tap. (default: text) [TOOL_FORMAT]
        hint: did you mean 'json'?
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "no duration", line: "migrate --lock-timeout 5",
      expected: """
        error[usage.invalid-value]: '--lock-timeout' takes a duration such as 300ms, 5s or 2min, not '5'
        detail: --lock-timeout <duration>  Wait this long for another run that is migrating the same database. \
        (default: 10s) [TOOL_LOCK_TIMEOUT]
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "no number", line: "stack up -j many",
      expected: """
        error[usage.invalid-value]: '-j' takes a whole number, not 'many'
        detail: -j, --jobs <count>  Run so many at once.
        Usage: tool stack up [options]
        See 'tool stack up --help'.
        """),
    Case(
      id: "bad variable", line: "migrate status", environment: ["TOOL_FORMAT": "xml"],
      expected: """
        error[usage.invalid-value]: the variable TOOL_FORMAT takes one of text, json, tap, not 'xml'
        detail: --format <format>  Print in this format. One of text, json, tap. (default: text) [TOOL_FORMAT]
        Usage: tool migrate status [options]
        See 'tool migrate status --help'.
        """),
    Case(
      id: "given twice", line: "migrate --to 1 --to 2",
      expected: """
        error[usage.repeated-option]: '--to' is given twice
        detail: --to <version>  Stop after this version.
        Usage: tool migrate up [options]
        See 'tool migrate up --help'.
        """),
    Case(
      id: "missing required option", line: "migrate repair 7",
      expected: """
        error[usage.missing-option]: 'tool migrate repair' needs '--status'
        detail: --status <status>  What to record. One of applied, reverted.
        Usage: tool migrate repair --status <status> <version> [<count>] [options]
        See 'tool migrate repair --help'.
        """),
    Case(
      id: "missing argument", line: "migrate repair --status applied",
      expected: """
        error[usage.missing-argument]: 'tool migrate repair' needs <version>
        detail: <version>  The migration.
        Usage: tool migrate repair --status <status> <version> [<count>] [options]
        See 'tool migrate repair --help'.
        """),
    Case(
      id: "missing repeated argument", line: "load",
      expected: """
        error[usage.missing-argument]: 'tool load' needs <file>
        detail: <file>...  A file.
        Usage: tool load <file>... [options]
        See 'tool load --help'.
        """),
    Case(
      id: "argument of the wrong type", line: "migrate repair 7 x --status applied",
      expected: """
        error[usage.invalid-value]: <count> takes a whole number, not 'x'
        detail: <count>  How many.
        Usage: tool migrate repair --status <status> <version> [<count>] [options]
        See 'tool migrate repair --help'.
        """),
    Case(
      id: "one argument too many", line: "migrate repair 7 1 2 --status applied",
      expected: """
        error[usage.unexpected-argument]: 'tool migrate repair' has no use for '2'
        detail: it takes at most 2 arguments
        Usage: tool migrate repair --status <status> <version> [<count>] [options]
        See 'tool migrate repair --help'.
        """),
    Case(
      id: "help for no command", line: "help migrate sttus",
      expected: """
        error[usage.unknown-command]: 'tool migrate' has no command 'sttus'
        hint: did you mean 'status'?
        Usage: tool migrate [options]
               tool migrate <command> [options]
        See 'tool migrate --help'.
        """),
  ]

  @Test(arguments: cases) func `says what is wrong with`(_ example: Case) {
    #expect(Fixture.failure(example.line, environment: example.environment) == example.expected)
  }

  @Test func `takes hidden commands and options all the same`() throws {
    #expect(try Fixture.parse("inner").name == "tool inner")
    #expect(try Fixture.parse("migrate", "--secret").arguments[Fixture.secret])
  }
}
