import Arguments
import Diagnostics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Parse, run, and turn whatever happened into an exit code.
func runProgram(_ words: [String]) -> ExitCode {
  Terminal.surviveClosedPipes()
  let root = CommandTable.root
  let environment = Terminal.environment(root.environmentVariables + ["NO_COLOR", "TERM"])
  var console = Console(environment: environment)
  do {
    switch try CommandParser(root, environment: environment).parse(words) {
    case .help(let path):
      try console.write(path.help(width: console.width, style: console.style))
      return .success
    case .version:
      try console.print("nomdev \(ToolVersion.current)")
      return .success
    case .run(let path, let arguments):
      console = Console(arguments, environment: environment)
      guard let run = path.command.run else { preconditionFailure("\(path.name) can't run") }
      return try run(arguments, console)
    }
  } catch {
    return console.report(error)
  }
}

exit(runProgram(Array(CommandLine.arguments.dropFirst())).rawValue)
