import Diagnostics
import Processes

/// Puts one file in the place of many so that a stop at any moment loses nothing: a note says what was to be done,
/// and the next run does the rest.
struct FileReplacement {
  let folder: String

  /// Beside the folder, so that no other tool reads the old files as migrations.
  var archive: String { "\(folder)-archive" }
  private var note: String { "\(folder)/.squash" }
  private var draft: String { "\(folder)/.squash.sql" }

  /// The lock of this folder; nil while another run holds it.
  func lock() throws -> FileLock? { try FileLock.tryToTake("\(folder)/.squash.lock") }

  /// - Parameter old: Names of the files that go.
  func run(_ name: String, _ text: String, old: [String], isDeleting: Bool) throws {
    try Files.write(text, to: draft, mode: 0o644)
    // From here on the work is done to its end, by this run or by the next.
    try Files.write(
      ([isDeleting ? "delete" : "archive", name] + old).joined(separator: "\n") + "\n", to: note, mode: 0o644)
    _ = try finishInterrupted()
  }

  /// Does what is left of a replacement that was begun.
  ///
  /// - Returns: Whether there was one.
  func finishInterrupted() throws -> Bool {
    guard Files.exists(note) else { return false }
    let lines = try Files.read(note).split(separator: "\n").map(String.init)
    guard lines.count > 2 else {
      try Files.remove(note)
      return false
    }
    if lines[0] == "archive" { try Files.makeFolder(archive, mode: 0o755) }
    // Once the draft has its final name, a file of that name is the baseline and no old file.
    let isPlaced = !Files.exists(draft)
    for old in lines.dropFirst(2) where Files.exists("\(folder)/\(old)") && !(isPlaced && old == lines[1]) {
      if lines[0] == "archive" {
        try Files.rename("\(folder)/\(old)", to: "\(archive)/\(old)")
      } else {
        try Files.remove("\(folder)/\(old)")
      }
    }
    if !isPlaced { try Files.rename(draft, to: "\(folder)/\(lines[1])") }
    try Files.remove(note)
    return true
  }
}
