/// Whether a request was meant for this machine. A page on the web can make its own name point here, but the
/// browser then still sends that name: it must not get an answer.
package enum LoopbackHost {
  /// - Parameter header: The `Host` field, with or without a port.
  package static func isLoopback(_ header: String?) -> Bool {
    guard let header, !header.isEmpty else { return false }
    // What clients of a stack write, nearly always.
    for usual in ["127.0.0.1", "localhost"] where header.utf8.starts(with: usual.utf8) {
      let rest = header.utf8.dropFirst(usual.utf8.count)
      if rest.first == UInt8(ascii: ":"), rest.dropFirst().allSatisfy({ (48...57).contains($0) }) {
        return true
      }
    }
    var name = Substring(header)
    var port = Substring()
    if name.hasPrefix("[") {
      guard let close = name.firstIndex(of: "]") else { return false }
      port = name[name.index(after: close)...]
      name = name[name.index(after: name.startIndex)..<close]
    } else if let colon = name.firstIndex(of: ":") {
      port = name[colon...]
      name = name[..<colon]
    }
    guard port.isEmpty || (port.first == ":" && port.dropFirst().utf8.allSatisfy { (48...57).contains($0) })
    else { return false }
    if name.hasSuffix(".") { name = name.dropLast() }
    let lower = name.lowercased()
    if lower == "localhost" || lower.hasSuffix(".localhost") || lower == "::1" { return true }
    return isLoopbackAddress(lower)
  }

  /// `127.x.y.z` written in full, each part without a leading zero.
  private static func isLoopbackAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "127" else { return false }
    return parts.allSatisfy { part in
      guard let number = UInt8(part) else { return false }
      return String(number) == part
    }
  }

  static let refusal = HTTPResponse(
    status: 421, headers: [HTTPHeader("Content-Type", "application/json; charset=utf-8")],
    text: #"{"message":"The Host header must name this machine"}"#)
}
