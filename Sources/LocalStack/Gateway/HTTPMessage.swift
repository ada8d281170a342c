/// A header field. Of requests the name is in lower case; of responses it is sent as it stands.
package struct HTTPHeader: Sendable, Hashable {
  package let name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A request as it came in: nothing is decoded yet.
package struct HTTPRequest: Sendable {
  package var method: String
  /// The path with its percent escapes: `/rest/v1/caf%C3%A9`.
  package var path: String
  /// What follows the question mark, escapes kept; empty where there is none.
  package var query: String
  package var headers: [HTTPHeader]
  /// The collected body; empty where a ``BodySink`` took it.
  package var body: [UInt8]
  /// What took the body as it came in, where the server's body plan said so.
  package var sink: (any BodySink)?

  package init(
    method: String, path: String, query: String = "", headers: [HTTPHeader] = [], body: [UInt8] = [],
    sink: (any BodySink)? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.sink = sink
  }

  /// The value of the first field of that name (given in lower case).
  package func header(_ name: String) -> String? {
    for header in headers where header.name == name { return header.value }
    return nil
  }
}

/// Takes a body piece by piece, so that a large upload never lies in memory. Used by one thread at a time.
package protocol BodySink: AnyObject, Sendable {
  /// Called in order for every piece. False ends the connection.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool
}

/// What to do with a request's body, decided from its head alone.
package enum BodyPlan {
  /// Collect it, and answer 413 when it is longer than so many bytes.
  case collect(maximum: Int)
  case stream(any BodySink)
}

/// A response: its head, and a body in one of the forms that can be sent without a copy.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var headers: [HTTPHeader]
  package var body: Body
  /// The database role it was made for. Only a log sees it.
  package var role: String?

  package enum Body: Sendable {
    case bytes([UInt8])
    /// Memory of somebody else, held until it is sent.
    case foreign(ForeignBytes)
    /// A part of an open file, which is closed when it is sent.
    case file(descriptor: Int32, offset: UInt64, length: UInt64)
  }

  package init(status: Int, headers: [HTTPHeader] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package init(status: Int, headers: [HTTPHeader] = [], text: String) {
    self.init(status: status, headers: headers, body: .bytes(Array(text.utf8)))
  }

  package func has(_ name: String) -> Bool {
    headers.contains { $0.name.isEqualIgnoringCase(to: name) }
  }

  /// Sets a field, in place of all of that name.
  package mutating func set(_ name: String, _ value: String) {
    headers.removeAll { $0.name.isEqualIgnoringCase(to: name) }
    headers.append(HTTPHeader(name, value))
  }
}

/// Bytes that stay valid as long as their owner lives.
package struct ForeignBytes: @unchecked Sendable {
  // The owner never changes the bytes after it was made.
  package let start: UnsafeRawPointer
  package let count: Int
  package let owner: AnyObject

  package init(start: UnsafeRawPointer, count: Int, owner: AnyObject) {
    self.start = start
    self.count = count
    self.owner = owner
  }
}

/// Answers requests. Made by and for one worker thread, so it may own sessions that cannot be shared.
package protocol HTTPResponder {
  func respond(to request: HTTPRequest) -> HTTPResponse
  /// Answers several that wait at the same time, in their order. Worth its own way where they can share a
  /// round trip.
  func respond(toAll requests: [HTTPRequest]) -> [HTTPResponse]
}

extension HTTPResponder {
  package func respond(toAll requests: [HTTPRequest]) -> [HTTPResponse] { requests.map { respond(to: $0) } }
}

extension String {
  /// ASCII letters alone are folded, as HTTP's tokens want it.
  package func isEqualIgnoringCase(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    for (one, two) in zip(utf8, other.utf8) where one != two {
      guard one.lowercasedASCII == two.lowercasedASCII else { return false }
    }
    return true
  }
}

extension UInt8 {
  /// The byte itself, or its lower-case letter where it is an upper-case one of ASCII.
  package var lowercasedASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self
  }
}
