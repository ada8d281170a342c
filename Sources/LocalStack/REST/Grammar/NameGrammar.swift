// Names, JSON paths and lists of names.

enum NameGrammar {
  static func isIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", " ", "$": true
    default: !scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal)
    }
  }

  /// A bare word, without the blanks around it.
  static func identifier(_ input: inout GrammarInput) -> Outcome<String> {
    input.run1(["letter", "digit"], isIdentifier).map { $0.trimmedBlanks }
  }

  static func quoted(_ input: inout GrammarInput) -> Outcome<String> {
    var sequence = GrammarSequence()
    guard sequence.take(input.char("\"")) != nil else { return sequence.fail() }
    let scalars: Outcome<[Unicode.Scalar]> = input.many { input in
      input.choose(
        { $0.satisfy { $0 != "\\" && $0 != "\"" } },
        { input in
          var step = GrammarSequence()
          guard step.take(input.char("\\")) != nil, let scalar = step.take(input.satisfy { _ in true })
          else { return step.fail() }
          return step.succeed(scalar)
        })
    }
    guard let scalars = sequence.take(scalars), sequence.take(input.char("\"")) != nil else {
      return sequence.fail()
    }
    return sequence.succeed(String(String.UnicodeScalarView(scalars)))
  }

  /// Words joined by dashes that begin no arrow.
  static func dashed(_ word: Grammar<String>, _ input: inout GrammarInput) -> Outcome<String> {
    input.separated(by: dash, word).map { $0.joined(separator: "-") }
  }

  private static func dash(_ input: inout GrammarInput) -> Outcome<Void> {
    input.attempt { input in
      var sequence = GrammarSequence()
      guard sequence.take(input.char("-")) != nil, sequence.take(input.not { $0 == ">" }) != nil else {
        return sequence.fail()
      }
      return sequence.succeed(())
    }
  }

  static func fieldName(_ input: inout GrammarInput) -> Outcome<String> {
    input.label("field name (* or [a..z0..9_$])") {
      $0.choose(quoted, { dashed(identifier, &$0) })
    }
  }

  static func delimiter(_ input: inout GrammarInput) -> Outcome<Void> {
    input.satisfy("delimiter (.)") { $0 == "." }.map { _ in }
  }

  static func field(_ input: inout GrammarInput) -> Outcome<Field> {
    input.lexeme { input in
      var sequence = GrammarSequence()
      guard let name = sequence.take(fieldName, &input), let path = sequence.take(jsonPath, &input) else {
        return sequence.fail()
      }
      return sequence.succeed(Field(name: name, path: path))
    }
  }

  /// `a.b.col->key`: the embedded resource, then the field.
  static func treePath(_ input: inout GrammarInput) -> Outcome<Placed<Field>> {
    var sequence = GrammarSequence()
    guard let names = sequence.take(input.separated(by: delimiter, fieldName)),
      let path = sequence.take(jsonPath, &input), let last = names.last
    else { return sequence.fail() }
    return sequence.succeed(Placed(path: Array(names.dropLast()), value: Field(name: last, path: path)))
  }

  static func columns(_ input: inout GrammarInput) -> Outcome<[String]> {
    input.separated(by: { $0.lexeme { $0.char(",") } }, fieldName)
  }

  // MARK: - JSON paths

  static func jsonPath(_ input: inout GrammarInput) -> Outcome<[JSONStep]> { input.many(jsonStep) }

  private static func jsonStep(_ input: inout GrammarInput) -> Outcome<JSONStep> {
    var sequence = GrammarSequence()
    let arrow: Outcome<Bool> = input.choose(
      { $0.attempt { $0.string("->>") }.map { true } }, { $0.attempt { $0.string("->") }.map { false } })
    guard let isText = sequence.take(arrow), let operand = sequence.take(jsonOperand, &input) else {
      return sequence.fail()
    }
    return sequence.succeed(JSONStep(isText: isText, operand: operand))
  }

  private static func jsonOperand(_ input: inout GrammarInput) -> Outcome<JSONStep.Operand> {
    input.choose({ $0.attempt(jsonIndex) }, { $0.attempt(jsonKey).map { .key($0) } })
  }

  private static func jsonIndex(_ input: inout GrammarInput) -> Outcome<JSONStep.Operand> {
    var sequence = GrammarSequence()
    guard let sign = sequence.take(input.optional { $0.char("-") }),
      let digits = sequence.take(input.run1(["digit"]) { ("0"..."9").contains($0) }),
      sequence.take(
        input.choose(
          { $0.attempt { $0.lookAhead { $0.string("->") } } },
          { $0.attempt { $0.lookAhead { $0.string("::") } } },
          { $0.attempt { $0.lookAhead { $0.string(".") } } },
          { $0.attempt { $0.lookAhead { $0.string(",") } } },
          { $0.end() })) != nil
    else { return sequence.fail() }
    return sequence.succeed(.index((sign == nil ? "+" : "-") + digits))
  }

  private static func jsonKey(_ input: inout GrammarInput) -> Outcome<String> {
    input.label("any non reserved character different from: .,>()") {
      $0.choose(
        quoted,
        {
          dashed(
            { input in
              input.run1 { !"(-:.,>)".unicodeScalars.contains($0) }.map { $0.trimmedBlanks }
            }, &$0)
        })
    }
  }
}

extension String {
  /// Without white space at both ends.
  var trimmedBlanks: String {
    // Nearly all texts begin and end with a printable character of ASCII.
    guard let firstByte = utf8.first, let lastByte = utf8.last else { return self }
    if (0x21...0x7E).contains(firstByte), (0x21...0x7E).contains(lastByte) { return self }
    var view = Substring(self).unicodeScalars
    while let first = view.first, first.properties.isWhitespace { view.removeFirst() }
    while let last = view.last, last.properties.isWhitespace { view.removeLast() }
    return String(view)
  }
}
