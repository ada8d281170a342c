import Support
import Testing

@testable import Gateway

/// Answers with what it saw.
private struct Echo: HTTPResponder {
  func respond(to request: HTTPRequest) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: [HTTPHeader("X-Method", request.method), HTTPHeader("X-Query", request.query)],
      body: .bytes(Array((request.path + "|").utf8) + request.body))
  }
}

@Suite struct HTTPServerTests {
  private func server(_ limits: HTTPLimits = HTTPLimits()) throws -> HTTPServer {
    try HTTPServer(port: 0, workers: 2, limits: limits) { Echo() }
  }

  @Test func `a connection serves many requests`() throws {
    let server = try server()
    defer { server.stop() }
    let probe = try #require(HTTPProbe(port: server.port))

    for number in 1...20 {
      probe.send("GET /n/\(number)?q=\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let response = try #require(probe.response())
      #expect(response.status == 200)
      #expect(response.text == "/n/\(number)|")
      #expect(response.header("X-Query") == "q=\(number)")
    }
  }

  @Test func `path and query reach the responder with their escapes`() throws {
    let server = try server()
    defer { server.stop() }
    let probe = try #require(HTTPProbe(port: server.port))

    probe.send("GET /a%2Fb%20c/%C3%A9?x=%26%3D+y;z HTTP/1.1\r\nHost: localhost\r\n\r\n")

    let response = try #require(probe.response())
    #expect(response.text == "/a%2Fb%20c/%C3%A9|")
    #expect(response.header("X-Query") == "x=%26%3D+y;z")
  }

  @Test func `a body in chunks is put together`() throws {
    let server = try server()
    defer { server.stop() }
    let probe = try #require(HTTPProbe(port: server.port))

    probe.send("POST /p HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    probe.send("4\r\ndefg\r\n0\r\n\r\n")

    #expect(try #require(probe.response()).text == "/p|abcdefg")
  }

  @Test func `a body over the limit is refused, told or not told beforehand`() throws {
    var limits = HTTPLimits()
    limits.bodyBytes = 1000
    let server = try server(limits)
    defer { server.stop() }

    let told = try #require(HTTPProbe(port: server.port))
    told.send("POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1001\r\n\r\n")
    #expect(try #require(told.response()).status == 413)

    let untold = try #require(HTTPProbe(port: server.port))
    untold.send("POST /p HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<20 { untold.send("64\r\n" + String(repeating: "x", count: 100) + "\r\n") }
    untold.send("0\r\n\r\n")
    #expect(try #require(untold.response()).status == 413)
  }

  @Test func `headers over the limit are refused`() throws {
    let server = try server()
    defer { server.stop() }
    let probe = try #require(HTTPProbe(port: server.port))

    probe.send(
      "GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: " + String(repeating: "x", count: 100_000) + "\r\n\r\n")

    #expect([400, 413, 414, 431].contains(try #require(probe.response()).status))
  }

  @Test func `HEAD gets neither a body nor a length`() throws {
    let server = try server()
    defer { server.stop() }
    let probe = try #require(HTTPProbe(port: server.port))

    probe.send("HEAD /h HTTP/1.1\r\nHost: localhost\r\n\r\n")

    let response = try #require(probe.response(isHead: true))
    #expect(response.header("X-Method") == "HEAD")
    #expect(response.header("Content-Length") == nil)
    // Nothing follows that could be taken for the start of another answer.
    #expect(probe.response() == nil)
  }

  @Test func `a client that stays silent is cut off`() throws {
    var limits = HTTPLimits()
    limits.idleSeconds = 1
    let server = try server(limits)
    defer { server.stop() }
    let probe = try #require(HTTPProbe(port: server.port))

    probe.send("POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc")

    // The connection ends: no response, and well before the probe itself would give up.
    #expect(probe.response() == nil)
    let next = try #require(HTTPProbe(port: server.port))
    next.send("GET /g HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(next.response()?.status == 200)
  }

  @Test func `ten thousand malformed requests leave it serving`() throws {
    let server = try server()
    defer { server.stop() }
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "GET", " ", "/", "HTTP/1.1", "\r\n", "\n", "\0", "Host: x", "Content-Length: -1",
      "Content-Length: 99999999999999999999", "Transfer-Encoding: chunked", "zz\r\n", ":", "\t", "\u{FF}",
      "POST / HTTP/1.1\r\n", "GET / HTTP/9.9\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\r\n\r\n",
      "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", "%", "FFFFFFFFFFFFFFFFF\r\n", "A: b\r\n c\r\n",
    ]
    for _ in 0..<10_000 {
      guard let probe = HTTPProbe(port: server.port) else { continue }
      var text = Bool.random(using: &random) ? "GET / HTTP/1.1\r\n" : ""
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        text += pieces.randomElement(using: &random) ?? ""
      }
      probe.send(text)
    }

    let probe = try #require(HTTPProbe(port: server.port))
    probe.send("GET /still HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(probe.response()?.text == "/still|")
  }

  @Test func `a taken port is told as such`() throws {
    let server = try server()
    defer { server.stop() }

    #expect(throws: HTTPServerError.portTaken(server.port)) {
      try HTTPServer(port: server.port, workers: 1) { Echo() }
    }
  }
}
