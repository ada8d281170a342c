/// The grammar of filters and of the logic trees made of them.
enum FilterGrammar {
  /// `not.eq.5`: whether it is negated, and the operation.
  static func expression(
    _ value: @escaping Grammar<String>, _ input: inout GrammarInput
  ) -> Outcome<(isNegated: Bool, operation: Operation)> {
    var sequence = GrammarSequence()
    let negation: Outcome<Bool> = input.choose(
      { input in
        input.attempt { input in
          var step = GrammarSequence()
          guard step.take(input.string("not")) != nil, step.take(NameGrammar.delimiter, &input) != nil else {
            return step.fail()
          }
          return step.succeed(true)
        }
      }, { _ in .success(false) })
    guard let isNegated = sequence.take(negation),
      let operation = sequence.take(
        input.label("operator (eq, gt, ...)") {
          $0.choose(
            { among(&$0) }, { isValue(&$0) }, { isDistinct(value, &$0) },
            { $0.attempt { fullText(value, &$0) } }, { $0.attempt { simple(value, &$0) } },
            { $0.attempt { quantified(value, &$0) } })
        })
    else { return sequence.fail() }
    return sequence.succeed((isNegated, operation))
  }

  /// All that is left.
  static func wholeValue(_ input: inout GrammarInput) -> Outcome<String> { input.run { _ in true } }

  private static func prefix(_ word: StaticString, _ input: inout GrammarInput) -> Outcome<Void> {
    input.attempt { input in
      var sequence = GrammarSequence()
      guard sequence.take(input.string(word)) != nil, sequence.take(NameGrammar.delimiter, &input) != nil
      else { return sequence.fail() }
      return sequence.succeed(())
    }
  }

  // MARK: - Operations

  private static func among(_ input: inout GrammarInput) -> Outcome<Operation> {
    var sequence = GrammarSequence()
    guard sequence.take(prefix("in", &input)) != nil, sequence.take(input.lexeme { $0.char("(") }) != nil,
      let items = sequence.take(input.separated(by: { $0.char(",") }, listElement)),
      sequence.take(input.lexeme { $0.char(")") }) != nil
    else { return sequence.fail() }
    return sequence.succeed(.among(items))
  }

  private static func listElement(_ input: inout GrammarInput) -> Outcome<String> {
    input.choose(fullyQuoted, { $0.run { $0 != "," && $0 != ")" } })
  }

  private static func fullyQuoted(_ input: inout GrammarInput) -> Outcome<String> {
    input.attempt { input in
      var sequence = GrammarSequence()
      guard let text = sequence.take(NameGrammar.quoted, &input),
        sequence.take(input.not { $0 != "," && $0 != ")" }) != nil
      else { return sequence.fail() }
      return sequence.succeed(text)
    }
  }

  private static func isValue(_ input: inout GrammarInput) -> Outcome<Operation> {
    var sequence = GrammarSequence()
    guard sequence.take(prefix("is", &input)) != nil else { return sequence.fail() }
    let value: Outcome<IsValue> = input.label("isVal: (null, not_null, true, false, unknown)") {
      $0.choose(
        { word("null", .null, &$0) }, { word("not_null", .notNull, &$0) }, { word("true", .isTrue, &$0) },
        { word("false", .isFalse, &$0) }, { word("unknown", .unknown, &$0) })
    }
    guard let value = sequence.take(value) else { return sequence.fail() }
    return sequence.succeed(.is(value))
  }

  private static func word(
    _ text: String, _ value: IsValue, _ input: inout GrammarInput
  ) -> Outcome<IsValue> {
    input.attempt { input in
      var sequence = GrammarSequence()
      for scalar in text.unicodeScalars {
        let upper = scalar.properties.uppercaseMapping.unicodeScalars.first
        let step: Outcome<Unicode.Scalar> = input.choose(
          { $0.char(scalar) }, { $0.char(upper ?? scalar) })
        guard sequence.take(step) != nil else { return sequence.fail() }
      }
      return sequence.succeed(value)
    }
  }

  private static func isDistinct(
    _ value: Grammar<String>, _ input: inout GrammarInput
  ) -> Outcome<Operation> {
    var sequence = GrammarSequence()
    guard sequence.take(prefix("isdistinct", &input)) != nil, let text = sequence.take(value, &input) else {
      return sequence.fail()
    }
    return sequence.succeed(.isDistinct(text))
  }

  private static func fullText(_ value: Grammar<String>, _ input: inout GrammarInput) -> Outcome<Operation> {
    var sequence = GrammarSequence()
    let name: Outcome<String> = input.choose(
      { $0.attempt { $0.string("fts") }.map { "to_tsquery" } },
      { $0.attempt { $0.string("plfts") }.map { "plainto_tsquery" } },
      { $0.attempt { $0.string("phfts") }.map { "phraseto_tsquery" } },
      { $0.attempt { $0.string("wfts") }.map { "websearch_to_tsquery" } })
    guard let function = sequence.take(name),
      let language = sequence.take(
        input.optional { $0.attempt { $0.between("(", ")", NameGrammar.identifier) } }),
      sequence.take(NameGrammar.delimiter, &input) != nil, let query = sequence.take(value, &input)
    else { return sequence.fail() }
    return sequence.succeed(.fullText(function: function, language: language, query: query))
  }

