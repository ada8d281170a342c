import Arguments
import Testing

@Suite struct ParsingTests {
  @Test func `looks options up by typed keys`() throws {
    let (name, arguments) = try Fixture.parse(
      "migrate", "up", "--dry-run", "--to", "7", "--lock-timeout=300ms")

    #expect(name == "tool migrate up")
    #expect(arguments[Fixture.dryRun])
    #expect(arguments[Fixture.to] == "7")
    #expect(arguments[Fixture.lockTimeout] == .milliseconds(300))
    #expect(arguments[Fixture.format] == .text)
    #expect(arguments.has(Fixture.to))
    #expect(!arguments.has(Fixture.format))
  }

  @Test func `gives defaults for what is left out`() throws {
    let (_, arguments) = try Fixture.parse("migrate", "up")

    #expect(!arguments[Fixture.dryRun])
    #expect(arguments[Fixture.to] == nil)
    #expect(arguments[Fixture.lockTimeout] == .seconds(10))
    #expect(arguments[Fixture.checks])
  }

  @Test func `runs a group's default command`() throws {
    #expect(try Fixture.parse("migrate").name == "tool migrate up")
    #expect(try Fixture.parse("migrate", "--dry-run", "--to", "status").arguments[Fixture.to] == "status")
  }

  @Test func `takes options before, between and after the names of commands`() throws {
    let (name, arguments) = try Fixture.parse(
      "--format", "json", "migrate", "-q", "status", "--tag=a", "--tag", "b")

    #expect(name == "tool migrate status")
    #expect(arguments[Fixture.format] == .json)
    #expect(arguments[Fixture.quiet])
    #expect(arguments[Fixture.tags] == ["a", "b"])
  }

  @Test func `turns a flag off where that is declared`() throws {
    #expect(try !Fixture.parse("migrate", "--no-checks").arguments[Fixture.checks])
    #expect(try Fixture.parse("migrate", "--no-checks", "--checks").arguments[Fixture.checks])
  }

  @Test func `reads positional arguments of every kind`() throws {
    let repair = try Fixture.parse("migrate", "repair", "7", "-3", "--status", "applied").arguments
    #expect(repair[Fixture.version] == "7")
    #expect(repair[Fixture.count] == -3)
    #expect(repair[Fixture.status] == .applied)

    #expect(try Fixture.parse("load", "a", "-", "b").arguments[Fixture.files] == ["a", "-", "b"])
  }

  @Test func `ends options at two dashes`() throws {
    #expect(try Fixture.parse("load", "--", "--quiet", "--").arguments[Fixture.files] == ["--quiet", "--"])
  }

  @Test func `takes a value that starts with a dash after an equals sign`() throws {
    #expect(try Fixture.parse("migrate", "--to=--x=y").arguments[Fixture.to] == "--x=y")
    #expect(try Fixture.parse("migrate", "--to=").arguments[Fixture.to] == "")
    #expect(try Fixture.parse("stack", "up", "-j", "-1").arguments[Fixture.jobs] == -1)
  }

  @Test func `reads variables unless the command line says otherwise`() throws {
    let environment = ["TOOL_FORMAT": "json", "TOOL_LOCK_TIMEOUT": ""]

    let fromVariable = try Fixture.parse("migrate", environment: environment).arguments
    #expect(fromVariable[Fixture.format] == .json)
    #expect(fromVariable[Fixture.lockTimeout] == .seconds(10))
    #expect(
      try Fixture.parse("migrate", "--format=tap", environment: environment).arguments[Fixture.format] == .tap
    )
    #expect(Fixture.root.environmentVariables == ["TOOL_FORMAT", "TOOL_LOCK_TIMEOUT"])
  }

  @Test(arguments: [
    (["--help"], "tool"), ([], "tool"), (["help"], "tool"),
    (["help", "migrate", "status"], "tool migrate status"),
    (["migrate", "-h"], "tool migrate"), (["stack", "--help", "up"], "tool stack up"),
    (["migrate", "up", "--nonsense", "--help"], "tool migrate up"), (["help", "inner"], "tool inner"),
  ])
  func `shows help at every level`(words: [String], name: String) throws {
    guard case .help(let path) = try CommandParser(Fixture.root).parse(words) else {
      Issue.record("not a request for help")
      return
    }
    #expect(path.name == name)
  }

  @Test func `shows the version`() throws {
    guard case .version = try CommandParser(Fixture.root).parse(["--version"]) else {
      Issue.record("not a request for the version")
      return
    }
  }

  @Test func `does not take the text after an option for help`() throws {
    #expect(try Fixture.parse("migrate", "--to=--help").arguments[Fixture.to] == "--help")
    #expect(try Fixture.parse("load", "--", "--help").arguments[Fixture.files] == ["--help"])
  }

  @Test(arguments: [
    ("0", Duration.zero), ("300ms", .milliseconds(300)), ("5s", .seconds(5)), ("1.5s", .milliseconds(1_500)),
    ("2min", .seconds(120)), ("1h", .seconds(3_600)),
  ])
  func `reads durations`(text: String, duration: Duration) {
    #expect(Duration(argument: text) == duration)
  }

  @Test(arguments: [
    "", "5", "s", "-1s", "1 s", "1..5s", "5S", "5m", "nans", "infs", "99999999999999999999h", "1e3s",
  ])
  func `refuses what is no duration`(text: String) {
    #expect(Duration(argument: text) == nil)
  }

  @Test(arguments: ["0", "300ms", "5s", "1500ms", "2min", "60min"])
  func `writes durations as they are typed`(text: String) {
    #expect(Duration(argument: text)?.argumentText == text)
  }
}
