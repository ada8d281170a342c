/// What a completion script knows: the same for every shell.
///
/// Each script walks the words before the cursor to the *place*, `/migrate/status`, and offers what fits there.
struct CompletionTable {
  struct Place {
    /// Empty for the program itself, else a slash before each name.
    let path: String
    let commands: [(name: String, abstract: String)]
    let options: [OptionSpec]
    let arguments: [ArgumentSpec]
  }

  let program: String
  /// The program itself first. `help` is no place: what follows it names one.
  let places: [Place]
  let globalOptions: [OptionSpec]

  init<Context>(_ root: CommandSpec<Context>) {
    program = root.name
    let top = CommandPath(root)
    globalOptions = top.globalOptions.filter { !$0.isHidden }
    places = top.visibleTree.filter { $0.commands.count != 2 || $0.command.name != "help" }.map { path in
      Place(
        path: path.commands.dropFirst().map { "/\($0.name)" }.joined(),
        commands: path.command.visibleSubcommands.map { ($0.name, $0.abstract) },
        options: path.ownOptions.filter { !$0.isHidden }, arguments: path.arguments)
    }
  }

  var placeNames: [String] { places.map(\.path).filter { !$0.isEmpty } }

  /// Every option that has a value after it, short form included, without repeats.
  var valueOptions: [String] {
    let specs = globalOptions + places.flatMap(\.options)
    return Set(specs.filter(\.takesValue).flatMap(\.spellings)).sorted()
  }

  /// Global options with a value first, at any place, then each place's own.
  var valuedOptions: [(place: String, option: OptionSpec)] {
    globalOptions.filter(\.takesValue).map { ("*", $0) }
      + places.flatMap { place in place.options.filter(\.takesValue).map { (place.path, $0) } }
  }
}

extension OptionSpec {
  /// All forms a user may type.
  var spellings: [String] {
    (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] + (isNegatable ? ["--no-\(name)"] : [])
  }

  var longSpellings: [String] { spellings.filter { $0.hasPrefix("--") } }
}

extension CommandSpec {
  /// The completion script for a shell, with a final line end.
  package func completionScript(for shell: Shell) -> String {
    let table = CompletionTable(self)
    return switch shell {
    case .bash: table.bash
    case .zsh: table.zsh
    case .fish: table.fish
    }
  }
}

/// The shells completions are written for.
package enum Shell: String, CaseIterable, ArgumentValue {
  case bash, zsh, fish
}