  private static func simple(_ value: Grammar<String>, _ input: inout GrammarInput) -> Outcome<Operation> {
    var sequence = GrammarSequence()
    let name: Outcome<String> = input.label("unknown single value operator") {
      $0.choose(
        { named("neq", "<>", &$0) }, { named("cs", "@>", &$0) }, { named("cd", "<@", &$0) },
        { named("ov", "&&", &$0) }, { named("sl", "<<", &$0) }, { named("sr", ">>", &$0) },
        { named("nxr", "&<", &$0) }, { named("nxl", "&>", &$0) }, { named("adj", "-|-", &$0) })
    }
    guard let sql = sequence.take(name), sequence.take(NameGrammar.delimiter, &input) != nil,
      let text = sequence.take(value, &input)
    else { return sequence.fail() }
    return sequence.succeed(.simple(sql: sql, value: text))
  }

  private static func named(
    _ word: StaticString, _ sql: String, _ input: inout GrammarInput
  ) -> Outcome<String> {
    input.attempt { $0.string(word) }.map { sql }
  }

  private static func quantified(
    _ value: Grammar<String>, _ input: inout GrammarInput
  ) -> Outcome<Operation> {
    var sequence = GrammarSequence()
    let name: Outcome<String> = input.label("unknown single value operator") {
      $0.choose(
        { named("eq", "=", &$0) }, { named("gte", ">=", &$0) }, { named("gt", ">", &$0) },
        { named("lte", "<=", &$0) }, { named("lt", "<", &$0) }, { named("like", "like", &$0) },
        { named("ilike", "ilike", &$0) }, { named("match", "~", &$0) }, { named("imatch", "~*", &$0) })
    }
    guard let sql = sequence.take(name),
      let quantifier = sequence.take(
        input.optional {
          $0.attempt {
            $0.between("(", ")") {
              $0.choose(
                { $0.attempt { $0.string("any") }.map { Quantifier.any } },
                { $0.string("all").map { Quantifier.all } })
            }
          }
        }),
      sequence.take(NameGrammar.delimiter, &input) != nil, let text = sequence.take(value, &input)
    else { return sequence.fail() }
    return sequence.succeed(
      .quantified(sql: sql, isPattern: sql.hasSuffix("like"), quantifier: quantifier, value: text))
  }

  // MARK: - Logic trees

  static func tree(_ input: inout GrammarInput) -> Outcome<LogicTree> {
    input.choose({ $0.attempt(condition) }, { $0.nested(group) })
  }

  private static func condition(_ input: inout GrammarInput) -> Outcome<LogicTree> {
    var sequence = GrammarSequence()
    guard let field = sequence.take(NameGrammar.field, &input),
      sequence.take(NameGrammar.delimiter, &input) != nil,
      let (isNegated, operation) = sequence.take(expression(treeValue, &input))
    else { return sequence.fail() }
    return sequence.succeed(
      .filter(Filter(field: field, isNegated: isNegated, operation: operation)))
  }

  private static func group(_ input: inout GrammarInput) -> Outcome<LogicTree> {
    var sequence = GrammarSequence()
    let negation: Outcome<Bool> = input.label("negation operator (not)") {
      $0.choose({ prefix("not", &$0).map { true } }, { _ in .success(false) })
    }
    let isNegated = sequence.take(negation)
    let connective: Outcome<Bool> = input.label("logic operator (and, or)") {
      $0.choose({ $0.attempt { $0.string("and") }.map { true } }, { $0.string("or").map { false } })
    }
    guard let isNegated, let isAnd = sequence.take(connective),
      sequence.take(input.lexeme { $0.char("(") }) != nil,
      let members = sequence.take(input.separated(by: { $0.lexeme { $0.char(",") } }, tree)),
      sequence.take(input.lexeme { $0.char(")") }) != nil
    else { return sequence.fail() }
    return sequence.succeed(.group(isNegated: isNegated, isAnd: isAnd, members))
  }

  /// A value inside a tree ends at a comma or a parenthesis, unless it is quoted or an array literal.
  private static func treeValue(_ input: inout GrammarInput) -> Outcome<String> {
    input.choose(fullyQuoted, { $0.attempt(arrayLiteral) }, { $0.run { $0 != "," && $0 != ")" } })
  }

  private static func arrayLiteral(_ input: inout GrammarInput) -> Outcome<String> {
    var sequence = GrammarSequence()
    guard sequence.take(input.string("{")) != nil,
      let inner = sequence.take(input.run { $0 != "{" && $0 != "}" }),
      sequence.take(input.string("}")) != nil
    else { return sequence.fail() }
    return sequence.succeed("{\(inner)}")
  }

  /// `a.b.not.or`: the embedded resource, and the connective with its negation.
  static func logicPath(_ input: inout GrammarInput) -> Outcome<Placed<String>> {
    input.separated(by: NameGrammar.delimiter, NameGrammar.fieldName).map { names in
      let connective = names.last ?? ""
      return Placed(
        path: names.dropLast().filter { $0 != "not" },
        value: names.contains("not") ? "not." + connective : connective)
    }
  }
}
