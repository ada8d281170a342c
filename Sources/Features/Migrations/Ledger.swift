import Diagnostics
import JSONValues
import Postgres

/// A row of the ledger `supabase_migrations.schema_migrations`, with nomdev's own facts where it has any.
package struct LedgerRow: Sendable, Hashable {
  package let version: String
  package let name: String?
  /// The file's statements as they were split when it was applied; nil when the version was only marked.
  package let statements: [String]?
  /// sha256 of the file; nil when another tool applied it.
  package let checksum: String?
  package let appliedAt: String?
}

/// Reads and writes what was applied to a database.
///
/// The ledger is the Supabase CLI's own table, written by column name because hosted projects have more
/// columns. What nomdev knows beyond it lives beside it in the schema `nomdev`; without that schema, or
/// without the right to make it, everything still works.
package struct Ledger {
  let db: Connection

  package init(_ db: Connection) { self.db = db }

  private static let table = "supabase_migrations.schema_migrations"

  /// Every row, in version order byte by byte. Changes nothing: a database without a ledger has no rows.
  ///
  /// - Parameters:
  ///   - folder: What the rows will be compared with: rows of files that are as they were come without
  ///     statements, which may be megabytes.
  ///   - withStatements: Whether the statements of every row are wanted all the same.
  package func rows(for folder: MigrationFolder, withStatements: Bool = false) throws -> [LedgerRow] {
    try rows(sameFiles: withStatements ? [] : folder.files.map(\.checksum))
  }

  /// Every row with its statements.
  package func rows() throws -> [LedgerRow] { try rows(sameFiles: []) }

  private func rows(sameFiles checksums: [String]) throws -> [LedgerRow] {
    let shape = try shape()
    guard shape.hasLedger else { return [] }
    var statements = shape.hasStatements ? "array_to_json(l.statements)::text" : "null"
    if shape.hasFacts {
      statements = "case when f.sha256 is null or f.sha256 <> all ($1::text[]) then \(statements) end"
    }
    let name = shape.hasName ? "l.name" : "null"
    let facts =
      shape.hasFacts
      ? "f.sha256, to_char(f.applied_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI \"UTC\"')" : "null, null"
    let join = shape.hasFacts ? "left join nomdev.migration_facts f using (version)" : ""
    let rows = try db.rows(
      SQL(
        trusted: """
          select l.version, \(name), \(statements), \(facts)
          from supabase_migrations.schema_migrations l \(join)
          order by l.version collate "C"
          """,
        binding: shape.hasFacts ? [SQL.arrayLiteral(checksums)] : []))
    return try rows.map { row in
      LedgerRow(
        version: row[0] ?? "", name: row[1], statements: try row[2].map(Self.texts),
        checksum: row[3], appliedAt: row[4])
    }
  }

  private static func texts(_ array: String) throws -> [String] {
    try JSON(parsing: array).array?.map { $0.string ?? "" } ?? []
  }

  /// Makes the ledger and nomdev's tables where they are missing, and asserts the columns they must have.
  ///
  /// - Returns: Whether nomdev's own tables are there. They are not where the role may not create a schema.
  package func prepare() throws -> Bool {
    let shape = try shape()
    if !shape.isComplete {
      try db.transaction {
        if !shape.hasSchema { try db.run("create schema supabase_migrations") }
        if !shape.hasLedger {
          try db.run(
            "create table supabase_migrations.schema_migrations (version text not null primary key)")
        }
        if !shape.hasStatements {
          try db.run("alter table supabase_migrations.schema_migrations add column statements text[]")
        }
        if !shape.hasName {
          try db.run("alter table supabase_migrations.schema_migrations add column name text")
        }
      }
    }
    if shape.hasFacts && shape.hasProgress { return true }
    do {
      try db.transaction {
        if try db.value("select 1 from pg_catalog.pg_namespace where nspname = 'nomdev'") == nil {
          try db.run("create schema nomdev")
        }
        if !shape.hasFacts { try db.run(Self.createFacts) }
        if !shape.hasProgress { try db.run(Self.createProgress) }
      }
      return true
    } catch SQLState.insufficientPrivilege {
      return false
    }
  }

  private static let createFacts: SQL = """
    create table nomdev.migration_facts (
      version text not null primary key,
      sha256 text not null,
      applied_at timestamptz not null default now(),
      duration_ms integer not null,
      tool_version text not null
    )
    """

  private static let createProgress: SQL = """
    create table nomdev.migration_progress (
      version text not null primary key,
      done text[] not null,
      running text
    )
    """

  /// The row for a file, written inside the file's own transaction.
  package func insertion(
    of file: MigrationFile, statements: [String], milliseconds: Int, withFacts: Bool
  ) -> [SQL] {
    var all: [SQL] = [
      """
      insert into supabase_migrations.schema_migrations (version, name, statements)
      values (\(file.version), \(file.name), \(statements))
      """
    ]
    if withFacts {
      all.append(
        """
        insert into nomdev.migration_facts (version, sha256, duration_ms, tool_version)
        values (\(file.version), \(file.checksum), \(milliseconds), \(ToolVersion.current))
        on conflict (version) do update set sha256 = excluded.sha256, applied_at = now(),
          duration_ms = excluded.duration_ms, tool_version = excluded.tool_version
        """)
    }
    return all
  }

  /// What stands for the roles file among the facts. Never a version: those are digits.
  private static let rolesKey = "roles"

  /// The note that the roles file of a new database has run.
  static func rolesNote(checksum: String) -> SQL {
    """
    insert into nomdev.migration_facts (version, sha256, duration_ms, tool_version)
    values (\(rolesKey), \(checksum), 0, \(ToolVersion.current))
    """
  }

  /// Whether the roles file has run in this database.
  func hasRoles() throws -> Bool {
    guard try shape().hasFacts else { return false }
    return try db.value("select 1 from nomdev.migration_facts where version = \(Self.rolesKey)") != nil
  }

  /// Takes a version out of the ledger, and nomdev's facts and progress with it.
  package func removal(of version: String, withFacts: Bool) -> [SQL] {
    var all: [SQL] = ["delete from supabase_migrations.schema_migrations where version = \(version)"]
    if withFacts {
      all.append("delete from nomdev.migration_facts where version = \(version)")
      all.append("delete from nomdev.migration_progress where version = \(version)")
    }
    return all
  }

  struct Shape {
    let hasSchema, hasLedger, hasStatements, hasName, hasFacts, hasProgress: Bool

    var isComplete: Bool { hasSchema && hasLedger && hasStatements && hasName }
  }

  /// One round trip to the catalog, which every role may read. nomdev's own tables count only where this role
  /// may use them; a ledger that may not be read is there all the same, and reading it is then refused.
  func shape() throws -> Shape {
    let row = try db.rows(
      """
      with found as (
        select n.nspname, c.relname, c.oid, pg_catalog.has_schema_privilege(n.oid, 'usage')
          and pg_catalog.has_table_privilege(c.oid, 'select, insert') as is_usable
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where (n.nspname, c.relname) in (('supabase_migrations', 'schema_migrations'),
          ('nomdev', 'migration_facts'), ('nomdev', 'migration_progress'))
      ), columns as (
        select a.attname from pg_catalog.pg_attribute a join found on found.oid = a.attrelid
        where found.relname = 'schema_migrations' and not a.attisdropped
      )
      select exists (select from pg_catalog.pg_namespace where nspname = 'supabase_migrations'),
        exists (select from found where relname = 'schema_migrations'),
        exists (select from columns where attname = 'statements'),
        exists (select from columns where attname = 'name'),
        exists (select from found where relname = 'migration_facts' and is_usable),
        exists (select from found where relname = 'migration_progress' and is_usable)
      """
    )[0]
    let flags = row.values.map { $0 == "t" }
    return Shape(
      hasSchema: flags[0], hasLedger: flags[1], hasStatements: flags[2], hasName: flags[3],
      hasFacts: flags[4], hasProgress: flags[5])
  }
}
