/// The grammar of `select`.
enum SelectGrammar {
  static func items(_ input: inout GrammarInput) -> Outcome<[SelectItem]> {
    input.choose(
      { $0.separated(by: { $0.lexeme { $0.char(",") } }, item) }, { _ in .success([]) })
  }

  private static func item(_ input: inout GrammarInput) -> Outcome<SelectItem> {
    input.choose({ embed(spread, &$0) }, { embed(relation, &$0) }, field)
  }

  private static func embed(
    _ head: Grammar<SelectItem.Kind>, _ input: inout GrammarInput
  ) -> Outcome<SelectItem> {
    var sequence = GrammarSequence()
    guard let kind = sequence.take(input.attempt(head)),
      let children = sequence.take(input.nested { $0.between("(", ")", items) })
    else { return sequence.fail() }
    return sequence.succeed(SelectItem(kind: kind, children: children))
  }

  private static func spread(_ input: inout GrammarInput) -> Outcome<SelectItem.Kind> {
    input.lexeme { input in
      var sequence = GrammarSequence()
      guard sequence.take(input.string("...")) != nil,
        let name = sequence.take(NameGrammar.fieldName, &input),
        let (hint, join) = sequence.take(parameters, &input),
        sequence.take(input.attempt { $0.lookAhead { $0.string("(") } }) != nil
      else { return sequence.fail() }
      return sequence.succeed(.spread(name: name, hint: hint, join: join))
    }
  }

  private static func relation(_ input: inout GrammarInput) -> Outcome<SelectItem.Kind> {
    input.lexeme { input in
      var sequence = GrammarSequence()
      guard let alias = sequence.take(input.optional(alias)),
        let name = sequence.take(NameGrammar.fieldName, &input), name != "count",
        let (hint, join) = sequence.take(parameters, &input),
        sequence.take(input.attempt { $0.lookAhead { $0.string("(") } }) != nil
      else { return sequence.fail() }
      return sequence.succeed(.relation(name: name, alias: alias, hint: hint, join: join))
    }
  }

  private static func alias(_ input: inout GrammarInput) -> Outcome<String> {
    input.attempt { input in
      var sequence = GrammarSequence()
      guard let name = sequence.take(NameGrammar.fieldName, &input), sequence.take(input.char(":")) != nil,
        sequence.take(input.not { $0 == ":" }) != nil
      else { return sequence.fail() }
      return sequence.succeed(name)
    }
  }

  // MARK: - !hint!inner

  private enum Parameter {
    case hint(String)
    case join(JoinKind)
  }

  private static func parameters(_ input: inout GrammarInput) -> Outcome<(String?, JoinKind?)> {
    var sequence = GrammarSequence()
    var hint: String?
    var join: JoinKind?
    for _ in 0..<2 {
      guard let given = sequence.take(input.optional(parameter)) else { return sequence.fail() }
      switch given {
      case .hint(let name): hint = hint ?? name
      case .join(let kind): join = join ?? kind
      case nil: break
      }
    }
    return sequence.succeed((hint, join))
  }

  private static func parameter(_ input: inout GrammarInput) -> Outcome<Parameter> {
    var sequence = GrammarSequence()
    guard sequence.take(input.char("!")) != nil else { return sequence.fail() }
    let choice: Outcome<Parameter> = input.choose(
      { $0.attempt { $0.string("left") }.map { .join(.left) } },
      { $0.attempt { $0.string("inner") }.map { .join(.inner) } },
      { $0.attempt(NameGrammar.fieldName).map { .hint($0) } })
    guard let parameter = sequence.take(choice) else { return sequence.fail() }
    return sequence.succeed(parameter)
  }

  // MARK: - Fields

  private static func field(_ input: inout GrammarInput) -> Outcome<SelectItem> {
    input.lexeme { $0.choose({ $0.attempt(star) }, { $0.attempt(count) }, column) }
      .map { SelectItem(kind: .field($0)) }
  }

  private static func star(_ input: inout GrammarInput) -> Outcome<SelectedField> {
    var sequence = GrammarSequence()
    guard sequence.take(input.string("*")) != nil, sequence.take(end, &input) != nil else {
      return sequence.fail()
    }
    return sequence.succeed(SelectedField(field: Field(name: "*")))
  }

  private static func count(_ input: inout GrammarInput) -> Outcome<SelectedField> {
    var sequence = GrammarSequence()
    guard let alias = sequence.take(input.optional(alias)), sequence.take(input.string("count()")) != nil,
      let cast = sequence.take(input.optional(cast)), sequence.take(end, &input) != nil
    else { return sequence.fail() }
    return sequence.succeed(
      SelectedField(field: Field(name: "*"), aggregate: .count, aggregateCast: cast, alias: alias))
  }

  private static func column(_ input: inout GrammarInput) -> Outcome<SelectedField> {
    var sequence = GrammarSequence()
    guard let alias = sequence.take(input.optional(alias)),
      let field = sequence.take(NameGrammar.field, &input),
      let firstCast = sequence.take(input.optional(cast)),
      let aggregate = sequence.take(input.optional(aggregate)),
      let secondCast = sequence.take(input.optional(cast)), sequence.take(end, &input) != nil
    else { return sequence.fail() }
    return sequence.succeed(
      SelectedField(
        field: field, aggregate: aggregate, aggregateCast: secondCast, cast: firstCast, alias: alias))
  }

  private static func cast(_ input: inout GrammarInput) -> Outcome<String> {
    var sequence = GrammarSequence()
    guard sequence.take(input.string("::")) != nil,
      let type = sequence.take(NameGrammar.identifier, &input)
    else { return sequence.fail() }
    return sequence.succeed(type)
  }

  private static func aggregate(_ input: inout GrammarInput) -> Outcome<Aggregate> {
    input.attempt { input in
      var sequence = GrammarSequence()
      guard sequence.take(input.char(".")) != nil else { return sequence.fail() }
      let name: Outcome<Aggregate> = input.choose(
        { $0.string("sum").map { .sum } }, { $0.string("avg").map { .avg } },
        { $0.string("count").map { .count } }, { $0.attempt { $0.string("max") }.map { .max } },
        { $0.attempt { $0.string("min") }.map { .min } })
      guard let aggregate = sequence.take(name), sequence.take(input.string("()")) != nil else {
        return sequence.fail()
      }
      return sequence.succeed(aggregate)
    }
  }

  private static func end(_ input: inout GrammarInput) -> Outcome<Void> {
    input.choose(
      { $0.attempt { $0.lookAhead { $0.string(")") } } },
      { $0.attempt { $0.lookAhead { $0.string(",") } } }, { $0.end() })
  }
}
