import CProcess
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ctrl-C and SIGTERM.
///
/// The first one calls the handlers that are registered, newest first, and leaves the ending of the process
/// to whoever they woke (a cancelled statement throws, and the command unwinds). Where nobody is registered,
/// and on the second one, the clean-ups run and the process ends with 128 + the signal's number: 130 after
/// Ctrl-C.
package enum Interrupts {
  /// Keeps a handler registered as long as it lives.
  package final class Registration: Sendable {
    private let id: Int
    private let isCleanUp: Bool

    fileprivate init(id: Int, isCleanUp: Bool) {
      self.id = id
      self.isCleanUp = isCleanUp
    }

    deinit {
      // Let go outside of the lock: what the handler holds may be another registration's last owner.
      let body = state.withLock { state in
        isCleanUp ? state.cleanUps.removeValue(forKey: id) : state.handlers.removeValue(forKey: id)
      }
      _ = body
    }
  }

  private struct State {
    var next = 0
    var signals = 0
    var handlers: [Int: @Sendable () -> Void] = [:]
    var cleanUps: [Int: @Sendable () -> Void] = [:]
  }

  private static let state = Mutex(State())

  /// Calls `body`, on a thread of its own, at the first interrupt while the registration lives.
  package static func onInterrupt(_ body: @escaping @Sendable () -> Void) -> Registration {
    register(body, isCleanUp: false)
  }

  /// Calls `body` before this process ends, by an interrupt or by exit(3). It must be quick: the user has
  /// waited already. A crash and SIGKILL run nothing: what must not stay needs another net below this one.
  package static func beforeExit(_ body: @escaping @Sendable () -> Void) -> Registration {
    register(body, isCleanUp: true)
  }

  /// Whether an interrupt came: what a command looks at to say that it was stopped, not that it failed.
  package static var wasInterrupted: Bool { state.withLock { $0.signals > 0 } }

  private static func register(
    _ body: @escaping @Sendable () -> Void, isCleanUp: Bool
  ) -> Registration {
    let id = state.withLock { state in
      state.next += 1
      if isCleanUp { state.cleanUps[state.next] = body } else { state.handlers[state.next] = body }
      return state.next
    }
    _ = exitHook
    cprocess_watch_interrupts { Interrupts.received($0) }
    return Registration(id: id, isCleanUp: isCleanUp)
  }

  /// Registered once, however often it is named.
  private static let exitHook: Void = {
    atexit { Interrupts.runCleanUps() }
  }()

  private static func runCleanUps() {
    let cleanUps = state.withLock { state in
      defer { state.cleanUps = [:] }
      return state.cleanUps
    }
    for (_, body) in cleanUps.sorted(by: { $0.key > $1.key }) { body() }
  }

  private static func received(_ signal: Int32) {
    let (bodies, ends) = state.withLock { state in
      state.signals += 1
      let bodies = state.handlers.sorted { $0.key > $1.key }.map(\.value)
      return (bodies, state.signals > 1 || bodies.isEmpty)
    }
    guard ends else { return bodies.forEach { $0() } }
    runCleanUps()
    // The one place where a library ends the process: an interrupt nobody handles does so by definition.
    _exit(128 + signal)
  }
}
