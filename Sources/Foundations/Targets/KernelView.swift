import Processes

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the kernel knows about the other end of a session, which no tunnel can make up.
enum KernelView {
  enum Peer: Equatable {
    case unixSocket
    case loopback(port: Int)
    /// Anything else, as text.
    case other(String)
  }

  /// The other end of a connected socket.
  static func peer(of socket: Int32) -> Peer {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) == 0 }
    }
    guard isKnown else { return .other("an unknown peer") }
    return withUnsafePointer(to: &storage) { pointer in
      switch Int32(pointer.pointee.ss_family) {
      case AF_UNIX: return .unixSocket
      case AF_INET:
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
          let number = UInt32(bigEndian: address.pointee.sin_addr.s_addr)
          let port = Int(UInt16(bigEndian: address.pointee.sin_port))
          return number >> 24 == 127 ? .loopback(port: port) : .other("another machine")
        }
      case AF_INET6:
        return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
          let port = Int(UInt16(bigEndian: address.pointee.sin6_port))
          let isLoopback = withUnsafeBytes(of: address.pointee.sin6_addr) { bytes in
            bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
          }
          return isLoopback ? .loopback(port: port) : .other("another machine")
        }
      default: return .other("an unknown kind of socket")
      }
    }
  }

  /// The process that listens at the other end of a unix socket; nil where the kernel won't say.
  static func listener(behind socket: Int32) -> Int32? {
    #if canImport(Glibc)
      // struct ucred: pid, uid, gid.
      var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
      var length = socklen_t(MemoryLayout.size(ofValue: credentials))
      guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
      return credentials.pid > 0 ? credentials.pid : nil
    #else
      var pid: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      guard getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &pid, &length) == 0 else { return nil }
      return pid > 0 ? pid : nil
    #endif
  }

  /// The process that started another; nil where there is no such process here, or no way to ask.
  static func parent(of pid: Int32) -> Int32? {
    #if canImport(Glibc)
      guard let line = try? Files.read("/proc/\(pid)/stat"), let end = line.lastIndex(of: ")") else {
        return nil
      }
      // After the name, which may hold anything: the state, then the parent.
      let fields = line[line.index(after: end)...].split(separator: " ")
      return fields.count > 1 ? Int32(fields[1]) : nil
    #else
      return nil
    #endif
  }

  /// Whether ``parent(of:)`` can answer at all on this machine.
  static var knowsParents: Bool { parent(of: getpid()) != nil }
}
