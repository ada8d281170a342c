import Diagnostics
import Foundation
import Postgres
import Testing

@testable import Targets

/// What is decided before anything is sent.
struct EndpointTests {
  @Test(arguments: Trick.all)
  func `refuses before a byte is sent`(trick: Trick) throws {
    let listener = try Listener()
    let port = String(listener.port)
    let filled = { (text: String) in
      text.split(separator: "{p}", omittingEmptySubsequences: false).joined(separator: port)
    }

    var code: String?
    do {
      _ = try LoopbackGuard(environment: trick.environment.mapValues(filled)).admit(filled(trick.conninfo))
    } catch let error as any Diagnosable {
      code = error.diagnostics.first?.code
    }

    #expect(code == trick.code)
    #expect(listener.connections() == 0)
  }

  @Test func `the tricks are told apart by their names`() {
    #expect(Set(Trick.all.map(\.id)).count == Trick.all.count)
    #expect(Trick.all.count >= 40)
  }

  @Test func `the listener hears of what is let through`() throws {
    let listener = try Listener()

    let connection = try ConnectionString("host=localhost port=\(listener.port)", environment: [:])
    let endpoint = try LoopbackEndpoint(connection) { _ in ["127.0.0.1"] }
    let heard = listener.hangUpOnFirst()
    #expect(throws: PostgresError.self) { try Connection(connection.complete(endpoint.overrides)) }

    #expect(heard.wait(timeout: .now() + 10) == .success)
  }

  @Test(arguments: [
    ("postgres://postgres@localhost:1/x", [:], "localhost:1"),
    ("postgres://postgres@127.0.0.1:1/x", [:], "127.0.0.1:1"),
    ("postgres://postgres@127.9.8.7:1/x", [:], "127.9.8.7:1"),
    ("postgres://postgres@[::1]:1/x", [:], "[::1]:1"),
    ("postgres://postgres@%6cocalhost:1/x", [:], "localhost:1"),
    ("postgres://evil.test@localhost:1/x", [:], "localhost:1"),
    ("postgresql:///x?host=localhost&port=1", [:], "localhost:1"),
    ("postgres://%2Fvar%2Frun%2Fpostgresql/x", [:], "the socket /var/run/postgresql/.s.PGSQL.5432"),
    ("host=/tmp port=7", [:], "the socket /tmp/.s.PGSQL.7"),
    ("dbname=x", [:], "the socket .s.PGSQL.5432"),
    ("", ["PGHOST": "localhost", "PGPORT": "6"], "localhost:6"),
    ("", ["PGHOST": "/tmp"], "the socket /tmp/.s.PGSQL.5432"),
    ("host=localhost", ["PGHOST": "evil.test"], "localhost:5432"),
    ("host=localhost", ["PGHOSTADDR": "127.0.0.1"], "127.0.0.1:5432"),
    ("host=127.0.0.1 hostaddr=127.0.0.1", [:], "127.0.0.1:5432"),
    ("host=localhost", ["PGOPTIONS": "-c nomdev.instance=x"], "localhost:5432"),
    ("host=localhost", ["PGSERVICEFILE": "/tmp/x", "PGSYSCONFDIR": "/tmp"], "localhost:5432"),
  ])
  func `lets this machine through`(conninfo: String, environment: [String: String], place: String) throws {
    let connection = try ConnectionString(conninfo, environment: environment)

    #expect(try LoopbackEndpoint(connection) { _ in ["::1", "127.0.0.1"] }.description == place)
  }

  @Test(arguments: [
    ["127.0.0.1", "192.0.2.1"], ["192.0.2.1"], ["::1", "2001:db8::1"], ["0.0.0.0"], ["::ffff:127.0.0.1"], [],
  ])
  func `localhost must be loopback at every address`(addresses: [String]) throws {
    var keeper = LoopbackGuard(environment: [:])
    keeper.resolve = { _ in addresses }

    #expect(throws: TargetError.self) { try keeper.admit("host=localhost port=1") }
  }

  @Test func `no other name is even looked up`() throws {
    var keeper = LoopbackGuard(environment: [:])
    keeper.resolve = { name in
      Issue.record("\(name) was looked up")
      return ["127.0.0.1"]
    }

    #expect(throws: TargetError.self) { try keeper.admit("host=db.example.com") }
  }

  @Test func `the system's own localhost is loopback`() {
    #expect(LoopbackAddress.resolve("localhost").allSatisfy(LoopbackAddress.isCanonical))
  }

  @Test func `shows what it refuses, and where that came from`() throws {
    let error = #expect(throws: TargetError.self) {
      try LoopbackGuard(environment: ["PGHOST": "lоcalhost\u{1B}[2J"]).admit("")
    }

    #expect(
      error?.diagnostics.first?.rendered() == """
        error[target.not-loopback]: the host "l\\u{043E}calhost\\u{1B}[2J" is not this machine
        detail: the environment variable PGHOST says so
        hint: write localhost, 127.0.0.1, ::1 or the absolute path of a socket folder
        """)
  }
}
