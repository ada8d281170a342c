import Postgres
import SQLSyntax

/// What an earlier try of a statement that can't run in a transaction may have left, when it was killed before
/// its end or before the note of it.
struct OutsideStatement {
  private let name: String

  /// Nil for CREATE INDEX CONCURRENTLY, which ``ConcurrentBuild`` looks after, and what is no such statement.
  init?(_ statement: Statement) {
    guard case .other(let name) = statement.outsideTransaction else { return nil }
    self.name = name
  }

  /// Whether a second try that is refused so means that the first one had reached its end.
  func isDone(_ state: SQLState) -> Bool {
    switch name {
    case "drop index concurrently", "drop tablespace", "drop subscription": state.rawValue == "42704"
    case "create tablespace", "create subscription": state.rawValue == "42710"
    case "create database": state == .duplicateDatabase
    case "drop database": state.rawValue == "3D000"
    // "is not a partition of"
    case "alter table detach partition concurrently": state == .undefinedTable
    default: false
    }
  }

  /// REINDEX CONCURRENTLY builds beside the old index, under its name and `_ccnew`, and parts from the old one
  /// as `_ccold`; what is left of a broken try is INVALID and in nobody's way but its table's.
  func dropLeftovers(on db: Connection) throws {
    guard name.hasPrefix("reindex"), db.transactionStatus == .idle else { return }
    let rows = try db.rows(
      """
      select i.indexrelid::regclass::text
      from pg_catalog.pg_index i
      join pg_catalog.pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relname ~ '_cc(new|old)[0-9]*$'
        and c.relnamespace <> 'pg_toast'::regnamespace
        and pg_catalog.pg_has_role(c.relowner, 'usage')
        and not exists (
          select from pg_catalog.pg_stat_progress_create_index p where p.relid = i.indrelid)
      """)
    for row in rows { try db.run("drop index concurrently \(trusted: row[0] ?? "")") }
  }
}
