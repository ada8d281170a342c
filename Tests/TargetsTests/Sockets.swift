import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
  private let stream = Int32(SOCK_STREAM.rawValue)
#else
  import Darwin
  private let stream = SOCK_STREAM
#endif

/// A TCP port of this machine, on every address it has, that counts who connects.
final class Listener {
  let port: Int
  private let socket: Int32

  init() throws {
    (socket, port) = try listening(onEveryAddress: true)
  }

  deinit { close(socket) }

  /// Waits elsewhere for one to connect and hangs up; then the semaphore is signalled.
  func hangUpOnFirst() -> DispatchSemaphore {
    let (heard, listener) = (DispatchSemaphore(value: 0), socket)
    Thread.detachNewThread {
      close(accept(listener, nil, nil))
      heard.signal()
    }
    return heard
  }

  /// How many have connected since the last time; they are hung up on.
  func connections() -> Int {
    var count = 0
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 0) > 0 {
      let session = accept(socket, nil, nil)
      if session < 0 { break }
      close(session)
      count += 1
    }
    return count
  }
}

/// Passes bytes on between a port or a unix socket of this machine and a server's unix socket: a tunnel.
final class Forwarder {
  let port: Int
  private let socket: Int32
  private let stopped: Int32

  /// - Parameter folder: Listens in this folder, as a server on port 5432 does, instead of on TCP.
  init(to destination: String, listeningIn folder: String? = nil) throws {
    if let folder {
      (socket, port) = (try listening(at: "\(folder)/.s.PGSQL.5432"), 5432)
    } else {
      (socket, port) = try listening(onEveryAddress: false)
    }
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    stopped = ends[1]
    let (listener, stop) = (socket, ends[0])
    Thread.detachNewThread { Self.serve(listener, stop, destination) }
  }

  deinit { close(stopped) }

  private static func serve(_ listener: Int32, _ stop: Int32, _ destination: String) {
    defer {
      close(listener)
      close(stop)
    }
    while true {
      var entries = [listener, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, 2, -1) > 0, entries[1].revents == 0 else { return }
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      guard let server = try? connected(to: destination) else {
        close(client)
        continue
      }
      Thread.detachNewThread { pump(client, server) }
    }
  }

  private static func pump(_ a: Int32, _ b: Int32) {
    defer {
      close(a)
      close(b)
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      var entries = [a, b].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&entries, 2, -1) > 0 else { return }
      for (entry, other) in zip(entries, [b, a]) where entry.revents != 0 {
        let count = recv(entry.fd, &buffer, buffer.count, 0)
        guard count > 0, send(other, buffer, count, Int32(noSignal)) == count else { return }
      }
    }
  }

  #if canImport(Glibc)
    private static let noSignal = MSG_NOSIGNAL
  #else
    private static let noSignal = 0
  #endif
}

private func listening(onEveryAddress isOpen: Bool) throws -> (socket: Int32, port: Int) {
  // One socket for both families where all are wanted, so that no spelling of an address escapes it.
  let family = isOpen ? AF_INET6 : AF_INET
  let handle = socket(family, stream, 0)
  try #require(handle >= 0)
  var length: socklen_t
  let isBound: Bool
  if isOpen {
    var off: Int32 = 0
    setsockopt(handle, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, 4)
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    isBound = withAddress(&address) { bind(handle, $0, length) == 0 }
  } else {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    length = socklen_t(MemoryLayout<sockaddr_in>.size)
    isBound = withAddress(&address) { bind(handle, $0, length) == 0 }
  }
  try #require(isBound && listen(handle, 64) == 0)
  // The port lies at the same place in both families.
  var answer = sockaddr_in6()
  length = socklen_t(MemoryLayout<sockaddr_in6>.size)
  try #require(withAddress(&answer) { getsockname(handle, $0, &length) } == 0)
  return (handle, Int(UInt16(bigEndian: answer.sin6_port)))
}

private func listening(at path: String) throws -> Int32 {
  let handle = socket(AF_UNIX, stream, 0)
  var address = unixAddress(path)
  let length = socklen_t(MemoryLayout<sockaddr_un>.size)
  try #require(withAddress(&address) { bind(handle, $0, length) } == 0)
  try #require(listen(handle, 64) == 0)
  return handle
}

private func connected(to path: String) throws -> Int32 {
  let handle = socket(AF_UNIX, stream, 0)
  var address = unixAddress(path)
  let length = socklen_t(MemoryLayout<sockaddr_un>.size)
  try #require(withAddress(&address) { connect(handle, $0, length) } == 0)
  return handle
}

private func unixAddress(_ path: String) -> sockaddr_un {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
  return address
}

private func withAddress<Address, T>(_ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>) -> T)
  -> T
{
  withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
  }
}

/// Sets a variable of this process: only for tests that run in a process of their own.
func setVariable(_ name: String, _ value: String) { setenv(name, value, 1) }
