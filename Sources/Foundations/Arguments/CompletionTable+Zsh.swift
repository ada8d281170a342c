extension CompletionTable {
  /// Works autoloaded from a folder in `fpath` as well as sourced.
  var zsh: String {
    """
    #compdef \(program)
    # zsh completion for \(program). Write it to a folder in fpath as _\(program), or load it with:
    #   source <(\(program) completions zsh)

    _\(program)() {
      local place= option= ended= word
      local -i index
      local -a offers

      for ((index = 2; index < CURRENT; index++)); do
        word=$words[index]
        case $word in
          (--) ended=yes; break ;;
          (\(valueOptions.joined(separator: "|"))) index=index+1; continue ;;
        esac
        case $place/$word in
          (\(placeNames.joined(separator: "|"))) place=$place/$word ;;
        esac
      done

      if [[ -z $ended ]]; then
        option=$words[CURRENT-1]
        if [[ $words[CURRENT] == --*=* ]]; then
          option=${words[CURRENT]%%=*}
          compset -P '*='
        fi
        case $place:$option in
    \(valuedOptions.map(zshValue).joined(separator: "\n"))
        esac
      fi

      if [[ -z $ended && $words[CURRENT] == -* ]]; then
        case $place in
    \(places.map(zshOptions).joined(separator: "\n"))
        esac
        _describe -o option offers
        return
      fi

      case $place in
    \(places.map(zshWords).joined(separator: "\n"))
      esac
    }

    if [[ $funcstack[1] == _\(program) ]]; then
      _\(program) "$@"
    else
      compdef _\(program) \(program)
    fi

    """
  }

  private func zshValue(_ entry: (place: String, option: OptionSpec)) -> String {
    let patterns = entry.option.spellings.map { "\(entry.place):\($0)" }.joined(separator: "|")
    let offers = zshOffers(entry.option.completion) ?? "_message '\(entry.option.valueName ?? "value")'"
    return "      (\(patterns)) \(offers); return ;;"
  }

  private func zshOptions(_ place: Place) -> String {
    let global = place.path.isEmpty ? globalOptions : globalOptions.filter { $0.name != "version" }
    let words = (place.options + global).flatMap { option in
      option.longSpellings.map { zshPair($0, option.help) }
    }
    return "      ('\(place.path)') offers=(\(words.joined(separator: " "))) ;;"
  }

  private func zshWords(_ place: Place) -> String {
    let pairs = place.commands.map { zshPair($0.name, $0.abstract) }.joined(separator: " ")
    let offers =
      (pairs.isEmpty ? [] : ["offers=(\(pairs)); _describe command offers"])
      + place.arguments.compactMap { zshOffers($0.completion) }
    return "    ('\(place.path)') \(offers.isEmpty ? ":" : offers.joined(separator: "; ")) ;;"
  }

  /// `'name:explanation'`, quoted for the shell; a colon in the name would start the explanation.
  private func zshPair(_ name: String, _ text: String) -> String {
    "'\(name):\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  private func zshOffers(_ completion: Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .files: "_files"
    case .directories: "_files -/"
    case .words(let words): "compadd -- \(words.joined(separator: " "))"
    }
  }
}
