import Dispatch
import Postgres

/// Looks, from a second session, at who blocks the first one while its statement waits for a lock. After the
/// server has given up with 55P03 the answer is gone, so it has to be asked for during the wait.
///
/// The second session is open before the first one's statement begins, so that also a short wait is seen.
final class BlockerWatch: Sendable {
  private let stop = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let found = Found()

  /// The last answer seen. Written by the watching thread, read after ``finish()`` has waited for it.
  private final class Found: @unchecked Sendable {
    var blockers: String?
  }

  /// - Parameter pause: The time between two looks.
  init(of pid: Int32, pause: Duration, connect: @escaping @Sendable () throws -> Connection) {
    let pause = DispatchTimeInterval.milliseconds(max(10, Int(pause / .milliseconds(1))))
    let ready = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { [stop, ended, found] in
      defer { ended.signal() }
      let db = try? connect()
      ready.signal()
      guard let db else { return }
      while stop.wait(timeout: .now() + pause) == .timedOut {
        if let seen = (try? db.value(Self.blockers(of: pid))) ?? nil { found.blockers = seen }
      }
    }
    ready.wait()
  }

  /// Ends the watch and returns who was seen to block the session; nil when nobody was.
  func finish() -> String? {
    stop.signal()
    ended.wait()
    return found.blockers
  }

  private static func blockers(of pid: Int32) -> SQL {
    """
    select string_agg(
      format('process %s (%s, %s) in a query that began at %s UTC', a.pid,
        coalesce(nullif(a.application_name, ''), 'no application name'), coalesce(a.usename, '?'),
        coalesce(to_char(a.query_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), '?')),
      e'\\n' order by a.pid)
    from pg_catalog.pg_stat_activity a
    where a.pid = any (pg_catalog.pg_blocking_pids(\(Int(pid))))
    """
  }
}
