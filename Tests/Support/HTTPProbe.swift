#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A TCP connection to a server on this machine that sends exactly the bytes it is told to.
package final class HTTPProbe {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  package struct Response {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// - Returns: Nil when nobody listens.
  package init?(port: UInt16) {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard connected == 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Sends bytes; what the other side no longer takes is dropped.
  package func send(_ text: String) { send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = bytes[start...].withUnsafeBytes {
        #if canImport(Glibc)
          Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
        #else
          Darwin.send(descriptor, $0.baseAddress, $0.count, flags)
        #endif
      }
      guard count > 0 else { return }
      start += count
    }
  }

  /// The next response on this connection; nil when it ended or none came in ten seconds.
  ///
  /// - Parameter isHead: Whether the request was a HEAD, whose response has no body.
  package func response(isHead: Bool = false) -> Response? {
    var end = headEnd()
    while end == nil {
      guard fill() else { return nil }
      end = headEnd()
    }
    guard let end else { return nil }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    buffer.removeFirst(end + 4)
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    if isHead || status == 204 { return Response(status: status, headers: headers, body: []) }
    while buffer.count < length { guard fill() else { return nil } }
    defer { buffer.removeFirst(length) }
    return Response(status: status, headers: headers, body: Array(buffer.prefix(length)))
  }

  private func headEnd() -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (0...buffer.count - 4).first { Array(buffer[$0..<$0 + 4]) == [13, 10, 13, 10] }
  }

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return false }
    buffer.append(contentsOf: piece[..<count])
    return true
  }
}
