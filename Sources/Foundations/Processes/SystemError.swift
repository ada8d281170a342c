import Diagnostics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A call the operating system refused: what was being done, and its own words why.
package struct SystemError: Diagnosable, Hashable, Sendable {
  /// `errno` of the call.
  package let number: Int32
  /// What was being done, as the end of "… failed": `making the folder /a/b`.
  package let action: String

  package init(_ action: String, number: Int32 = errno) {
    self.action = action
    self.number = number
  }

  /// The system's own words: `No such file or directory`.
  package var reason: String { String(cString: strerror(number)) }

  package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        isDiskFull ? "system.disk_full" : "system.refused", "\(action) failed", detail: reason,
        hint: isDiskFull ? "free some space, then run the command again" : nil)
    ]
  }
}
