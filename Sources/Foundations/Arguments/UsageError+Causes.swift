import Diagnostics

// One function per way to get a command line wrong. Each names the option as typed and shows its help line.
extension UsageError {
  static func unknownCommand<Context>(_ word: String, in path: CommandPath<Context>) -> UsageError {
    let names = nearestNames(to: word, among: path.command.visibleSubcommands.map(\.name))
    let root = CommandPath(path.root)
    // The right name in the wrong place: `nomdev status` for `nomdev stack status`.
    let elsewhere = root.visibleTree.filter { $0.command.name == word }.map(\.name)
    return UsageError(
      "unknown-command", "'\(path.name)' has no command '\(word)'",
      hint: suggestion(names.isEmpty ? elsewhere : names), in: path)
  }

  static func missingCommand<Context>(in path: CommandPath<Context>) -> UsageError {
    UsageError(
      "missing-command", "'\(path.name)' needs a command",
      hint: "add one of \(path.command.visibleSubcommands.map(\.name).joined(separator: ", "))", in: path)
  }

  static func unknownOption<Context>(_ typed: String, in path: CommandPath<Context>) -> UsageError {
    let visible = path.allOptions.filter { !$0.isHidden }
    let names = visible.map(\.name) + visible.filter(\.isNegatable).map { "no-\($0.name)" }
    let typedName = String(typed.drop { $0 == "-" })
    let near = typedName.count < 2 ? [] : nearestNames(to: typedName, among: names).map { "--\($0)" }
    let owners = CommandPath(path.root).visibleTree.filter { $0.option(typed: typed) != nil }.map(\.name)
    let elsewhere = owners.isEmpty ? nil : "it belongs to '\(owners.joined(separator: "' and '"))'"
    return UsageError(
      "unknown-option", "'\(path.name)' has no option '\(typed)'",
      detail: near.count == 1 ? path.option(typed: near[0])?.helpLine : nil,
      hint: suggestion(near) ?? elsewhere, in: path)
  }

  static func missingOption<Context>(_ spec: OptionSpec, in path: CommandPath<Context>) -> UsageError {
    UsageError(
      "missing-option", "'\(path.name)' needs '--\(spec.name)'", detail: spec.helpLine, in: path)
  }

  static func repeatedOption<Context>(
    _ spec: OptionSpec, _ typed: String, in path: CommandPath<Context>
  ) -> UsageError {
    UsageError("repeated-option", "'\(typed)' is given twice", detail: spec.helpLine, in: path)
  }

  static func missingValue<Context>(
    _ spec: OptionSpec, _ typed: String, in path: CommandPath<Context>
  ) -> UsageError {
    UsageError(
      "missing-value", "'\(typed)' needs \(spec.expectation)", detail: spec.helpLine,
      hint: "write '\(typed)=VALUE' for a value that starts with a dash", in: path)
  }

  static func unexpectedValue<Context>(
    _ spec: OptionSpec, _ typed: String, in path: CommandPath<Context>
  ) -> UsageError {
    UsageError("unexpected-value", "'\(typed)' takes no value", detail: spec.helpLine, in: path)
  }

  static func invalidValue<Context>(
    _ text: String, of spec: OptionSpec, _ typed: String, in path: CommandPath<Context>
  ) -> UsageError {
    UsageError(
      "invalid-value", "'\(typed)' takes \(spec.expectation), not '\(text)'", detail: spec.helpLine,
      hint: suggestion(nearestNames(to: text, among: spec.choices)), in: path)
  }

  static func invalidVariable<Context>(
    _ variable: String, _ text: String, of spec: OptionSpec, in path: CommandPath<Context>
  ) -> UsageError {
    UsageError(
      "invalid-value", "the variable \(variable) takes \(spec.expectation), not '\(text)'",
      detail: spec.helpLine, hint: suggestion(nearestNames(to: text, among: spec.choices)), in: path)
  }

  static func missingArgument<Context>(_ spec: ArgumentSpec, in path: CommandPath<Context>) -> UsageError {
    UsageError("missing-argument", "'\(path.name)' needs <\(spec.name)>", detail: spec.helpLine, in: path)
  }

  static func invalidArgument<Context>(
    _ text: String, of spec: ArgumentSpec, in path: CommandPath<Context>
  ) -> UsageError {
    UsageError(
      "invalid-value", "<\(spec.name)> takes \(spec.expectation), not '\(text)'", detail: spec.helpLine,
      hint: suggestion(nearestNames(to: text, among: spec.choices)), in: path)
  }

  static func unexpectedArgument<Context>(_ word: String, in path: CommandPath<Context>) -> UsageError {
    let most = path.command.arguments.count
    return UsageError(
      "unexpected-argument", "'\(path.name)' has no use for '\(word)'",
      detail: most == 0
        ? "it takes no arguments" : "it takes at most \(most == 1 ? "one argument" : "\(most) arguments")",
      in: path)
  }
}
