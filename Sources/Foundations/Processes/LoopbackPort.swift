#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// TCP ports of the loopback interfaces.
package enum LoopbackPort {
  /// Whether nobody listens on the port, on 127.0.0.1 and on ::1 where that exists. Another process may
  /// take it a moment later: whoever listens must still handle a refusal.
  package static func isFree(_ port: Int) -> Bool {
    guard (1...65535).contains(port) else { return false }
    return bound(port, v6: false) != nil && (!hasIPv6 || bound(port, v6: true) != nil)
  }

  /// A port that is free now; nil when the system has none left.
  package static func free() -> Int? {
    for _ in 0..<20 {
      if let port = bound(0, v6: false), isFree(port) { return port }
    }
    return nil
  }

  /// Whether this machine has an IPv6 loopback address.
  package static var hasIPv6: Bool { bound(0, v6: true) != nil }

  /// Binds and lets go again; the port it got, nil when refused.
  private static func bound(_ port: Int, v6: Bool) -> Int? {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(v6 ? AF_INET6 : AF_INET, kind, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // As servers do, so that connections in TIME_WAIT do not make a port look taken.
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let bigEndian = UInt16(port).bigEndian
    if v6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = bigEndian
      address.sin6_addr = in6addr_loopback
      guard bind(descriptor, &address), readName(of: descriptor, into: &address) else { return nil }
      return Int(UInt16(bigEndian: address.sin6_port))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    guard bind(descriptor, &address), readName(of: descriptor, into: &address) else { return nil }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) -> Bool {
    withUnsafeBytes(of: &address) { bytes in
      guard let base = bytes.baseAddress else { return false }
      let pointer = base.assumingMemoryBound(to: sockaddr.self)
      #if canImport(Glibc)
        return Glibc.bind(descriptor, pointer, socklen_t(bytes.count)) == 0
      #else
        return Darwin.bind(descriptor, pointer, socklen_t(bytes.count)) == 0
      #endif
    }
  }

  private static func readName<Address>(of descriptor: Int32, into address: inout Address) -> Bool {
    withUnsafeMutableBytes(of: &address) { bytes in
      guard let base = bytes.baseAddress else { return false }
      var size = socklen_t(bytes.count)
      return getsockname(descriptor, base.assumingMemoryBound(to: sockaddr.self), &size) == 0
    }
  }
}
