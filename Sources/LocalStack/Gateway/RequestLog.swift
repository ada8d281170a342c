#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One answered request, as a log shows it. It holds neither the query string nor any header, so no token
/// or key can get into a log.
package struct RequestLogEntry: Sendable {
  /// Seconds since 1970.
  package let time: Int
  package let method: String
  package let path: String
  /// The database role it was answered for; nil where none was.
  package let role: String?
  package let status: Int
  package let duration: Duration

  package var text: String {
    let (seconds, attoseconds) = duration.components
    let microseconds = Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    let tenths = (microseconds + 50) / 100
    // A path is the client's: what could break a line or a terminal is shown as it would be escaped.
    let shown = path.unicodeScalars.map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7F ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
    return "\(method) \(shown) \(role ?? "-") \(status) \(tenths / 10).\(tenths % 10) ms"
  }
}

enum Clock {
  static var seconds: Int { time(nil) }
}
