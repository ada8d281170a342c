import Diagnostics

/// The address of an API on this machine: `http://127.0.0.1:54321`. What it is asked to do may be
/// destructive, so any other host is refused.
package struct LoopbackURL: Sendable, Hashable {
  package let isSecure: Bool
  /// `localhost`, a loopback address as numbers, or `::1` without its brackets.
  package let host: String
  package let port: Int
  /// Empty, or beginning with a slash and not ending in one.
  package let path: String

  /// - Throws: ``Diagnostic`` `target.url`. The URL is not repeated: a user part may be a secret.
  package init(_ text: String) throws {
    guard let url = Self(parsing: text) else {
      throw Diagnostic(
        "target.url", "the API address is not a plain address on this machine",
        hint: "write http://127.0.0.1:54321, with localhost, 127.0.0.1 or [::1] and no user part")
    }
    self = url
  }

  /// Strict rather than clever: readers of URLs disagree about everything beyond this.
  private init?(parsing text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !text.contains(where: { "\\@#?%".contains($0) })
    else { return nil }
    if text.hasPrefix("http://") {
      isSecure = false
    } else if text.hasPrefix("https://") {
      isSecure = true
    } else {
      return nil
    }
    let rest = text.dropFirst(isSecure ? 8 : 7)
    let authority = rest.prefix { $0 != "/" }
    var tail = rest.dropFirst(authority.count)
    while tail.last == "/" { tail.removeLast() }
    path = String(tail)

    let isBracketed = authority.hasPrefix("[")
    guard
      let end = isBracketed
        ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
    else { return nil }
    host = String(isBracketed ? authority[..<end].dropFirst() : authority[..<end])
    let afterHost = isBracketed ? authority[authority.index(after: end)...] : authority[end...]
    guard
      isBracketed ? host == "::1" : host == "localhost" || host != "::1" && LoopbackAddress.isCanonical(host)
    else { return nil }
    if afterHost.isEmpty {
      port = isSecure ? 443 : 80
    } else {
      guard afterHost.first == ":", let number = UInt16(afterHost.dropFirst()), number > 0,
        String(number) == afterHost.dropFirst()
      else { return nil }
      port = Int(number)
    }
  }

  package var description: String {
    "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
  }
}
