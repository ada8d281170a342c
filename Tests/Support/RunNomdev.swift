import Processes

/// The `nomdev` that was built with these tests, run as a user runs it.
package enum Nomdev {
  /// What a run gave back.
  package struct Outcome: Sendable {
    package let end: ProcessEnd
    package let output: String
    package let errors: String

    /// The exit code; nil when a signal ended it.
    package var status: Int32? { if case .exited(let code) = end { code } else { nil } }
  }

  package static let program = builtProgram("nomdev")

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - environment: Besides what finds programs and the user's folders, the only variables there are.
  ///   - folder: The folder it runs in; nil is the one of this process.
  package static func run(
    _ arguments: String..., environment: [String: String] = [:], folder: String? = nil, input: String = ""
  ) throws -> Outcome {
    try run(arguments, environment: environment, folder: folder, input: input)
  }

  package static func run(
    _ arguments: [String], environment: [String: String] = [:], folder: String? = nil, input: String = ""
  ) throws -> Outcome {
    try finish(launch(program, arguments, environment, folder), input: input)
  }

  /// A line for bash in which `$nomdev` is the binary.
  package static func shell(
    _ line: String, environment: [String: String] = [:], folder: String? = nil
  ) throws -> Outcome {
    let variables = environment.merging(["nomdev": program]) { $1 }
    return try finish(launch("/bin/bash", ["-c", line], variables, folder), input: "")
  }

  /// What starts it, for tests that do more with it than wait.
  package static func launch(
    _ arguments: [String], environment: [String: String] = [:], folder: String? = nil
  ) -> Launch {
    launch(program, arguments, environment, folder)
  }

  private static func launch(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ folder: String?
  ) -> Launch {
    var launch = Launch(program, arguments)
    let inherited = ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_STATE_HOME", "NOMDEV_PG_BIN"]
    let own = ProcessEnvironment.all.filter { inherited.contains($0.key) }
    launch.environment = ["PATH": "/usr/bin:/bin"].merging(own) { $1 }.merging(environment) { $1 }
    launch.folder = folder
    return launch
  }

  private static func finish(_ launch: Launch, input: String) throws -> Outcome {
    let finished = try ChildProcess.run(launch, input: Array(input.utf8))
    return Outcome(end: finished.status, output: finished.outputText, errors: finished.errorText)
  }
}

/// A program that was built with these tests.
package func builtProgram(_ name: String) -> String { "\(productsFolder)/\(name)" }

private let productsFolder: String = {
  // Linux: the tests are a program themselves, and `nomdev` lies beside it. macOS: xctest loads a bundle that
  // lies beside it, and gets its path as an argument.
  let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? "."
  let program = Files.real("/proc/self/exe") ?? bundle
  let path = program.contains(".xctest") ? program : bundle
  // In a bundle the program lies deeper: up to what is named .xctest.
  var end = path
  while !end.hasSuffix(".xctest"), let parent = Files.parent(of: end), parent != end { end = parent }
  return Files.parent(of: end) ?? "."
}()
