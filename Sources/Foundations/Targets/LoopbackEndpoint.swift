#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One place on this machine, found before anything is sent: a unix socket, or loopback addresses.
struct LoopbackEndpoint: Sendable, Hashable {
  enum Place: Sendable, Hashable {
    /// An absolute folder, or nil for libpq's built-in one.
    case socket(folder: String?)
    /// The name as written and the addresses it stands for, each of them loopback.
    case tcp(host: String, addresses: [String])
  }

  let place: Place
  let port: String

  /// Takes the place out of a connection, or refuses it.
  ///
  /// - Parameter resolve: All addresses of a name. Asked for `localhost` alone: any other name, whatever it
  ///   resolves to today, is somebody else's to change.
  /// - Throws: ``TargetError``, before a byte is sent.
  init(_ connection: ConnectionString, resolve: (String) -> [String]) throws {
    guard connection.values["service"] == nil else { throw TargetError.service }
    port = try Self.port(connection)
    try Self.refuseDoubtful(connection)
    let host = connection["host"]
    let address = connection["hostaddr"]
    guard !host.contains(",") else { throw TargetError.several("hosts") }
    guard !address.contains(",") else { throw TargetError.several("addresses") }

    if !address.isEmpty {
      guard LoopbackAddress.isCanonical(address) else {
        throw Self.notLoopback("address", "hostaddr", address, connection)
      }
      guard host.isEmpty || host == address || host == "localhost" else {
        throw TargetError.notLoopback(
          "the host \"\(shown(host))\" and the address \"\(shown(address))\" are two places",
          detail: Self.origin("hostaddr", connection))
      }
      place = .tcp(host: address, addresses: [address])
    } else if host.isEmpty {
      place = .socket(folder: nil)
    } else if host.hasPrefix("/") {
      place = .socket(folder: host)
    } else if LoopbackAddress.isCanonical(host) {
      place = .tcp(host: host, addresses: [host])
    } else if host == "localhost" {
      place = .tcp(host: host, addresses: try Self.addresses(resolve(host)))
    } else {
      throw Self.notLoopback("host", "host", host, connection)
    }
  }

  private init(_ place: Place, port: String) {
    self.place = place
    self.port = port
  }

  /// The same place, reached at this one of its addresses from now on.
  func pinned(to address: String) -> LoopbackEndpoint {
    guard case .tcp(let host, _) = place, !address.isEmpty else { return self }
    return LoopbackEndpoint(.tcp(host: host, addresses: [address]), port: port)
  }

  /// What libpq is told: never a name alone that it would look up again.
  var overrides: [String: String] {
    switch place {
    case .socket(let folder): return ["host": folder ?? "", "hostaddr": "", "port": port]
    case .tcp(let host, let addresses):
      let hosts = addresses.map { _ in host }.joined(separator: ",")
      return ["host": hosts, "hostaddr": addresses.joined(separator: ","), "port": port]
    }
  }

  var description: String {
    switch place {
    case .socket(let folder): "the socket \(folder.map { "\(shown($0))/" } ?? "").s.PGSQL.\(port)"
    case .tcp(let host, _): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }

  // MARK: - Checks

  private static func addresses(_ found: [String]) throws -> [String] {
    guard !found.isEmpty else {
      throw TargetError.notLoopback("the name localhost has no address", detail: "the system knows none")
    }
    if let stranger = found.first(where: { !LoopbackAddress.isCanonical($0) }) {
      throw TargetError.notLoopback(
        "the name localhost is not loopback here",
        detail:
          "the system resolves it to \(found.joined(separator: ", ")), and \(stranger) is another machine")
    }
    return found
  }

  private static func port(_ connection: ConnectionString) throws -> String {
    let port = connection.port
    guard !port.contains(",") else { throw TargetError.several("ports") }
    guard let number = UInt16(port), number > 0, String(number) == port else {
      throw TargetError.doubtful("\"\(shown(port))\" is not a port", hint: "give a number from 1 to 65535")
    }
    return port
  }

  private static func refuseDoubtful(_ connection: ConnectionString) throws {
    // libpq would not follow it, other clients do: it must not be passed on either.
    let name = connection.database
    if name.contains("=") || name.contains("://") {
      throw TargetError.doubtful(
        "the database name is a connection string itself", hint: "give the name of a database")
    }
    // Settings sent at the start could imitate the proof that the server is asked for. `PGOPTIONS` is kept
    // out instead: it is often set for other reasons.
    if !connection["options"].isEmpty, connection.variables["options"] == nil {
      throw TargetError.doubtful("server options are not supported here", hint: "leave out options=")
    }
    if connection.values["replication"] != nil {
      throw TargetError.doubtful("replication sessions are not supported", hint: "leave out replication=")
    }
  }

  private static func notLoopback(
    _ what: String, _ keyword: String, _ value: String, _ connection: ConnectionString
  ) -> TargetError {
    .notLoopback("the \(what) \"\(shown(value))\" is not this machine", detail: origin(keyword, connection))
  }

  private static func origin(_ keyword: String, _ connection: ConnectionString) -> String {
    connection.variables[keyword].map { "the environment variable \($0) says so" }
      ?? "the connection string says so"
  }
}

/// A text from outside as it may be printed: letters that look like others are shown by their number.
private func shown(_ text: String) -> String {
  text.unicodeScalars.prefix(80).map { scalar in
    scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F
      ? String(scalar) : scalar.escaped(asASCII: true)
  }.joined()
}

/// Loopback addresses, in one spelling each.
enum LoopbackAddress {
  /// `::1`, or four plain decimals of which the first is 127. Short, octal, hexadecimal, mapped and scoped
  /// forms are loopback to some readers and not to others, and so to nobody here.
  static func isCanonical(_ text: String) -> Bool {
    if text == "::1" { return true }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4, text.utf8.allSatisfy({ $0 == 46 || (48...57).contains($0) }) else { return false }
    let numbers = parts.compactMap { part in
      UInt8(String(Substring(part))).flatMap { String($0).utf8.elementsEqual(part) ? $0 : nil }
    }
    return numbers.count == 4 && numbers[0] == 127
  }

  /// Every address the system has for a name, as numbers, without repetition.
  static func resolve(_ name: String) -> [String] {
    var hints = addrinfo()
    // Already of the right type on one platform and not on the other.
    hints.ai_socktype = Int32(truncatingIfNeeded: streamType)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [String] = []
    var entry = list
    while let info = entry?.pointee {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let size = socklen_t(text.count)
      if getnameinfo(info.ai_addr, info.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0 {
        let address = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        if !found.contains(address) { found.append(address) }
      } else {
        // One that can't be shown can't be checked: it must not be passed over.
        found.append("an unknown address")
      }
      entry = info.ai_next
    }
    return found
  }

  #if canImport(Glibc)
    private static let streamType = SOCK_STREAM.rawValue
  #else
    private static let streamType = SOCK_STREAM
  #endif
}
