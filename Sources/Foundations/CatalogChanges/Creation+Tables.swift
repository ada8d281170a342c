import Catalog

extension Creation {
  /// - Parameter constraints: Those that are written into the table's own statement.
  func table(_ entry: Entry, constraints: [Entry]) -> [String] {
    let columns = state.children(of: entry.path, .column)
    let isForeign = entry.kind == .foreignTable
    let own = columns.filter { $0["inherited"] != "yes" }
    var head =
      "create \(entry.says("unlogged") ? "unlogged " : "")\(isForeign ? "foreign " : "")table \(entry.name)"
    var lines: [String] = []
    if let type = entry["of type"] {
      head += " of \(type)"
    } else {
      lines = own.map { columnLine($0, of: entry) }
    }
    lines += constraints.map { "constraint \($0.name) \(constraintDefinition($0))" }
    var text = head
    if !lines.isEmpty || entry["of type"] == nil {
      text += lines.isEmpty ? " ()" : " (\n  \(lines.joined(separator: ",\n  "))\n)"
    }
    if let parents = entry["inherits"] { text += " inherits (\(parents))" }
    if let key = entry["partition by"] { text += " partition by \(key)" }
    if let server = entry["foreign server"] { text += " server \(server)" }
    if let options = entry["foreign options"] { text += " options (\(options))" }
    if let method = entry["access method"] { text += " using \(method)" }
    let options =
      (entry["options"].map { [Text.options($0)] } ?? [])
      + (entry["toast options"].map { [Text.options($0, prefix: "toast.")] } ?? [])
    if !options.isEmpty { text += " with (\(options.joined(separator: ", ")))" }
    if let place = entry["tablespace"] { text += " tablespace \(place)" }
    let later = columns.flatMap { column -> [String] in
      let isWritten = entry["of type"] == nil && column["inherited"] != "yes"
      return (isWritten ? [] : inheritedExtras(column)) + columnExtras(column)
    }
    return [text] + later + constraints.flatMap(constraintExtras)
  }

  /// What makes a table a partition: once both are there, before either has indexes to match.
  func attachment(_ entry: Entry) -> [String] {
    guard let parent = entry["partition of"] else { return [] }
    return ["alter table \(parent) attach partition \(entry.name) \(entry["partition bound"] ?? "default")"]
  }

  /// What needs the table's indexes or would stand in the way of rows.
  func tableExtras(_ entry: Entry) -> [String] {
    var all: [String] = []
    if entry.says("rls") { all.append("alter table \(entry.name) enable row level security") }
    if entry.says("rls forced") { all.append("alter table \(entry.name) force row level security") }
    if let identity = entry["replica identity"] {
      all.append("alter table \(entry.name) replica identity \(identity)")
    }
    return all
  }

  private func columnLine(_ column: Entry, of table: Entry) -> String {
    var text = columnType(column)
    if let method = column["compression"] { text += " compression \(method)" }
    if let options = column["foreign options"] { text += " options (\(options))" }
    if let expression = column["generated"] {
      text += " generated always as (\(Self.generated(expression))"
    } else if let identity = column["identity"] {
      text += " generated \(identity) as identity\(identityOptions(column, of: table))"
    } else if let expression = column["default"] {
      text += " default \(expression)"
    }
    return column.says("not null") ? "\(text) not null" : text
  }

  private static func generated(_ expression: String) -> String {
    expression.hasSuffix(" virtual") ? "\(expression.dropLast(8))) virtual" : "\(expression)) stored"
  }

  func columnType(_ column: Entry) -> String {
    let text = "\(column.name) \(column["type"] ?? "?")"
    return column["collation"].map { "\(text) collate \($0)" } ?? text
  }

  func column(added column: Entry) -> String {
    guard let table = state.parent(of: column) else { return "" }
    return "\(state.alterParent(of: column)) add column \(columnLine(column, of: table))"
  }

  func columnExtras(_ column: Entry) -> [String] {
    let alter = "\(state.alterParent(of: column)) alter column \(column.name)"
    var all: [String] = []
    if let storage = column["storage"] { all.append("\(alter) set storage \(storage)") }
    if let target = column["statistics"] { all.append("\(alter) set statistics \(target)") }
    if let options = column["options"] { all.append("\(alter) set (\(Text.options(options)))") }
    return all
  }

  private func inheritedExtras(_ column: Entry) -> [String] {
    let alter = "\(state.alterParent(of: column)) alter column \(column.name)"
    var all: [String] = []
    if let expression = column["default"] { all.append("\(alter) set default \(expression)") }
    if column.says("not null") { all.append("\(alter) set not null") }
    return all
  }

  // MARK: - Sequences

