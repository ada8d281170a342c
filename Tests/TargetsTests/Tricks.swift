import Testing

/// One way to make a tool believe that a database elsewhere is on this machine, or to reach one without its
/// noticing. `{p}` is the port of a listener that must not hear of it.
struct Trick: CustomTestStringConvertible {
  let id: String
  let conninfo: String
  let environment: [String: String]
  let code: String

  init(_ id: String, _ conninfo: String, _ environment: [String: String] = [:], code: String = "not-loopback")
  {
    self.id = id
    self.conninfo = conninfo
    self.environment = environment
    self.code = "target.\(code)"
  }

  var testDescription: String { id }

  static let all: [Trick] = [
    // Other machines, said plainly.
    .init("a name elsewhere", "postgres://postgres@db.example.com:{p}/postgres"),
    .init("an address elsewhere", "postgres://postgres@192.0.2.1:{p}/postgres"),
    .init("an IPv6 address elsewhere", "postgres://postgres@[2001:db8::1]:{p}/postgres"),
    .init("a private address", "host=10.0.0.1 port={p}"),
    .init("a link-local address with a zone", "host=fe80::1%lo port={p}"),
    .init("the container host's name", "host=host.docker.internal port={p}"),

    // Names that look local.
    .init("begins with localhost", "postgres://postgres@localhost.evil.test:{p}/postgres"),
    .init("ends with localhost", "postgres://postgres@evil-localhost:{p}/postgres"),
    .init("a name under localhost", "postgres://postgres@db.localhost:{p}/postgres"),
    .init("localhost with a full stop", "postgres://postgres@localhost.:{p}/postgres"),
    .init("localhost in capitals", "postgres://postgres@LOCALHOST:{p}/postgres"),
    .init("localhost with a percent-encoded dot", "postgres://postgres@localhost%2eevil.test:{p}/postgres"),
    .init("localhost with a blank", "host='localhost ' port={p}"),
    .init("localhost in wide letters", "host=ｌｏｃａｌｈｏｓｔ port={p}"),
    .init("localhost with a Cyrillic o", "host=lоcalhost port={p}"),
    .init("localhost with a soft hyphen", "host=local\u{AD}host port={p}"),
    .init("localhost.localdomain", "host=localhost.localdomain port={p}"),
    .init("ip6-localhost", "host=ip6-localhost port={p}"),
    .init("an address as the beginning of a name", "host=127.0.0.1.evil.test port={p}"),
    .init("an address with a dash", "host=127-0-0-1.evil.test port={p}"),

    // Addresses that mean loopback to some readers.
    .init("every address", "host=0.0.0.0 port={p}"),
    .init("every IPv6 address", "postgres://postgres@[::]:{p}/postgres"),
    .init("zero", "host=0 port={p}"),
    .init("an IPv4-mapped address", "postgres://postgres@[::ffff:127.0.0.1]:{p}/postgres"),
    .init("an IPv4-mapped address in hexadecimal", "host=::ffff:7f00:1 port={p}"),
    .init("a mapped address elsewhere", "host=::ffff:192.0.2.1 port={p}"),
    .init("an IPv4-compatible address", "host=::127.0.0.1 port={p}"),
    .init("a short address", "host=127.1 port={p}"),
    .init("a shorter address", "host=127.0.1 port={p}"),
    .init("one number", "host=2130706433 port={p}"),
    .init("a hexadecimal number", "host=0x7f000001 port={p}"),
    .init("octal parts", "host=0177.0.0.1 port={p}"),
    .init("leading zeros", "host=127.000.000.001 port={p}"),
    .init("five parts", "host=127.0.0.1.1 port={p}"),
    .init("a part too large", "host=127.0.0.256 port={p}"),
    .init("wide digits", "host=127.0.0.１ port={p}"),
    .init("a full stop in the address", "host=127.0.0.1. port={p}"),
    .init("the long form of ::1", "host=0:0:0:0:0:0:0:1 port={p}"),
    .init("::1 with a zone", "host=::1%lo port={p}"),
    .init("::1 with a percent-encoded zone", "postgres://postgres@[::1%25lo]:{p}/postgres"),
    .init("brackets outside a URI", "host=[::1] port={p}"),

    // What the URI's parts say.
    .init("localhost as the user", "postgres://localhost@evil.test:{p}/postgres"),
    .init("localhost as user and password", "postgres://localhost:5432@evil.test:{p}/postgres"),
    .init("an address as the user", "postgres://127.0.0.1%3a5432@evil.test:{p}/postgres"),
    .init("localhost as the database", "postgres://evil.test:{p}/localhost"),
    .init("host in the query", "postgres://postgres@localhost:{p}/postgres?host=evil.test"),
    .init("an encoded host in the query", "postgres://postgres@localhost:{p}/postgres?host=evil%2Etest"),
    .init("a host twice in the query", "postgres://localhost:{p}/postgres?host=127.0.0.1&host=evil.test"),
    .init("hostaddr in the query", "postgres://postgres@localhost:{p}/postgres?hostaddr=192.0.2.1"),
    .init("a host given twice", "host=localhost port={p} host=evil.test"),
    .init("a host in quotes", "host='evil.test' port={p}"),

    // hostaddr beats host.
    .init("localhost at an address elsewhere", "host=localhost hostaddr=192.0.2.1 port={p}"),
    .init("a name elsewhere at a loopback address", "host=evil.test hostaddr=127.0.0.1 port={p}"),
    .init("a socket folder with an address", "host=/tmp hostaddr=127.0.0.1 port={p}"),
    .init("two loopback addresses that differ", "host=127.0.0.1 hostaddr=::1 port={p}"),
    .init("a name as the address", "host=localhost hostaddr=localhost port={p}"),
    .init("every address as the address", "host=localhost hostaddr=0.0.0.0 port={p}"),

    // Lists.
    .init("two hosts", "postgres://127.0.0.1:{p},evil.test:{p}/postgres", code: "several"),
    .init("two hosts, both loopback", "host=127.0.0.1,localhost port={p}", code: "several"),
    .init("a list behind a percent sign", "postgres://127.0.0.1%2cevil.test:{p}/postgres", code: "several"),
    .init("a list with an empty end", "host=127.0.0.1, port={p}", code: "several"),
    .init("a socket folder and a host", "host=/tmp,evil.test port={p}", code: "several"),
    .init("two addresses", "host=localhost hostaddr=127.0.0.1,192.0.2.1 port={p}", code: "several"),
    .init("two ports", "host=127.0.0.1 port={p},5432", code: "several"),

    // Sockets.
    .init("an abstract socket", "host=@evil port={p}"),
    .init("a relative folder", "host=./tmp port={p}"),
    .init("a folder without its slash", "host=tmp/postgresql port={p}"),
    .init("a home folder", "host=~/sockets port={p}"),

    // The environment.
    .init("PGHOST", "port={p} dbname=postgres", ["PGHOST": "evil.test"]),
    .init("PGHOST for an empty string", "", ["PGHOST": "evil.test", "PGPORT": "{p}"]),
    .init("PGHOST for a URI without host", "postgres:///postgres?port={p}", ["PGHOST": "192.0.2.1"]),
    .init("PGHOST with a list", "port={p}", ["PGHOST": "127.0.0.1,evil.test"], code: "several"),
    .init("PGHOSTADDR with localhost", "host=localhost port={p}", ["PGHOSTADDR": "192.0.2.1"]),
    .init("PGHOSTADDR with a socket", "host=/tmp port={p}", ["PGHOSTADDR": "192.0.2.1"]),
    .init("PGHOSTADDR alone", "port={p}", ["PGHOSTADDR": "192.0.2.1"]),
    .init("PGHOSTADDR and PGHOST", "port={p}", ["PGHOST": "localhost", "PGHOSTADDR": "192.0.2.1"]),
    .init(
      "PGHOSTADDR with a list", "host=localhost port={p}", ["PGHOSTADDR": "127.0.0.1,192.0.2.1"],
      code: "several"),
    .init("PGPORT with a list", "host=localhost", ["PGPORT": "{p},5432"], code: "several"),
    .init(
      "PGDATABASE as a URI", "host=localhost port={p}", ["PGDATABASE": "postgres://evil.test/x"],
      code: "doubtful"),
    .init(
      "PGUSER as a URI", "host=localhost port={p}", ["PGUSER": "postgres://evil.test/x"], code: "doubtful"),

    // Services.
    .init("a service", "service=production", code: "service"),
    .init("a service beside localhost", "host=localhost port={p} service=production", code: "service"),
    .init("a service in the query", "postgres://localhost:{p}/postgres?service=production", code: "service"),
    .init("PGSERVICE", "host=localhost port={p}", ["PGSERVICE": "production"], code: "service"),
    .init(
      "PGSERVICE and its file", "port={p}", ["PGSERVICE": "x", "PGSERVICEFILE": "/tmp/x"], code: "service"),
    .init(
      "PGSERVICE and its folder", "port={p}", ["PGSERVICE": "x", "PGSYSCONFDIR": "/tmp"], code: "service"),
    .init("an empty PGSERVICE", "host=localhost port={p}", ["PGSERVICE": ""], code: "service"),

    // Smuggled in other values.
    .init(
      "a database that is a URI", "host=localhost port={p} dbname='postgres://evil.test/x'", code: "doubtful"),
    .init("a database that is a string", "host=localhost port={p} dbname='host=evil.test'", code: "doubtful"),
    .init(
      "a database name behind percent signs", "postgres://localhost:{p}/host%3devil.test", code: "doubtful"),
    .init("options", "host=localhost port={p} options='-c nomdev.instance=x'", code: "doubtful"),
    .init(
      "options in the query", "postgres://localhost:{p}/x?options=-cnomdev.instance%3Dx", code: "doubtful"),
    .init("a replication session", "host=localhost port={p} replication=database", code: "doubtful"),
    .init("port zero", "host=localhost port=0", code: "doubtful"),
    .init("a port with a sign", "host=localhost port=+{p}", code: "doubtful"),
    .init("a port with a blank", "host=localhost port=' {p}'", code: "doubtful"),
    .init("a port too large", "host=localhost port=65537", code: "doubtful"),
    .init("a NUL character", "host=127.0.0.1\0.evil.test port={p}", code: "unreadable"),
    .init("an encoded NUL", "postgres://127.0.0.1%00.evil.test:{p}/postgres", code: "unreadable"),
    .init("another scheme", "https://localhost:{p}/postgres", code: "unreadable"),
    .init("a scheme in capitals", "POSTGRES://localhost:{p}/postgres", code: "unreadable"),
  ]
}
