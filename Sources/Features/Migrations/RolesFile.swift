import Diagnostics
import Postgres
import Scripts

/// A file of roles that a new local database gets before its first migration.
package struct RolesFile {
  private let source: SourceFile

  package init(source: SourceFile) { self.source = source }

  /// Runs the file in one transaction. It is recorded nowhere.
  ///
  /// - Throws: `ScriptError` with the place; nothing of it stays.
  package func run(on db: Connection) throws {
    let script = try RunnableScript(source, serverVersion: db.serverVersion, code: "migrate")
    let platform = try PlatformStatements(db, for: [script])
    _ = try db.transaction {
      try db.run(script.chunks(substitute: platform.substitute), of: source, code: "migrate.sql")
    }
  }
}
