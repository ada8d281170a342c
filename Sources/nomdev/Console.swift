import Arguments
import Diagnostics
import Synchronization

/// Output that could not be written, such as a full disk behind a redirect.
struct OutputError: Diagnosable {
  let reason: String

  var diagnostics: [Diagnostic] {
    [Diagnostic("console.output", "the output could not be written", detail: reason)]
  }
}

/// The one place that prints. Results go to standard output; progress, questions and errors to standard error.
final class Console: Sendable {
  enum Verbosity: Int, Sendable, Comparable {
    case quiet, normal, verbose

    static func < (a: Verbosity, b: Verbosity) -> Bool { a.rawValue < b.rawValue }
  }

  let format: OutputFormat
  let verbosity: Verbosity
  /// For results.
  let style: Style
  /// For progress and errors, which may go to another place than results.
  let errorStyle: Style

  private let output = OutputStream.standardOutput
  private let errors = OutputStream.standardError
  private let showsProgress: Bool
  /// Whether a "…" line is on the terminal, waiting to be replaced.
  private let hasPendingLine = Mutex(false)

  /// - Parameter environment: `NO_COLOR` and `TERM` are read.
  init(
    format: OutputFormat = .text, color: ColorChoice = .auto, verbosity: Verbosity = .normal,
    environment: [String: String]
  ) {
    self.format = format
    self.verbosity = verbosity
    style = Style.chosen(
      isTerminal: output.isTerminal, environment: environment, choice: color.decision)
    errorStyle = Style.chosen(
      isTerminal: errors.isTerminal, environment: environment, choice: color.decision)
    showsProgress = verbosity > .quiet && errors.isTerminal && environment["TERM"] != "dumb"
  }

  convenience init(_ arguments: ParsedArguments, environment: [String: String]) {
    self.init(
      format: arguments[Global.format], color: arguments[Global.color],
      verbosity: arguments[Global.quiet] ? .quiet : arguments[Global.verbose] ? .verbose : .normal,
      environment: environment)
  }

  /// Columns that texts should fill: the terminal's, but no more than 100, and 80 where there is none.
  var width: Int { min(100, max(40, output.columns ?? 80)) }

  // MARK: Results

  /// A result, with a line end.
  func print(_ line: String = "") throws { try write(line + "\n") }

  /// A result that brings its own line ends.
  func write(_ text: String) throws {
    clearPendingLine()
    try output.write(text)
  }

  /// Refuses a `--format` the command has no rendering for, before any work is done.
  func requireFormat(_ formats: OutputFormat..., in arguments: ParsedArguments) throws {
    if formats.contains(format) { return }
    throw UsageError(
      "unsupported-format", "'\(arguments.commandName)' can't print \(format.rawValue)",
      hint: "use one of \(formats.map(\.rawValue).joined(separator: ", "))", in: arguments)
  }

  // MARK: Progress

  /// Says what has begun and may take a while. ``finish(_:)`` replaces the line. Only on a terminal.
  func begin(_ what: String) {
    guard showsProgress else { return }
    let columns = errors.columns ?? 80
    clearPendingLine()
    say(String(what.prefix(max(10, columns - 3))) + " …")
    hasPendingLine.withLock { $0 = true }
  }

  /// One line about a finished item. On a terminal, or with `--verbose`.
  func finish(_ line: String) {
    guard showsProgress || verbosity == .verbose else { return }
    clearPendingLine()
    say(line + "\n")
  }

  /// A remark that isn't a result. Not with `--quiet`.
  func note(_ text: String) {
    guard verbosity > .quiet else { return }
    clearPendingLine()
    say(text + "\n")
  }

  /// A remark with `--verbose` only.
  func remark(_ text: String) {
    if verbosity == .verbose { note(text) }
  }

  private func clearPendingLine() {
    let wasPending = hasPendingLine.withLock { pending in
      defer { pending = false }
      return pending
    }
    if wasPending { say("\r\u{1B}[K") }
  }

  /// Standard error is where a failure to write would be told, so one there can only be dropped.
  private func say(_ text: String) { try? errors.write(text) }

  // MARK: Questions

  /// Asks a yes/no question on the terminal; no is the default.
  ///
  /// - Parameter assumingYes: The user gave `--yes`; nothing is asked.
  /// - Throws: A diagnostic where there is no terminal to ask on. Standard input is never read for an answer.
  func confirm(_ question: String, assumingYes: Bool) throws -> Bool {
    if assumingYes { return true }
    clearPendingLine()
    guard let answer = Terminal.ask("\(question) [y/N] ") else {
      throw Diagnostic(
        "console.no-terminal", "there is no terminal to ask on", detail: question,
        hint: "run it again with --yes if you are sure")
    }
    return ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
  }

  // MARK: Diagnostics and errors

  /// Warnings and errors, on standard error, in the format chosen where it has one for them.
  func report(_ diagnostics: [Diagnostic]) {
    if diagnostics.isEmpty { return }
    clearPendingLine()
    switch format {
    case .json: say(diagnostics.json().text(pretty: true) + "\n")
    case .github: say(diagnostics.gitHubAnnotations())
    default: say(diagnostics.map { $0.rendered(style: errorStyle) + "\n" }.joined())
    }
  }

  /// Shows whatever a command threw, once, and says how the process ends.
  func report(_ error: any Error) -> ExitCode {
    switch error {
    case let error as UsageError:
      report(error.diagnostics)
      if format == .text { say(error.usage + "\n") }
      return .usage
    case let error as any Diagnosable:
      report(error.diagnostics)
    default:
      report([
        Diagnostic(
          "internal.unexpected", "nomdev met an error it has no words for", detail: String(describing: error),
          hint: "please report this, with the command you ran")
      ])
    }
    return .failure
  }
}
