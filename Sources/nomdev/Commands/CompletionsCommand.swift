import Arguments

extension CommandTable {
  private static let shell = Argument<Shell>("shell", help: "The shell to complete in.")

  static let completions: Command = Command(
    "completions", abstract: "Print a script that completes nomdev's commands.",
    arguments: [shell],
    examples: [
      Example("source <(nomdev completions bash)", "Complete in this bash; put it in ~/.bashrc to keep it."),
      Example("nomdev completions zsh > ~/.zfunc/_nomdev", "Complete in zsh, with ~/.zfunc in fpath."),
      Example("nomdev completions fish | source", "Complete in this fish."),
    ]
  ) { arguments, console in
    try console.write(root.completionScript(for: arguments[shell]))
    return .success
  }
}
