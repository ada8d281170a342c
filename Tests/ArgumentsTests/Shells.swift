import Foundation

/// Other programs that judge what was generated.
enum Shells {
  /// The program's path, nil where this machine lacks it.
  static func find(_ name: String) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program with `input` on its standard input; what it printed on both streams.
  static func run(_ program: String, _ arguments: [String], input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = Pipe()
    let source = Pipe()
    process.standardInput = source
    process.standardOutput = output
    process.standardError = output
    try process.run()
    source.fileHandleForWriting.write(Data(input.utf8))
    try source.fileHandleForWriting.close()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A folder that lives as long as `body` runs.
  static func withFolder<T>(_ body: (String) throws -> T) throws -> T {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "arguments-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }
}
