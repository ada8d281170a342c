/// How a command ended, as the shell sees it.
package struct ExitCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The work is done, or there was nothing to do.
  package static let success = ExitCode(rawValue: 0)
  /// A check ran to its end and found something.
  package static let findings = ExitCode(rawValue: 1)
  /// The work could not be finished: no connection, refused SQL, a broken file.
  package static let failure = ExitCode(rawValue: 2)
  /// A command line that makes no sense; nothing was done. `EX_USAGE` of sysexits.h.
  package static let usage = ExitCode(rawValue: 64)
}
