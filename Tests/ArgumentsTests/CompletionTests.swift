import Arguments
import Foundation
import Testing

@Suite struct CompletionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    /// What is typed, up to the cursor. bash makes words of their own of equals signs.
    let line: String
    let offers: [String]
    var testDescription: String { line }

    init(_ line: String, _ offers: String...) {
      self.line = line
      self.offers = offers.sorted()
    }
  }

  static let cases = [
    Case("tool ", "migrate", "stack", "load"),
    Case("tool mi", "migrate"),
    Case("tool in"),
    Case("tool migrate ", "up", "status", "repair"),
    Case("tool migrate s", "status"),
    Case("tool help migrate s", "status"),
    Case("tool -q --format json stack d", "down"),
    Case("tool --project migrate sta", "stack"),
    Case("tool --format ", "text", "json", "tap"),
    Case("tool migrate repair --status r", "reverted"),
    Case("tool migrate up --no", "--no-checks"),
    Case("tool migrate up --se"),
    Case("tool migrate status --ta", "--tag"),
    Case("tool migrate status --dry"),
    Case("tool stack up --jobs "),
    Case("tool load a", "a file"),
    Case("tool --project b", "b folder"), Case("tool --project a"),
  ]

  @Test(
    arguments: cases + [
      Case("tool --format=j", "json"), Case("tool migrate repair --status=", "applied", "reverted"),
    ])
  func `completes in bash`(_ example: Case) throws {
    let bash = try #require(Shells.find("bash"))
    let words = example.line.split(separator: " ", omittingEmptySubsequences: false).flatMap { word in
      let parts = word.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return [String(word)] }
      return [String(parts[0]), "="] + (parts[1].isEmpty ? [] : [String(parts[1])])
    }
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")

    let offers = try offers(
      from: bash, script: Fixture.root.completionScript(for: .bash),
      asking: """
        [[ $(complete -p tool) == "complete -F _tool tool" ]] || echo "not registered"
        COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _tool
        if [[ ${#COMPREPLY[@]} -gt 0 ]]; then printf '%s\\n' "${COMPREPLY[@]}"; fi
        """, flags: ["--norc", "--noprofile", "-u"])

    #expect(offers == example.offers)
  }

  @Test(
    .enabled(if: Shells.find("fish") != nil), arguments: cases + [Case("tool --format=j", "--format=json")])
  func `completes in fish`(_ example: Case) throws {
    let fish = try #require(Shells.find("fish"))

    let offers = try offers(
      from: fish, script: Fixture.root.completionScript(for: .fish),
      asking: "complete -C '\(example.line)' | string replace -r '\\t.*' ''", flags: ["--no-config"])

    // fish offers long options for a bare word, marks folders, and completes files of the folder it runs in.
    #expect(offers.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } == example.offers)
  }

  /// zsh completes only on a terminal, so it is run on one of its own, and what it lists is read from there.
  @Test(
    .enabled(if: Shells.find("zsh") != nil),
    arguments: [
      Case("tool mi", "tool migrate "), Case("tool migrate s", "tool migrate status "),
      Case("tool -q --format json stack d", "tool -q --format json stack down "),
      Case("tool --format=j", "tool --format=json "),
      Case("tool migrate up --no", "tool migrate up --no-checks "),
      Case("tool load a", "tool load a\\ file "), Case("tool help migrate s", "tool help migrate status "),
    ])
  func `completes in zsh`(_ example: Case) throws {
    let zsh = try #require(Shells.find("zsh"))
    let script = Fixture.root.completionScript(for: .zsh)

    let completed = try offers(
      from: zsh, script: script,
      asking: """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'autoload -U compinit; compinit -u -D; source ../script; PROMPT=; zstyle ":completion:*" menu no'
        zpty -w shell 'show() { print -r -- "<${BUFFER}>" > result; }; zle -N show; bindkey "^T" show; print READY'
        zpty -r shell text '*READY*READY*'
        zpty -n -w shell $'\(example.line)\\t'
        repeat 100; do zpty -n -w shell $'\\x14'; sleep 0.05; [[ -s result ]] && break; done
        zpty -d shell
        cat result
        """, flags: ["-f"])

    #expect(completed == example.offers.map { "<\($0)>" })
  }

  @Test(arguments: [(Shell.bash, ["-n"]), (.zsh, ["-n"]), (.fish, ["--no-execute"])])
  func `is a script the shell can read`(shell: Shell, flags: [String]) throws {
    guard let program = Shells.find(shell.rawValue) else { return }

    let complaint = try Shells.withFolder { folder in
      let script = "\(folder)/script"
      try Fixture.root.completionScript(for: shell).write(toFile: script, atomically: true, encoding: .utf8)
      return try Shells.run(program, flags + [script])
    }

    #expect(complaint == "")
  }

  /// Sources the script in b folder that holds `a file` and `b folder/`, runs `question`, and sorts the lines.
  private func offers(
    from shell: String, script: String, asking question: String, flags: [String]
  ) throws -> [String] {
    try Shells.withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/in/b folder", withIntermediateDirectories: true)
      try "".write(toFile: "\(folder)/in/a file", atomically: true, encoding: .utf8)
      try script.write(toFile: "\(folder)/script", atomically: true, encoding: .utf8)
      let source = shell.hasSuffix("zsh") ? "" : "source ../script\n"
      return try Shells.run(shell, flags + ["-c", "cd '\(folder)/in'\n\(source)\(question)"])
        .split(separator: "\n").map(String.init).sorted()
    }
  }
}
