import CLibPQ

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What another session said by NOTIFY.
package struct Notification: Sendable, Hashable {
  package let channel: String
  package let payload: String
}

extension Connection {
  /// The next notification on the channels this session listens to.
  ///
  /// - Parameter milliseconds: How long to wait for one.
  /// - Returns: Nil when none came in that time.
  /// - Throws: ``PostgresError`` when the session is lost.
  package func notification(within milliseconds: Int32) throws -> Notification? {
    if let waiting = pendingNotification() { return waiting }
    var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, milliseconds) > 0 else { return nil }
    guard PQconsumeInput(raw) == 1 else { throw PostgresError.connection(raw) }
    return pendingNotification()
  }

  private func pendingNotification() -> Notification? {
    guard let notify = PQnotifies(raw) else { return nil }
    defer { PQfreemem(notify) }
    return Notification(
      channel: String(cString: notify.pointee.relname), payload: String(cString: notify.pointee.extra))
  }
}
