import Diagnostics
import Postgres
import Scripts
import Tokens

/// A file of roles that a new local database gets before its first migration.
package struct RolesFile {
  private let source: SourceFile

  package init(source: SourceFile) { self.source = source }

  /// Runs the file in one transaction, together with a note that it ran: a role can be made only once, and
  /// the first migration may still be refused.
  ///
  /// - Parameter withFacts: Whether nomdev's own tables are there to hold the note.
  /// - Throws: `ScriptError` with the place; nothing of it stays.
  func run(on db: Connection, withFacts: Bool) throws {
    let script = try RunnableScript(source, serverVersion: db.serverVersion, code: "migrate")
    let platform = try PlatformStatements(db, for: [script])
    _ = try db.transaction {
      try db.run(script.chunks(substitute: platform.substitute), of: source, code: "migrate.sql")
      guard withFacts else { return }
      // The file may have ended as one of its roles.
      try db.run("set local session authorization default")
      try db.run(Ledger.rolesNote(checksum: Digest.sha256(Array(source.text.utf8))))
    }
  }
}
