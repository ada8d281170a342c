import Foundation
import Testing

@Suite struct CommandLineTests {
  @Test(arguments: [["--help"], ["-h"], ["help"], []]) func `prints help as a result`(words: [String]) throws
  {
    let outcome = try Nomdev.shell("\"$nomdev\" \(words.joined(separator: " "))")

    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\nUsage: nomdev <command> [options]\n"))
    #expect(outcome.errors == "")
  }

  @Test func `prints the version`() throws {
    let outcome = try Nomdev.run("--version")

    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("nomdev "))
    #expect(try Nomdev.run("version").output == outcome.output)
  }

  @Test func `suggests a command and exits 64`() throws {
    let outcome = try Nomdev.run("completion")

    #expect(outcome.status == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.errors == """
        error[usage.unknown-command]: 'nomdev' has no command 'completion'
        hint: did you mean 'completions'?
        Usage: nomdev <command> [options]
        See 'nomdev --help'.

        """)
  }

  @Test func `survives a reader that stops reading`() throws {
    let outcome = try Nomdev.shell("\"$nomdev\" completions bash | head -1; echo ${PIPESTATUS[*]}")

    #expect(
      outcome.output == "# bash completion for nomdev. Load it with: source <(nomdev completions bash)\n0 0\n"
    )
    #expect(outcome.errors == "")
  }

  @Test func `survives a reader that is gone before the first byte`() throws {
    let outcome = try Nomdev.shell("(sleep 0.2; \"$nomdev\" man; echo $? >&2) | true")

    #expect(outcome.errors == "0\n")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `says so when the disk is full`() throws {
    let outcome = try Nomdev.shell("\"$nomdev\" man > /dev/full")

    #expect(outcome.status == 2)
    #expect(
      outcome.errors == """
        error[console.output]: the output could not be written
        detail: No space left on device

        """)
  }

  @Test func `colours only a terminal`() throws {
    let outcome = try Nomdev.run("help", "nosuch")

    #expect(try Nomdev.run("--help").output.contains("\u{1B}") == false)
    #expect(outcome.errors.hasPrefix("error[usage.unknown-command]"))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
  func `colours a terminal that wants it`() throws {
    // `script` gives the command a terminal, and copies what is shown there to its own output.
    let line = "script -qec \"$nomdev --help\" /dev/null"

    #expect(try Nomdev.shell(line, environment: ["TERM": "xterm"]).output.contains("\u{1B}[1mOptions:"))
    #expect(try !Nomdev.shell(line, environment: ["TERM": "dumb"]).output.contains("\u{1B}"))
    #expect(
      try !Nomdev.shell(line, environment: ["TERM": "xterm", "NO_COLOR": "1"]).output.contains("\u{1B}"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func `prints completions`(shell: String) throws {
    let outcome = try Nomdev.run("completions", shell)

    #expect(outcome.status == 0)
    #expect(outcome.output.contains("completions"))
  }
}
