import Arguments
import Diagnostics
import Testing

@Suite struct HelpTests {
  @Test func `shows the commands and options of the program`() throws {
    #expect(
      try Fixture.help("--help") == """
        Do things to databases.

        Usage: tool <command> [options]

        Commands:
          migrate  Apply pending migrations, oldest first.
          stack    Run the local stack.
          load     Load files.

        Options:
              --project <dir>    Work on this project.
              --format <format>  Print in this format. One of text, json, tap. (default:
                                 text) [TOOL_FORMAT]
          -q, --quiet            Say less.
              --version          Show the version, then stop.
          -h, --help             Show help, then stop.

        Examples:
          tool migrate
              Say 'go'.

        Exit codes:
          0   Done, or nothing to do.
          1   A check found something.
          2   Could not finish.
          64  The command line makes no sense.

        See 'tool help <command>' for more about one command.

        """)
  }

  @Test func `shows what a group does by itself`() throws {
    #expect(
      try Fixture.help("migrate", "--help") == """
        Apply pending migrations, oldest first.

        Usage: tool migrate [options]
               tool migrate <command> [options]

        Each file runs in a transaction of its own that also holds its row of the
        ledger, so that a failure leaves nothing of it behind.

          a line that is kept   as it is

        Commands:
          up      Apply pending migrations, oldest first. (default)
          status  Show what is applied and what isn't.
          repair  Change the ledger.

        Options:
              --dry-run                  Show what would run, then stop.
              --to <version>             Stop after this version.
              --lock-timeout <duration>  Wait this long for another run that is
                                         migrating the same database. (default: 10s)
                                         [TOOL_LOCK_TIMEOUT]
              --[no-]checks              Check what was done. (default: on)

        Global options:
              --project <dir>            Work on this project.
              --format <format>          Print in this format. One of text, json, tap.
                                         (default: text) [TOOL_FORMAT]
          -q, --quiet                    Say less.
          -h, --help                     Show help, then stop.

        Examples:
          tool migrate --dry-run
              Show what would run.

        Exit codes:
          0   Applied, or up to date.
          2   A file was refused.
          64  The command line makes no sense.

        """)
  }

  @Test func `shows the arguments of a command`() throws {
    #expect(
      try Fixture.help("help", "migrate", "repair") == """
        Change the ledger.

        Usage: tool migrate repair --status <status> <version> [<count>] [options]

        Arguments:
          <version>  The migration.
          <count>    How many.

        Options:
              --status <status>  What to record. One of applied, reverted.

        Global options:
              --project <dir>    Work on this project.
              --format <format>  Print in this format. One of text, json, tap. (default:
                                 text) [TOOL_FORMAT]
          -q, --quiet            Say less.
          -h, --help             Show help, then stop.

        """)
  }

  @Test(arguments: [40, 60, 80, 100]) func `keeps to the width`(width: Int) throws {
    guard case .help(let path) = try CommandParser(Fixture.root).parse(["migrate", "--help"]) else {
      throw Fixture.NotARun()
    }

    let lines = path.help(width: width).split(separator: "\n")

    // The explanations have at least 20 columns, whatever the width.
    #expect(lines.allSatisfy { $0.count <= max(width, 53) })
  }

  @Test func `says the same with colour`() throws {
    guard case .help(let path) = try CommandParser(Fixture.root).parse(["migrate", "--help"]) else {
      throw Fixture.NotARun()
    }

    let coloured = path.help(style: .colour)

    #expect(coloured.contains("\u{1B}[1mOptions:\u{1B}[0m\n"))
    #expect(coloured.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "") == path.help())
  }

  @Test func `leaves out what is hidden`() throws {
    #expect(!(try Fixture.help("--help")).contains("inner"))
    #expect(!(try Fixture.help("migrate", "up", "--help")).contains("secret"))
  }
}
