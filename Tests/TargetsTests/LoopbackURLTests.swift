import Diagnostics
import Targets
import Testing

struct LoopbackURLTests {
  @Test(arguments: [
    ("http://127.0.0.1:54321", "http://127.0.0.1:54321"), ("http://localhost", "http://localhost:80"),
    ("https://localhost/", "https://localhost:443"), ("http://[::1]:54321/api/", "http://[::1]:54321/api"),
    ("http://127.1.2.3:1/a/b", "http://127.1.2.3:1/a/b"),
  ])
  func `takes an address on this machine`(text: String, shown: String) throws {
    #expect(try LoopbackURL(text).description == shown)
  }

  @Test(arguments: [
    "", "localhost:54321", "http:", "http://", "http:///x", "ftp://localhost", "HTTP://localhost",
    "//localhost",
    "http://evil.test", "http://localhost.evil.test", "http://localhost@evil.test",
    "http://evil.test@localhost",
    "http://user:hunter2@localhost", "http://localhost:hunter2", "http://localhost:", "http://localhost:0",
    "http://localhost:65536", "http://localhost:+80", "http://localhost:080", "http://LOCALHOST",
    "http://localhost.",
    "http://127.1", "http://0.0.0.0", "http://2130706433", "http://[::ffff:127.0.0.1]", "http://[::]",
    "http://::1",
    "http://[::1", "http://[::1]evil.test", "http://[127.0.0.1]", "http://[localhost]",
    "http://localhost\\@evil.test",
    "http://localhost#@evil.test", "http://localhost?@evil.test", "http://localhost%2eevil.test",
    "http://localhost evil.test", "http://localhost\n", "http://127.0.0.１", "http://lоcalhost",
    " http://localhost",
  ])
  func `refuses everything else without repeating it`(text: String) {
    let error = #expect(throws: Diagnostic.self) { try LoopbackURL(text) }

    #expect(error?.code == "target.url")
    #expect(error?.rendered().contains("hunter2") == false)
  }
}
