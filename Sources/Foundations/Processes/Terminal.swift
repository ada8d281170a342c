import CProcess

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What stands behind a standard stream.
package enum Terminal {
  package enum Stream: Int32, Sendable {
    case input = 0
    case output = 1
    case error = 2
  }

  package static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Columns of the terminal behind a stream; nil where there is no terminal or it does not say.
  package static func width(_ stream: Stream) -> Int? {
    let columns = Int(cprocess_terminal_width(stream.rawValue))
    return columns > 0 ? columns : nil
  }
}
