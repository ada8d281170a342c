import JSONValues
import Postgres
import Processes
import Support
import Testing

@Suite struct StackCommandTests {
  private let project: ScratchProject

  init() throws {
    project = try ScratchProject()
    try project.folder.write("migrations/.keep", "")
  }

  @Test func `goes up once, tells where it is, and down again`() throws {
    #expect(try project.run("stack", "status").status == 1)
    #expect(
      try project.run("stack", "status", "--format", "json").output
        == "{\n  \"version\": 1,\n  \"running\": false\n}\n")

    let up = try project.run("stack", "up")
    #expect(up.status == 0)
    #expect(up.output.hasPrefix("The stack started.\n  database    \(project.url)\n"))
    #expect(
      try project.run("stack", "up").output.hasPrefix(
        "The stack was running.\n  database    \(project.url)\n"))
    let status = try JSON(parsing: try project.run("stack", "status", "--format", "json").output)
    #expect(status["running"]?.bool == true)
    #expect(status["database_url"]?.string == project.url)
    #expect(try project.run("stack", "logs", "-n", "5").output.contains("ready to accept connections"))

    #expect(try project.run("stack", "down").output == "The stack is stopped; its data stay.\n")
    #expect(try project.run("stack", "down").output == "The stack was not running.\n")
    let env = try project.run("stack", "env")
    #expect(env.status == 2)
    #expect(env.errors.hasPrefix("error[stack.down]"))
  }

  @Test func `keeps data over down and up, and loses them in a reset that was confirmed`() throws {
    _ = try project.run("stack", "up")
    try project.connect().run("create table kept ()")
    _ = try project.run("stack", "down")
    _ = try project.run("stack", "up")
    #expect(try project.connect().value("select to_regclass('kept')") == "kept")

    // The tests may have a terminal, which nomdev would ask on.
    let refused = try Nomdev.shell(
      "cd \(project.path) && setsid -w \"$nomdev\" stack reset", environment: project.environment)
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("error[console.no-terminal]"))
    #expect(try project.connect().value("select to_regclass('kept')") == "kept")

    #expect(try project.run("stack", "reset", "--yes").output.hasPrefix("The stack is new.\n"))
    #expect(try project.connect().value("select to_regclass('kept')") == nil)
  }

  @Test(.enabled(if: Files.exists("/usr/bin/psql"))) func `prints variables a shell and psql can use`() throws
  {
    _ = try project.run("stack", "up")

    let outcome = try Nomdev.shell(
      "cd \(project.path) && eval \"$(\"$nomdev\" stack env)\" && psql -Atc 'select current_user' \"$DB_URL\"",
      environment: project.environment)

    #expect(outcome.output == "postgres\n")
    #expect(outcome.errors == "")
  }

  @Test func `takes another port when its own is taken`() throws {
    _ = try project.run("stack", "up")
    let other = try ScratchProject(settings: "")
    try other.folder.write("nomdev.toml", "[ports]\ndatabase = \(project.port)\n")
    try other.folder.write("migrations/.keep", "")

    let up = try other.run("stack", "up", "--format", "json")

    #expect(up.status == 0)
    let url = try JSON(parsing: up.output)["database_url"]?.string ?? ""
    #expect(url != project.url)
    #expect(try Connection(url).value("select 1") == "1")
  }
}
