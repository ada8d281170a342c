import Processes

/// The folder of a cluster whose data stay, made, replaced and mended so that a kill at any moment loses
/// nothing and leaves nothing half done.
///
/// In `home` there are, each complete or absent because they come by rename: `data`, the cluster, and
/// `data.new`, an unused copy of the template that a reset puts in its place. `data.old` is what a reset took
/// away and `data.draft` a copy in the making: both become the next `data.new`.
package struct DataFolder: Sendable {
  package let home: String
  /// Facts nomdev keeps about the data, inside of them, so that they move with them.
  private static let noteName = "nomdev.note"
  /// In `data.new`: the template it is a copy of.
  private static let originName = "nomdev.origin"

  package var path: String { "\(home)/data" }
  private var new: String { "\(home)/data.new" }
  private var old: String { "\(home)/data.old" }
  private var draft: String { "\(home)/data.draft" }

  package init(home: String) { self.home = home }

  package var exists: Bool { Files.status(path) != nil }

  /// Finishes or undoes a reset that was killed. A server may run on the data: what a kill leaves to mend has
  /// none, because the server is stopped before anything is renamed.
  package func mend() throws {
    guard !exists else { return }
    // Killed between the two renames: what was to come is complete.
    if Files.status(old) != nil { try Files.rename(Files.status(new) != nil ? new : old, to: path) }
  }

  /// Makes the data as a copy of a template. Nothing is left behind on failure.
  package func make(from template: TemplateCluster) throws {
    try copy(template)
    try Files.rename(draft, to: path)
  }

  /// Makes the copy that ``putInPlace()`` takes, if it is not there already. A server may use the data.
  package func prepareReplacement(from template: TemplateCluster) throws {
    if (try? Files.read("\(new)/\(Self.originName)")) == template.folder { return }
    if Files.status(new) != nil { try recycle(new) }
    try copy(template)
    try Files.rename(draft, to: new)
  }

  /// Puts the prepared copy in the place of the data. Call it with no server running on them.
  package func putInPlace() throws {
    if Files.status(old) != nil { try recycle(old) }
    if exists { try Files.rename(path, to: old) }
    try Files.rename(new, to: path)
  }

  /// Makes what ``putInPlace()`` took away the next replacement, so that the next reset need not copy.
  /// It must not cost the reset that was done: on a disk too full it is removed.
  package func recycleReplaced(for template: TemplateCluster) throws {
    do {
      try recycle(old)
      try prepareReplacement(from: template)
    } catch {
      try Files.remove(draft)
    }
  }

  /// Makes a folder the draft that the next copy overwrites.
  private func recycle(_ folder: String) throws {
    try Files.remove(draft)
    try Files.rename(folder, to: draft)
  }

  private func copy(_ template: TemplateCluster) throws {
    do {
      try Files.copyTree(template.data, to: draft, owner: ServerAccount.current())
      try Files.write(template.folder, to: "\(draft)/\(Self.originName)")
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
