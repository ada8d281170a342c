import Arguments
import Diagnostics

/// A table with one of everything.
enum Fixture {
  enum Format: String, CaseIterable, ArgumentValue { case text, json, tap }
  enum Status: String, CaseIterable, ArgumentValue { case applied, reverted }

  static let format = DefaultedOption<Format>(
    "format", value: "format", default: .text, environment: "TOOL_FORMAT", help: "Print in this format.")
  static let project = Option<String>(
    "project", value: "dir", completing: .directories, help: "Work on this project.")
  static let quiet = Flag("quiet", short: "q", help: "Say less.")
  static let dryRun = Flag("dry-run", help: "Show what would run, then stop.")
  static let to = Option<String>("to", value: "version", help: "Stop after this version.")
  static let lockTimeout = DefaultedOption<Duration>(
    "lock-timeout", value: "duration", default: .seconds(10), environment: "TOOL_LOCK_TIMEOUT",
    help: "Wait this long for another run that is migrating the same database.")
  static let checks = Flag("checks", default: true, negatable: true, help: "Check what was done.")
  static let secret = Flag("secret", hidden: true, help: "Not for everyone.")
  static let jobs = Option<Int>("jobs", short: "j", value: "count", help: "Run so many at once.")
  static let tags = RepeatedOption<String>("tag", value: "tag", help: "Only what has this tag.")
  static let status = RequiredOption<Status>("status", value: "status", help: "What to record.")
  static let version = Argument<String>("version", help: "The migration.")
  static let count = OptionalArgument<Int>("count", help: "How many.")
  static let files = RepeatedArgument<String>("file", required: true, completing: .files, help: "A file.")

  private static let run: CommandSpec<Void>.Run = { _, _ in .success }

  static let up = CommandSpec<Void>(
    "up", abstract: "Apply pending migrations, oldest first.",
    options: [dryRun, to, lockTimeout, checks, secret],
    run: run)

  static let migrate = CommandSpec<Void>(
    "migrate", abstract: "Apply pending migrations, oldest first.",
    discussion: """
      Each file runs in a transaction of its own that also holds its row of the ledger, so that a failure \
      leaves nothing of it behind.

        a line that is kept   as it is
      """,
    examples: [Example("tool migrate --dry-run", "Show what would run.")],
    exitNotes: [ExitNote(.success, "Applied, or up to date."), ExitNote(.failure, "A file was refused.")],
    subcommands: [
      up, CommandSpec("status", abstract: "Show what is applied and what isn't.", options: [tags], run: run),
      CommandSpec(
        "repair", abstract: "Change the ledger.", options: [status], arguments: [version, count], run: run),
    ],
    defaultSubcommand: "up")

  static let root = CommandSpec<Void>(
    "tool", abstract: "Do things to databases.", options: [project, format, quiet],
    examples: [Example("tool migrate", "Say 'go'.")],
    subcommands: [
      migrate,
      CommandSpec(
        "stack", abstract: "Run the local stack.",
        subcommands: [
          CommandSpec("up", abstract: "Start it.", options: [jobs], run: run),
          CommandSpec("down", abstract: "Stop it. 'Stop' it's.", run: run),
        ]),
      CommandSpec("load", abstract: "Load files.", arguments: [files], run: run),
      CommandSpec("inner", abstract: "Not listed.", hidden: true, run: run),
    ])

  /// The command and its arguments; any other request is a failure of the test.
  static func parse(
    _ words: String..., environment: [String: String] = [:]
  ) throws -> (name: String, arguments: ParsedArguments) {
    guard case .run(let path, let arguments) = try CommandParser(root, environment: environment).parse(words)
    else { throw NotARun() }
    return (path.name, arguments)
  }

  struct NotARun: Error {}

  /// The error as the user sees it.
  static func failure(_ line: String, environment: [String: String] = [:]) -> String {
    do {
      _ = try CommandParser(root, environment: environment).parse(line.split(separator: " ").map(String.init))
      return "no error"
    } catch let error as UsageError {
      return error.diagnostic.rendered() + "\n" + error.usage
    } catch {
      return "\(error)"
    }
  }

  static func help(_ words: String...) throws -> String {
    guard case .help(let path) = try CommandParser(root).parse(words) else { throw NotARun() }
    return path.help()
  }
}
