extension CompletionTable {
  var fish: String {
    """
    # fish completion for \(program). Load it with: \(program) completions fish | source

    function __\(program)_place
      set -l words (commandline -opc)
      set -l place ''
      set -e words[1]
      while set -q words[1]
        switch $words[1]
          case --
            break
          case \(valueOptions.joined(separator: " "))
            set -q words[2]; and set -e words[1]
          case '*'
            switch $place/$words[1]
              case \(placeNames.joined(separator: " "))
                set place $place/$words[1]
            end
        end
        set -e words[1]
      end
      echo $place
    end

    function __\(program)_at
      set -l place (__\(program)_place)
      test "$place" = "$argv[1]"
    end

    complete -c \(program) -f
    \((globalOptions.map { fishOption($0, at: $0.name == "version" ? "" : nil) }
      + places.flatMap(fishPlace)).joined(separator: "\n"))

    """
  }

  private func fishPlace(_ place: Place) -> [String] {
    place.options.map { fishOption($0, at: place.path) }
      + place.commands.map { fishLine(at: place.path, "-a \(quoted($0.name)) -d \(quoted($0.abstract))") }
      + place.arguments.compactMap { fishOffers($0.completion).map { fishLine(at: place.path, $0) } }
  }

  private func fishOption(_ option: OptionSpec, at place: String?) -> String {
    let short = option.short.map { "-s \($0) " } ?? ""
    let value = option.takesValue ? " -r \(fishOffers(option.completion) ?? "-f")" : ""
    let help = quoted(option.help)
    let line = fishLine(at: place, "\(short)-l \(option.name)\(value) -d \(help)")
    return option.isNegatable ? line + "\n" + fishLine(at: place, "-l no-\(option.name) -d \(help)") : line
  }

  private func fishLine(at place: String?, _ rest: String) -> String {
    let condition = place.map { " -n \(quoted("__\(program)_at '\($0)'"))" } ?? ""
    return "complete -c \(program)\(condition) \(rest)"
  }

  private func fishOffers(_ completion: Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .files: "-F"
    case .directories: "-f -a '(__fish_complete_directories)'"
    case .words(let words): "-f -a \(quoted(words.joined(separator: " ")))"
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
