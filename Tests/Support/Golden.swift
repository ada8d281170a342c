import Processes
import Testing

/// Compares a text with `Tests/Golden/<name>.txt`. With `NOMDEV_RECORD=1` it writes the file instead, and the
/// difference is reviewed in git.
package func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let file = "\(goldenFolder)/\(name).txt"
  if ProcessEnvironment.value("NOMDEV_RECORD") == "1" {
    do {
      if let parent = Files.parent(of: file) { try Files.makeFolder(parent, mode: 0o755) }
      return try Files.write(text + "\n", to: file, mode: 0o644)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
  guard let expected = try? Files.read(file) else {
    Issue.record("no golden file \(name).txt: record it with NOMDEV_RECORD=1", sourceLocation: sourceLocation)
    return
  }
  #expect(text + "\n" == expected, sourceLocation: sourceLocation)
}

private let goldenFolder: String = {
  let support = Files.parent(of: #filePath) ?? "."
  return "\(Files.parent(of: support) ?? ".")/Golden"
}()
