extension CompletionTable {
  /// Keeps to what bash 3.2 knows, the version macOS has: no `mapfile`, and `compopt` may be missing.
  var bash: String {
    """
    # bash completion for \(program). Load it with: source <(\(program) completions bash)

    _\(program)_offer() {
      local line
      while IFS= read -r line; do
        COMPREPLY+=("$line")
      done < <(compgen "$@" -- "$current")
    }

    _\(program)_offer_paths() {
      compopt -o filenames 2>/dev/null
      _\(program)_offer "$@"
    }

    _\(program)() {
      local current=${COMP_WORDS[COMP_CWORD]} place= option= ended= word index
      COMPREPLY=()

      for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        case $word in
          --) ended=yes; break ;;
          \(valueOptions.joined(separator: "|")))
            index=$((index + 1))
            # bash makes a word of its own of the "=" in --name=value.
            if [[ ${COMP_WORDS[index]} == "=" ]]; then index=$((index + 1)); fi
            continue ;;
        esac
        case $place/$word in
          \(placeNames.joined(separator: "|"))) place=$place/$word ;;
        esac
      done

      if [[ -z $ended ]]; then
        if [[ $current == "=" ]]; then
          option=${COMP_WORDS[COMP_CWORD - 1]}
          current=
        elif [[ $COMP_CWORD -ge 2 && ${COMP_WORDS[COMP_CWORD - 1]} == "=" ]]; then
          option=${COMP_WORDS[COMP_CWORD - 2]}
        else
          option=${COMP_WORDS[COMP_CWORD - 1]}
        fi
        case $place:$option in
    \(valuedOptions.map(bashValue).joined(separator: "\n"))
        esac
      fi

      if [[ -z $ended && $current == -* ]]; then
        case $place in
    \(places.map(bashOptions).joined(separator: "\n"))
        esac
        return
      fi

      case $place in
    \(places.map(bashWords).joined(separator: "\n"))
      esac
    }

    complete -F _\(program) \(program)

    """
  }

  private func bashValue(_ entry: (place: String, option: OptionSpec)) -> String {
    let patterns = entry.option.spellings.map { "\(entry.place):\($0)" }.joined(separator: "|")
    return "      \(patterns)) \(bashOffers(entry.option.completion).map { "\($0); " } ?? "")return ;;"
  }

  private func bashOptions(_ place: Place) -> String {
    let global =
      places.first?.path == place.path ? globalOptions : globalOptions.filter { $0.name != "version" }
    let words = (place.options + global).flatMap(\.longSpellings).joined(separator: " ")
    return "      \"\(place.path)\") _\(program)_offer -W \"\(words)\" ;;"
  }

  private func bashWords(_ place: Place) -> String {
    let words = place.commands.map(\.name).joined(separator: " ")
    let offers =
      (words.isEmpty ? [] : ["_\(program)_offer -W \"\(words)\""])
      + place.arguments.compactMap { bashOffers($0.completion) }
    return "    \"\(place.path)\") \(offers.isEmpty ? ":" : offers.joined(separator: "; ")) ;;"
  }

  private func bashOffers(_ completion: Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .files: "_\(program)_offer_paths -f"
    case .directories: "_\(program)_offer_paths -d"
    case .words(let words): "_\(program)_offer -W \"\(words.joined(separator: " "))\""
    }
  }
}
