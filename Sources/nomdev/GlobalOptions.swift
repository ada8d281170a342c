import Arguments

/// What results are printed as.
enum OutputFormat: String, CaseIterable, ArgumentValue {
  case text, json, junit, tap, sarif, github, markdown
}

enum ColorChoice: String, CaseIterable, ArgumentValue {
  case auto, always, never

  /// What the user decided; nil leaves it to the stream.
  var decision: Bool? {
    switch self {
    case .auto: nil
    case .always: true
    case .never: false
    }
  }
}

/// The options every command takes.
enum Global {
  static let project = DefaultedOption<String>(
    "project", value: "dir", default: ".", completing: .directories, environment: "NOMDEV_PROJECT",
    help: "Work on the project in this folder.")
  static let format = DefaultedOption<OutputFormat>(
    "format", value: "format", default: .text, help: "Print results in this format.")
  static let color = DefaultedOption<ColorChoice>(
    "color", value: "when", default: .auto, help: "Colour the output; NO_COLOR is honoured.")
  static let quiet = Flag("quiet", short: "q", help: "Print results and errors only.")
  static let verbose = Flag("verbose", short: "v", help: "Say more about what is done.")

  static let all: [any OptionKey] = [project, format, color, quiet, verbose]
}

/// Options several commands share, so that they are worded alike.
enum Shared {
  static let yes = Flag("yes", short: "y", help: "Answer yes to every question.")
}

typealias Command = CommandSpec<Console>
