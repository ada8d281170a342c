import CProcess

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process that can be told from a later one with the same number: its pid and when it began.
package struct ProcessIdentity: Sendable, Hashable {
  package let pid: Int32
  /// In units and from an origin of the platform's own; only compared.
  package let startTime: UInt64

  package init(pid: Int32, startTime: UInt64) {
    self.pid = pid
    self.startTime = startTime
  }

  /// The process with this number now; nil when there is none, or only a zombie.
  package init?(pid: Int32) {
    let time = pid > 0 ? cprocess_start_time(pid) : 0
    guard time != 0 else { return nil }
    self.init(pid: pid, startTime: time)
  }

  /// This process.
  package static var current: ProcessIdentity {
    ProcessIdentity(pid: getpid()) ?? ProcessIdentity(pid: getpid(), startTime: 0)
  }

  /// Whether this very process runs: another with a reused number, and a zombie, do not count.
  package var isAlive: Bool { ProcessIdentity(pid: pid) == self }

  /// Sends a signal to this very process, and none to another that has its number by now.
  package func send(signal: Int32) {
    if isAlive { kill(pid, signal) }
  }

  /// Waits until the process is gone.
  /// - Returns: Whether it went within the time given.
  package func waitUntilGone(within limit: Duration) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while isAlive {
      if clock.now >= end { return false }
      pause(.milliseconds(1))
    }
    return true
  }
}

/// Blocks this thread. For the synchronous code of commands, never for Swift's cooperative pool.
package func pause(_ duration: Duration) {
  let parts = duration.components
  var time = timespec(
    tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
  var rest = timespec()
  while nanosleep(&time, &rest) != 0 && errno == EINTR { time = rest }
}
