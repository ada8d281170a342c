import Diagnostics
import Postgres

extension Snapshot {
  /// What to read beside the catalog's objects.
  package struct Scope: Sendable {
    /// Schemas that are left out: the tool's own ledger.
    package var leftOut = ["supabase_migrations", "nomdev"]
    /// Whether to read what needs what; only making statements needs it.
    package var needs = false
    package var rows = RowScope.none

    package init(needs: Bool = false, rows: RowScope = .none) {
      self.needs = needs
      self.rows = rows
    }
  }

  /// Reads one consistent state in one read-only transaction, in one round trip (two with rows): it works
  /// behind a pooler in transaction mode and as any role.
  ///
  /// What the role may not see is named in ``unseen``; a server that goes away, or refuses, is an error.
  ///
  /// - Throws: `PostgresError`. The session is outside of any transaction afterwards.
  package static func read(_ db: Connection, _ scope: Scope = Scope()) throws -> Snapshot {
    guard db.serverVersion >= 150_000 else { throw CatalogError.serverTooOld(db.serverVersion) }
    do {
      return try reading(db, scope)
    } catch {
      if db.transactionStatus != .idle, db.transactionStatus != .unknown { _ = try? db.run("rollback") }
      throw error
    }
  }

  private static func reading(_ db: Connection, _ scope: Scope) throws -> Snapshot {
    let queries = CatalogQuery.all.filter { scope.needs || $0.name != "dependencies" }
    let left = SQL.arrayLiteral(scope.leftOut)
    let statements = queries.map { query -> SQL in
      query.sql.contains("$1") ? SQL(trusted: query.sql, binding: [left]) : SQL(trusted: query.sql)
    }
    // An empty search path makes every name come with its schema.
    let answers = try db.pipeline(
      [
        "begin isolation level repeatable read read only", "set local search_path = ''",
        "set local default_table_access_method = 'heap'",
      ] + statements)
    var assembly = Assembly()
    for (query, rows) in zip(queries, answers.dropFirst(3)) {
      switch query.name {
      case "server": break
      case "remarks": assembly.addRemarks(rows)
      case "dependencies": assembly.addDependencies(rows)
      case "uncovered": assembly.notCovered = rows.map { "\($0[0] ?? "") \($0[1] ?? "")" }
      default: assembly.add(rows)
      }
    }
    var entries = assembly.entries()
    var unseen: [String] = []
    if case .none = scope.rows {
    } else {
      let rows = try RowReader(db: db, entries: entries).read(scope.rows)
      entries += rows.entries
      unseen += rows.unseen
    }
    try db.run("commit")
    return Snapshot(
      entries, serverVersion: db.serverVersion, notCovered: assembly.notCovered.sorted(), unseen: unseen)
  }
}

/// Why a database can't be described.
package enum CatalogError: Diagnosable {
  case serverTooOld(Int)

  package var diagnostics: [Diagnostic] {
    switch self {
    case .serverTooOld(let version):
      [
        Diagnostic(
          "state.server-version", "the server is PostgreSQL \(version / 10_000), which is older than 15",
          hint: "use a server of PostgreSQL 15 to 18")
      ]
    }
  }
}
