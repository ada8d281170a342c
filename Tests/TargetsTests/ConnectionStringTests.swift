import Diagnostics
import Targets
import Testing

struct ConnectionStringTests {
  @Test(arguments: [
    ("postgres://ada:hunter2@db.example.com:6543/shop", "postgres://ada@db.example.com:6543/shop"),
    ("postgres://ada:hunter%32@db.example.com/shop", "postgres://ada@db.example.com:5432/shop"),
    (
      "host=db.example.com user=ada dbname=shop password='hunter2' sslpassword=hunter2",
      "postgres://ada@db.example.com:5432/shop"
    ),
    (
      "postgres://ada@db.example.com/shop?password=hunter2&sslpassword=hunter2",
      "postgres://ada@db.example.com:5432/shop"
    ),
    (
      "postgres://ada:hunter2@a.example.com:1,b.example.com:2/shop",
      "postgres://ada@a.example.com:1,b.example.com:2/shop"
    ),
    ("postgres://ada:hunter2@[2001:db8::1]/shop", "postgres://ada@[2001:db8::1]:5432/shop"),
    ("host=/tmp user=ada dbname=shop password=hunter2", "postgres://ada@/shop?host=/tmp&port=5432"),
    ("user=ada dbname=shop password=hunter2", "postgres://ada@/shop?port=5432"),
    ("user='a@b' dbname='x\u{1B}[0m' host=h", "postgres://a%40b@h:5432/x%1B%5B0m"),
    ("postgres://ada:hunter2@db.example.com:bad%zz/shop", "a connection string that can't be read"),
    ("hunter2", "a connection string that can't be read"),
  ])
  func `is shown without a password`(text: String, shown: String) {
    #expect(ConnectionString.redacted(text) == shown)
  }

  @Test(arguments: [
    "postgres://ada:hunter2%zz@db.example.com/shop",
    "password=hunter2 hunter2", "password='hunter2", "hunter2", "hunter2=hunter2 x=y",
    "postgres://ada@db.example.com/shop?hunter2", "postgres://[hunter2",
  ])
  func `a password is not part of what can't be read`(text: String) {
    let error = #expect(throws: TargetError.self) { try ConnectionString(text, environment: [:]) }

    let shown = error?.diagnostics.map { $0.rendered() }.joined() ?? ""
    #expect(shown.contains("target.unreadable"))
    #expect(!shown.contains("hunter2"))
  }

  @Test func `a password isn't printed by accident`() throws {
    let connection = try ConnectionString("host=h password=hunter2", environment: [:])
    let target = try HostedTarget("host=h password=hunter2", environment: [:], because: .several("hosts"))

    #expect(!"\(connection) \(String(reflecting: connection)) \(target)".contains("hunter2"))
  }

  @Test func `a misspelt keyword is named`() {
    let error = #expect(throws: TargetError.self) { try ConnectionString("hots=localhost", environment: [:]) }

    #expect(error == .unreadable("invalid connection option \"hots\""))
  }
}
