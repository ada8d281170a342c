import Catalog

extension Creation {
  func routine(_ entry: Entry) -> String {
    let name = QuotedNames.parts(entry.name).joined(separator: ".")
    var lines = ["create or replace \(entry.kind.rawValue) \(name)(\(entry["arguments"] ?? ""))"]
    if let result = entry["returns"] { lines.append("returns \(result)") }
    if let transform = entry["transform"] { lines.append("transform \(transform)") }
    var words = ["language \(entry["language"] ?? "sql")"]
    if entry.says("window") { words.append("window") }
    if let volatility = entry["volatility"], volatility != "volatile" { words.append(volatility) }
    if entry.says("strict") { words.append("strict") }
    if entry.says("leakproof") { words.append("leakproof") }
    if let parallel = entry["parallel"] { words.append("parallel \(parallel)") }
    if entry.says("security") { words.append("security definer") }
    if let cost = entry["cost"] { words.append("cost \(cost)") }
    if let rows = entry["rows"] { words.append("rows \(rows)") }
    if let support = entry["support"] { words.append("support \(support)") }
    lines.append(words.joined(separator: " "))
    for setting in settings(entry) { lines.append("set \(Text.setting(setting.name, setting.value))") }
    if let body = entry["standard body"] {
      lines.append(body)
    } else if let library = entry["library"] {
      lines.append("as \(Text.literal(library)), \(Text.literal(entry["body"] ?? ""))")
    } else {
      lines.append("as \(Text.dollarQuoted(entry["body"] ?? ""))")
    }
    return lines.joined(separator: "\n")
  }

  private func settings(_ entry: Entry) -> [(name: String, value: String)] {
    Text.split(entry["settings"] ?? "", by: "\n").compactMap { line in
      guard let equals = line.firstIndex(of: "=") else { return nil }
      return (String(line[..<equals]), String(line[line.index(after: equals)...]))
    }
  }

  func type(_ entry: Entry) -> [String] {
    switch entry.kind {
    case .enum: return ["create type \(entry.name) as enum (\(entry["labels"] ?? ""))"]
    case .compositeType:
      let lines = state.children(of: entry.path, .attribute).map(columnType)
      if lines.isEmpty { return ["create type \(entry.name) as ()"] }
      return ["create type \(entry.name) as (\n  \(lines.joined(separator: ",\n  "))\n)"]
    case .rangeType: return ["create type \(entry.name) as range (\(entry["definition"] ?? ""))"]
    case .domainConstraint:
      let domain = state.parentName(of: entry)
      return ["alter domain \(domain) add constraint \(entry.name) \(entry["definition"] ?? "")"]
    default:
      var text = "create domain \(entry.name) as \(entry["base"] ?? "?")"
      if let collation = entry["collation"] { text += " collate \(collation)" }
      if let expression = entry["default"] { text += " default \(expression)" }
      if entry.says("not null") { text += " not null" }
      let checks = state.children(of: entry.path, .domainConstraint)
      let valid = checks.filter { !($0["definition"] ?? "").hasSuffix("NOT VALID") }
      for check in valid { text += "\n  constraint \(check.name) \(check["definition"] ?? "")" }
      return [text] + checks.filter { check in !valid.contains(check) }.flatMap(type)
    }
  }
}