  private func identityOptions(_ column: Entry, of table: Entry) -> String {
    guard let sequence = state.children(of: column.path, .identitySequence).first else { return "" }
    let parts = QuotedNames.parts(table.name).map(QuotedNames.plain)
    let usual = "\(parts.last ?? "")_\(QuotedNames.plain(column.name))_seq"
    var words =
      QuotedNames.parts(sequence.name).map(QuotedNames.plain) == parts.dropLast() + [usual]
      ? [] : ["sequence name \(sequence.name)"]
    words += sequenceOptions(sequence)
    return words.isEmpty ? "" : " (\(words.joined(separator: " ")))"
  }

  func sequence(_ entry: Entry) -> [String] {
    var text = "create \(entry.says("unlogged") ? "unlogged " : "")sequence \(entry.name)"
    if let type = entry["type"], type != "bigint" { text += " as \(type)" }
    let options = sequenceOptions(entry)
    return [options.isEmpty ? text : "\(text) \(options.joined(separator: " "))"]
  }

  /// What is not as PostgreSQL would choose it by itself.
  func sequenceOptions(_ entry: Entry) -> [String] {
    let number = { (name: String) in entry[name] ?? "" }
    let isRising = !number("increment").hasPrefix("-")
    let (low, high) = Self.bounds[entry["type"] ?? "bigint"] ?? ("", "")
    let minimum = isRising ? "1" : low
    let maximum = isRising ? high : "-1"
    var words: [String] = []
    if number("increment") != "1" { words.append("increment by \(number("increment"))") }
    if number("minimum") != minimum { words.append("minvalue \(number("minimum"))") }
    if number("maximum") != maximum { words.append("maxvalue \(number("maximum"))") }
    let start = isRising ? number("minimum") : number("maximum")
    if number("start") != start { words.append("start with \(number("start"))") }
    if number("cache") != "1" { words.append("cache \(number("cache"))") }
    if entry.says("cycle") { words.append("cycle") }
    return words
  }

  private static let bounds = [
    "smallint": ("-32768", "32767"), "integer": ("-2147483648", "2147483647"),
    "bigint": ("-9223372036854775808", "9223372036854775807"),
  ]

  // MARK: - Constraints, indexes, views

  func constraint(_ entry: Entry) -> [String] {
    let text = "\(state.alterParent(of: entry)) add constraint \(entry.name) \(constraintDefinition(entry))"
    return [text] + constraintExtras(entry)
  }

  func constraintDefinition(_ entry: Entry) -> String {
    var text = entry["definition"] ?? ""
    let storage =
      (entry["storage options"].map { " with (\(Text.options($0)))" } ?? "")
      + (entry["tablespace"].map { " using index tablespace \($0)" } ?? "")
    guard !storage.isEmpty else { return text }
    for marker in [" WHERE (", " DEFERRABLE"] {
      if let found = text.ranges(of: marker).first {
        text.replaceSubrange(found.lowerBound..<found.lowerBound, with: storage)
        return text
      }
    }
    return text + storage
  }

  func constraintExtras(_ entry: Entry) -> [String] {
    let table = state.parentName(of: entry)
    return entry.says("clustered") ? ["alter table \(table) cluster on \(entry.name)"] : []
  }

  func index(_ entry: Entry) -> [String] {
    var all = [entry["definition"] ?? ""]
    if let place = entry["tablespace"] { all[0] = Self.inTablespace(all[0], place) }
    let name = state.indexName(entry)
    for item in entry["statistics"].map({ Text.split($0, by: ", ") }) ?? [] {
      let parts = item.split(separator: " ")
      if parts.count == 2 {
        all.append("alter index \(name) alter column \(parts[0]) set statistics \(parts[1])")
      }
    }
    if let parent = entry["attached to"] { all.append("alter index \(parent) attach partition \(name)") }
    if entry.says("clustered") {
      all.append("alter table \(state.parentName(of: entry)) cluster on \(entry.name)")
    }
    return all
  }

  private static func inTablespace(_ definition: String, _ place: String) -> String {
    guard let found = definition.ranges(of: " WHERE (").first else {
      return "\(definition) tablespace \(place)"
    }
    var text = definition
    text.replaceSubrange(found.lowerBound..<found.lowerBound, with: " tablespace \(place)")
    return text
  }

  func view(_ entry: Entry) -> [String] {
    let isStored = entry.kind == .materializedView
    var text = "create \(isStored ? "materialized view" : "or replace view") \(entry.name)"
    text += " (\(entry["columns"] ?? ""))"
    if let method = entry["access method"] { text += " using \(method)" }
    if let options = entry["options"] { text += " with (\(Text.options(options)))" }
    if let place = entry["tablespace"] { text += " tablespace \(place)" }
    text += " as\n\(entry["query"] ?? "")"
    if entry["populated"] == "no" { text += "\nwith no data" }
    let defaults = state.children(of: entry.path, .column).compactMap { column in
      column["default"].map { "alter view \(entry.name) alter column \(column.name) set default \($0)" }
    }
    return [text] + defaults
  }
}
