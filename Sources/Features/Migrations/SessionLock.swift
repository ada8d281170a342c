import Diagnostics
import Postgres

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The advisory lock that keeps two runs from migrating one database at once.
///
/// It belongs to the session that does the work: when that session is lost, so is the lock, and the server
/// has rolled the work back. Waiting is polling from outside any transaction, since a session that waits
/// inside `pg_advisory_lock` holds a snapshot, which `create index concurrently` waits for in turn.
struct SessionLock {
  /// "nomdev" and "migr" as two 32-bit numbers: one key per database, the same in every version of the tool.
  private static let key: SQL = "1852796260, 1835624306"

  let db: Connection

  /// Takes the lock, waiting as long as another run holds it.
  ///
  /// - Parameter timeout: Nil waits without end.
  /// - Parameter isInterrupted: Asked while it waits, when no statement runs that a cancel could end.
  /// - Parameter onWait: Called once, with who holds the lock, when there is something to wait for.
  func take(
    timeout: Duration?, isInterrupted: () -> Bool = { false }, onWait: (String) -> Void
  ) throws {
    let start = ContinuousClock.now
    var isFirst = true
    while try db.value("select pg_catalog.pg_try_advisory_lock(\(trusted: Self.key.text))") != "t" {
      let holder = try self.holder()
      if isFirst { onWait(holder) }
      isFirst = false
      if isInterrupted() { throw Diagnostic.interrupted }
      if let timeout, ContinuousClock.now - start >= timeout {
        throw Diagnostic(
          "migrate.locked", "another run is migrating this database", detail: holder,
          hint: "wait for it to end, or give a longer --lock-timeout")
      }
      usleep(50_000)
    }
  }

  /// Takes the lock once more where a file's own statements may have let it go.
  func keep() throws {
    let pid = try db.value(
      """
      select pid from pg_catalog.pg_locks where locktype = 'advisory' and granted and objsubid = 2
        and classid = 1852796260 and objid = 1835624306 and pid = pg_catalog.pg_backend_pid()
      """)
    if pid == nil { try take(timeout: .zero, onWait: { _ in }) }
  }

  private func holder() throws -> String {
    let row = try db.rows(
      """
      select l.pid::text, coalesce(nullif(a.application_name, ''), 'an unnamed application'),
        to_char(a.backend_start at time zone 'UTC', 'HH24:MI:SS "UTC"')
      from pg_catalog.pg_locks l left join pg_catalog.pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = 1852796260 and l.objid = 1835624306
        and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
      """
    ).first
    guard let row, let pid = row[0] else { return "it has just ended" }
    return "process \(pid) (\(row[1] ?? "?")) has held the lock since its start at \(row[2] ?? "?")"
  }
}

/// Tells a direct connection from a pooler that gives each transaction another session.
enum Pooler {
  /// Refuses a transaction pooler, behind which neither a session lock nor a session setting holds.
  ///
  /// A pooler answers with a process id of its own. Behind one in transaction mode the server session is
  /// free again as soon as a statement ends, so a second client meets the same one.
  ///
  /// - Parameter second: Opens one more connection to the same place; only asked where a pooler is seen.
  static func refuseTransactionMode(_ db: Connection, second: () throws -> Connection) throws {
    let pid = try db.value("select pg_catalog.pg_backend_pid()")
    guard pid != String(db.backendPID) else { return }
    let other = try second()
    let otherPID = try other.value("select pg_catalog.pg_backend_pid()")
    let again = try db.value("select pg_catalog.pg_backend_pid()")
    guard pid == otherPID || pid != again else { return }
    throw Diagnostic(
      "migrate.transaction-pooler", "this address is a pooler in transaction mode",
      detail:
        "each transaction may run in another session, so the lock that keeps two runs apart would not hold",
      hint: "use the direct connection or the session pooler (port 5432 instead of 6543)")
  }
}
