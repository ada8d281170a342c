import Catalog

/// The statements that make an object as a state describes it.
package struct Creation {
  let state: Snapshot
  /// The role that will run the statements: what it makes is its own already.
  let creator: String

  package init(_ state: Snapshot, creator: String) {
    self.state = state
    self.creator = creator
  }

  /// The object itself, with its columns or attributes where it has any; not its owner and not its rights.
  func statements(_ entry: Entry) -> [String] {
    switch entry.kind {
    case .table, .foreignTable: table(entry, constraints: [])
    case .column: [column(added: entry)] + columnExtras(entry)
    case .attribute:
      ["alter type \(state.parentName(of: entry)) add attribute \(columnType(entry))"]
    case .constraint: constraint(entry)
    case .index: index(entry)
    case .view, .materializedView: view(entry)
    case .rule: [entry["definition"] ?? ""] + enabling(entry)
    case .trigger: [entry["definition"] ?? ""] + enabling(entry)
    case .policy: [policy(entry)]
    case .sequence: sequence(entry)
    case .identitySequence: []
    case .function, .procedure: [routine(entry)]
    case .enum, .compositeType, .rangeType, .domain, .domainConstraint: type(entry)
    default: other(entry)
    }
  }

  /// Owner, comment and labels: what every kind can have.
  func common(_ entry: Entry) -> [String] {
    let owner = entry["owner"].flatMap { $0 == creator ? nil : $0 }
    return (owner.map { [ownerChange(entry, $0)] } ?? []) + remarks(entry)
  }

  func ownerChange(_ entry: Entry, _ owner: String) -> String {
    if entry.kind == .database {
      return Self.onDatabase("owner to %I", [QuotedNames.plain(owner)])
    }
    return "alter \(state.reference(entry)) owner to \(owner)"
  }

  func remarks(_ entry: Entry) -> [String] {
    entry.attributes.compactMap { attribute in remark(entry, attribute.name, attribute.value) }
  }

  /// `comment on` or `security label`; nil for an attribute that is neither.
  func remark(_ entry: Entry, _ name: String, _ value: String?) -> String? {
    let text = value.map(Text.literal) ?? "null"
    if name == "comment" {
      if entry.kind == .database {
        return Self.onDatabase(
          "is \(value == nil ? "null" : "%L")", value.map { [$0] } ?? [], verb: "comment on database")
      }
      return "comment on \(state.reference(entry)) is \(text)"
    }
    guard name.hasPrefix("label of ") else { return nil }
    return "security label for \(name.dropFirst(9)) on \(state.reference(entry)) is \(text)"
  }

  func enabling(_ entry: Entry) -> [String] {
    guard let state = entry["state"] else { return [] }
    let parent = self.state.parentName(of: entry)
    return ["alter table \(parent) \(Self.enabled(state)) \(entry.kind.rawValue) \(entry.name)"]
  }

  static func enabled(_ state: String?) -> String {
    switch state {
    case nil: "enable"
    case "disabled": "disable"
    case "replica": "enable replica"
    default: "enable always"
    }
  }

  /// A statement about the database at hand, whatever its name is.
  static func onDatabase(_ rest: String, _ values: [String], verb: String = "alter database") -> String {
    let arguments = (["current_database()"] + values.map(Text.literal)).joined(separator: ", ")
    return "do $$ begin execute format('\(verb) %I \(rest)', \(arguments)); end $$"
  }

  func policy(_ entry: Entry) -> String {
    var lines = ["create policy \(entry.name) on \(state.parentName(of: entry))"]
    var head: [String] = []
    if entry.says("restrictive") { head.append("as restrictive") }
    if let command = entry["for"], command != "all" { head.append("for \(command)") }
    if let roles = entry["to"], roles != "PUBLIC" { head.append("to \(roles)") }
    if !head.isEmpty { lines.append(head.joined(separator: " ")) }
    if let condition = entry["using"] { lines.append("using (\(Self.unwrapped(condition)))") }
    if let condition = entry["with check"] { lines.append("with check (\(Self.unwrapped(condition)))") }
    return lines.joined(separator: "\n  ")
  }

  /// Without the outer pair of brackets the server adds.
  static func unwrapped(_ expression: String) -> String {
    guard expression.hasPrefix("("), expression.hasSuffix(")") else { return expression }
    var depth = 0
    var quote: Character?
    var index = expression.startIndex
    while index < expression.endIndex {
      let character = expression[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
        if depth == 0, expression.index(after: index) != expression.endIndex { return expression }
      }
      index = expression.index(after: index)
    }
    return String(expression.dropFirst().dropLast())
  }
}
