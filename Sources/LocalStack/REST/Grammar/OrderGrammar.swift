/// The grammar of `order`.
enum OrderGrammar {
  static func terms(_ input: inout GrammarInput) -> Outcome<[OrderTerm]> {
    input.separated(by: { $0.char(",") }) { input in
      input.lexeme { $0.choose({ $0.attempt(relationTerm) }, columnTerm) }
    }
  }

  private static func relationTerm(_ input: inout GrammarInput) -> Outcome<OrderTerm> {
    var sequence = GrammarSequence()
    guard let relation = sequence.take(NameGrammar.fieldName, &input),
      let field = sequence.take(input.between("(", ")", NameGrammar.field)),
      let (direction, nulls) = sequence.take(modifiers, &input)
    else { return sequence.fail() }
    return sequence.succeed(
      OrderTerm(relation: relation, field: field, direction: direction, nulls: nulls))
  }

  private static func columnTerm(_ input: inout GrammarInput) -> Outcome<OrderTerm> {
    var sequence = GrammarSequence()
    guard let field = sequence.take(NameGrammar.field, &input),
      let (direction, nulls) = sequence.take(modifiers, &input)
    else { return sequence.fail() }
    return sequence.succeed(OrderTerm(relation: nil, field: field, direction: direction, nulls: nulls))
  }

  private static func modifiers(
    _ input: inout GrammarInput
  ) -> Outcome<(OrderDirection?, OrderNulls?)> {
    var sequence = GrammarSequence()
    guard
      let direction = sequence.take(
        input.optional {
          $0.choose(
            { modifier("asc", .ascending, &$0) }, { modifier("desc", .descending, &$0) })
        } as Outcome<OrderDirection?>)
    else { return sequence.fail() }
    let nulls: Outcome<OrderNulls?> = input.choose(
      { input in
        var step = GrammarSequence()
        let given: Outcome<OrderNulls?> = input.optional {
          $0.choose(
            { modifier("nullsfirst", .first, &$0) }, { modifier("nullslast", .last, &$0) })
        }
        guard let nulls = step.take(given), step.take(end, &input) != nil else { return step.fail() }
        return step.succeed(nulls)
      }, { end(&$0).map { nil } })
    guard let nulls = sequence.take(nulls) else { return sequence.fail() }
    return sequence.succeed((direction, nulls))
  }

  private static func modifier<Value>(
    _ word: StaticString, _ value: Value, _ input: inout GrammarInput
  ) -> Outcome<Value> {
    input.attempt { input in
      var sequence = GrammarSequence()
      guard sequence.take(NameGrammar.delimiter, &input) != nil, sequence.take(input.string(word)) != nil
      else { return sequence.fail() }
      return sequence.succeed(value)
    }
  }

  private static func end(_ input: inout GrammarInput) -> Outcome<Void> {
    input.choose({ $0.attempt { $0.lookAhead { $0.char(",").map { _ in } } } }, { $0.end() })
  }
}
