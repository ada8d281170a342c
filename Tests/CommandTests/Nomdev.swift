import Foundation

/// The built binary, run as a user runs it.
enum Nomdev {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Beside the test bundle: `.build/debug/nomdev`.
  static var path: String {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    // On macOS the tests run inside another program, which is told the bundle's path.
    if let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) {
      folder = URL(fileURLWithPath: bundle)
    } else if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
      folder = bundle.bundleURL
    }
    return folder.deletingLastPathComponent().appendingPathComponent("nomdev").path
  }

  /// - Parameter environment: Besides PATH, the only variables there are.
  static func run(
    _ arguments: String..., environment: [String: String] = [:], input: String = ""
  ) throws -> Outcome {
    try execute(path, arguments, environment: environment, input: input)
  }

  /// A line for bash in which `$nomdev` is the binary.
  static func shell(_ line: String, environment: [String: String] = [:]) throws -> Outcome {
    try execute(
      "/bin/bash", ["-c", line], environment: environment.merging(["nomdev": path]) { $1 }, input: "")
  }

  private static func execute(
    _ program: String, _ arguments: [String], environment: [String: String], input: String
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
    // Files rather than pipes: nobody has to empty them while the program runs.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nomdev-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["input", "output", "errors"].map { folder.appendingPathComponent($0) }
    for file in files { try Data(file.lastPathComponent == "input" ? input.utf8 : "".utf8).write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }
}
