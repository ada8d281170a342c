import Processes

/// The folder of a cluster whose data stay, made, replaced and mended so that a kill at any moment loses
/// nothing and leaves nothing half done.
///
/// In `home` there are, each complete or absent because they come by rename: `data`, the cluster; `data.new`,
/// the one that takes its place; `data.old`, the one it took the place of. `data.copying` may be a part.
package struct DataFolder: Sendable {
  package let home: String
  /// Facts nomdev keeps about the data, inside of them, so that they move with them.
  private static let noteName = "nomdev.note"

  package var path: String { "\(home)/data" }
  private var new: String { "\(home)/data.new" }
  private var old: String { "\(home)/data.old" }
  private var draft: String { "\(home)/data.copying" }

  package init(home: String) { self.home = home }

  package var exists: Bool { Files.status(path) != nil }

  /// Finishes or undoes what a killed process left. Call it with no server running on the data.
  package func mend() throws {
    try Files.remove(draft)
    if !exists {
      // Killed between the two renames: what was to come is complete.
      if Files.status(new) != nil {
        try Files.rename(new, to: path)
      } else if Files.status(old) != nil {
        try Files.rename(old, to: path)
      }
    }
    try Files.remove(new)
    try Files.remove(old)
  }

  /// Makes the data as a copy of a template. Nothing is left behind on failure.
  package func make(from template: TemplateCluster) throws {
    try copy(template, to: path)
  }

  /// Makes the copy that ``putInPlace()`` takes, beside the data, while a server may still use them.
  package func prepareReplacement(from template: TemplateCluster) throws {
    try Files.remove(new)
    try copy(template, to: new)
  }

  /// Puts the prepared copy in the place of the data. Call it with no server running on them.
  package func putInPlace() throws {
    try Files.remove(old)
    if exists { try Files.rename(path, to: old) }
    try Files.rename(new, to: path)
  }

  /// Removes what ``putInPlace()`` put aside.
  package func removeReplaced() throws { try Files.remove(old) }

  private func copy(_ template: TemplateCluster, to target: String) throws {
    try Files.remove(draft)
    do {
      try Files.copyTree(template.data, to: draft, owner: ServerAccount.current())
      try Files.rename(draft, to: target)
    } catch {
      try? Files.remove(draft)
      throw CacheFolder.diskFull(error, home)
    }
  }

  /// Refuses data that this server cannot use, before it tries.
  ///
  /// - Throws: ``ClusterError/dataVersion(found:server:folder:)``,
  ///   ``ClusterError/dataIncomplete(folder:missing:)``.
  package func check(major: Int) throws {
    for name in ["PG_VERSION", "global/pg_control", "base", "pg_wal", "postgresql.conf"] {
      guard Files.exists("\(path)/\(name)") else {
        throw ClusterError.dataIncomplete(folder: path, missing: name)
      }
    }
    let found = try Files.read("\(path)/PG_VERSION").prefix { !$0.isWhitespace }
    guard found == String(major) else {
      throw ClusterError.dataVersion(found: String(found), server: major, folder: path)
    }
  }

  /// What ``write(note:)`` wrote last; nil where it never did.
  package var note: String? { try? Files.read("\(path)/\(Self.noteName)") }

  package func write(note: String) throws { try Files.write(note, to: "\(path)/\(Self.noteName)") }
}
