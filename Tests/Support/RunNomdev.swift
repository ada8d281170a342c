import Processes

/// What a run of the built `nomdev` gave back.
package struct NomdevRun: Sendable {
  package let status: ProcessEnd
  package let stdout: String
  package let stderr: String

  /// The exit code; nil when a signal ended it.
  package var code: Int32? { if case .exited(let code) = status { code } else { nil } }
}

/// Runs the `nomdev` that was built with these tests, to its end.
///
/// - Parameters:
///   - environment: Variables beside those of this process, of which the user's `PG…` are left out.
///   - directory: The folder it runs in; nil is the one of this process.
package func runNomdev(
  _ arguments: [String], environment: [String: String] = [:], directory: String? = nil, stdin: String = ""
) throws -> NomdevRun {
  var launch = Launch(nomdevProgram, arguments)
  launch.environment = nomdevEnvironment.merging(environment) { _, given in given }
  launch.folder = directory
  let finished = try ChildProcess.run(launch, input: Array(stdin.utf8))
  return NomdevRun(status: finished.status, stdout: finished.outputText, stderr: finished.errorText)
}

/// The built program, for tests that start it themselves, to kill it for instance.
package let nomdevProgram = builtProgram("nomdev")

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

package var nomdevEnvironment: [String: String] {
  ProcessEnvironment.all.filter { !$0.key.hasPrefix("PG") }
}
