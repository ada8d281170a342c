import Catalog

/// The statements that take an object from what it is to what a state says it must be.
struct Alteration {
  let creation: Creation
  private var state: Snapshot { creation.state }

  init(_ creation: Creation) { self.creation = creation }

  /// - Parameter values: What differs; ``Difference/Value/declared`` is what it must become.
  /// - Returns: Nil where it can only be dropped and made again.
  func statements(_ entry: Entry, _ values: [Difference.Value], was old: Entry) -> [String]? {
    var all: [String] = []
    var rest: [Difference.Value] = []
    for value in values {
      if value.name == "owner", let owner = value.declared {
        all.append(creation.ownerChange(entry, owner))
      } else if let remark = creation.remark(entry, value.name, value.declared) {
        all.append(remark)
      } else {
        rest.append(value)
      }
    }
    if rest.isEmpty { return all }
    guard let own = own(entry, rest, was: old) else { return nil }
    return own + all
  }

  private func own(_ entry: Entry, _ values: [Difference.Value], was old: Entry) -> [String]? {
    let changed = Set(values.map(\.name))
    switch entry.kind {
    case .role:
      return changed.contains("attributes")
        ? ["alter role \(entry.name) \(Self.roleWords(entry))"] + creation.roleExtras(entry)
        : roleExtras(entry)
    case .setting, .databaseSetting: return [creation.setting(entry, to: entry["value"])]
    case .database: return creation.other(entry)
    case .extension:
      var all: [String] = []
      if changed.contains("in schema") {
        all.append("alter extension \(entry.name) set schema \(entry["in schema"] ?? "public")")
      }
      if changed.contains("version"), let version = entry["version"] {
        all.append("alter extension \(entry.name) update to \(Text.literal(version))")
      }
      return all
    case .defaultPrivilege: return DefaultPrivilege.statements(from: old, to: entry)
    case .enum: return labels(entry, was: old)
    case .attribute:
      let name =
        "alter type \(state.parentName(of: entry)) alter attribute \(entry.name) type \(entry["type"] ?? "?")"
      return [entry["collation"].map { "\(name) collate \($0)" } ?? name]
    case .domain: return domain(entry, changed)
    case .sequence, .identitySequence: return sequence(entry, changed)
    case .function, .procedure:
      // What a caller or another object relies on can't be replaced.
      let fixed: Set = ["returns", "arguments", "window"]
      return changed.isDisjoint(with: fixed) ? [creation.routine(entry)] : nil
    case .table, .foreignTable: return table(entry, changed, was: old)
    case .column: return column(entry, changed, was: old)
    case .index:
      guard changed.isSubset(of: ["clustered", "attached to"]) else { return nil }
      return index(entry, changed)
    case .constraint: return constraint(entry, changed, was: old)
    case .view, .materializedView: return view(entry, changed, was: old)
    case .rule, .trigger:
      guard changed == ["state"] else { return nil }
      let parent = state.parentName(of: entry)
      return [
        "alter table \(parent) \(Creation.enabled(entry["state"])) \(entry.kind.rawValue) \(entry.name)"
      ]
    case .statistics:
      guard changed == ["target"] else { return nil }
      return ["alter statistics \(entry.name) set statistics \(entry["target"] ?? "-1")"]
    case .policy:
      guard changed.isDisjoint(with: ["for", "restrictive"]), !values.contains(where: { $0.declared == nil })
      else { return nil }
      return [policy(entry, changed)]
    case .textSearchConfiguration: return nil
    case .publication:
      guard !changed.contains("all tables") else { return nil }
      return ["alter publication \(entry.name) set (\(Creation.publicationOptions(entry)))"]
    case .eventTrigger:
      guard changed == ["state"] else { return nil }
      return ["alter event trigger \(entry.name) \(Creation.enabled(entry["state"]))"]
    case .server: return server(entry, changed, was: old)
    case .bucket: return [bucket(entry, values)]
    case .cronJob: return cronJob(entry)
    case .row: return [row(entry, values, was: old)]
    default: return nil
    }
  }

  // MARK: - Roles, types, sequences

  private static func roleWords(_ entry: Entry) -> String {
    let words = Set((entry["attributes"] ?? "").split(separator: " ").map(String.init))
    return ["superuser", "createrole", "createdb", "login", "replication", "bypassrls"].map {
      words.contains($0) ? $0 : "no\($0)"
    }.joined(separator: " ") + (words.contains("noinherit") ? " noinherit" : " inherit")
  }

  private func roleExtras(_ entry: Entry) -> [String] {
    let limit = "alter role \(entry.name) connection limit \(entry["connection limit"] ?? "-1")"
    let date = entry["valid until"].map(Text.literal) ?? "'infinity'"
    return ["\(limit) valid until \(date)"]
  }

  /// Labels can be added anywhere and never taken away.
  private func labels(_ entry: Entry, was old: Entry) -> [String]? {
    let wanted = Self.literals(entry["labels"] ?? "")
    var present = Self.literals(old["labels"] ?? "")
    guard present.allSatisfy(wanted.contains), wanted.filter(present.contains) == present else {
      guard present.count == wanted.count else { return nil }
      let changed = zip(present, wanted).filter { $0 != $1 }
      guard changed.allSatisfy({ !wanted.contains($0.0) && !present.contains($0.1) }) else { return nil }
      return changed.map { "alter type \(entry.name) rename value \($0.0) to \($0.1)" }
    }
    var all: [String] = []
    for (offset, label) in wanted.enumerated() where !present.contains(label) {
      let place = offset == 0 ? (present.first.map { " before \($0)" } ?? "") : " after \(wanted[offset - 1])"
      all.append("alter type \(entry.name) add value \(label)\(place)")
      present.append(label)
    }
    return all
  }

  /// The quoted items of `'a', 'it''s, b'`.
  static func literals(_ text: String) -> [String] {
    var items: [String] = []
    var item = ""
    var isOpen = false
    for character in text {
      if character == "'" { isOpen.toggle() }
      if character == ",", !isOpen {
        items.append(item.trimmingBlanks)
        item = ""
      } else {
        item.append(character)
      }
    }
    return item.trimmingBlanks.isEmpty ? items : items + [item.trimmingBlanks]
  }

  private func domain(_ entry: Entry, _ changed: Set<String>) -> [String]? {
    guard changed.isSubset(of: ["default", "not null"]) else { return nil }
    var all: [String] = []
    if changed.contains("default") {
      all.append(
        "alter domain \(entry.name) " + (entry["default"].map { "set default \($0)" } ?? "drop default"))
    }
    if changed.contains("not null") {
      all.append("alter domain \(entry.name) \(entry.says("not null") ? "set" : "drop") not null")
    }
    return all
  }

  private func sequence(_ entry: Entry, _ changed: Set<String>) -> [String]? {
    if changed == ["owned by"] { return [ownedBy(entry)] }
    if changed == ["unlogged"] {
      return ["alter sequence \(entry.name) set \(entry.says("unlogged") ? "unlogged" : "logged")"]
    }
    let number = { (name: String) in entry[name] ?? "" }
    var text = "alter sequence \(entry.name)"
    if changed.contains("type") { text += " as \(number("type"))" }
    text += " increment by \(number("increment")) minvalue \(number("minimum")) maxvalue \(number("maximum"))"
    text +=
      " start with \(number("start")) cache \(number("cache"))\(entry.says("cycle") ? " cycle" : " no cycle")"
    return [text] + (changed.contains("owned by") ? [ownedBy(entry)] : [])
  }

  func ownedBy(_ entry: Entry) -> String {
    "alter sequence \(entry.name) owned by \(entry["owned by"] ?? "none")"
  }

  // MARK: - Rights, policies, servers

  private func policy(_ entry: Entry, _ changed: Set<String>) -> String {
    var lines = ["alter policy \(entry.name) on \(state.parentName(of: entry))"]
    if changed.contains("to") { lines.append("to \(entry["to"] ?? "PUBLIC")") }
    if changed.contains("using"), let text = entry["using"] {
      lines.append("using (\(Creation.unwrapped(text)))")
    }
    if changed.contains("with check"), let text = entry["with check"] {
      lines.append("with check (\(Creation.unwrapped(text)))")
    }
    return lines.joined(separator: "\n  ")
  }

  private func server(_ entry: Entry, _ changed: Set<String>, was old: Entry) -> [String]? {
    guard changed.isSubset(of: ["version", "options"]) else { return nil }
    var text = "alter server \(entry.name)"
    if changed.contains("version") { text += " version \(Text.literal(entry["version"] ?? ""))" }
    if changed.contains("options"),
      let options = Self.optionChange(from: old["options"], to: entry["options"])
    {
      text += " options (\(options))"
    }
    return [text]
  }

  /// `add`, `set` and `drop` of foreign options.
  static func optionChange(from old: String?, to new: String?) -> String? {
    func pairs(_ text: String?) -> [(String, String)] {
      Text.split(text ?? "", by: ", ").compactMap { item in
        guard let blank = item.firstIndex(of: " ") else { return nil }
        return (String(item[..<blank]), String(item[item.index(after: blank)...]))
      }
    }
    let (before, after) = (pairs(old), pairs(new))
    var words = before.filter { item in !after.contains { $0.0 == item.0 } }.map { "drop \($0.0)" }
    for item in after {
      guard let was = before.first(where: { $0.0 == item.0 }) else {
        words.append("add \(item.0) \(item.1)")
        continue
      }
      if was.1 != item.1 { words.append("set \(item.0) \(item.1)") }
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  // MARK: - Rows

  private func bucket(_ entry: Entry, _ values: [Difference.Value]) -> String {
    let sets = values.map { value in
      "\(value.name) = \(value.declared.map { Creation.bucketValue(value.name, $0) } ?? "null")"
    }
    return "update storage.buckets set \(sets.joined(separator: ", ")) where id = \(Text.literal(entry.name))"
  }

  private func cronJob(_ entry: Entry) -> [String] {
    creation.other(entry)
      + (entry["active"] == "false"
        ? [
          """
          select cron.alter_job(jobid, active := false) from cron.job where jobname = \(Text.literal(entry.name))
          """
        ] : [])
  }

  private func row(_ entry: Entry, _ values: [Difference.Value], was old: Entry) -> String {
    let sets = values.map { "\($0.name) = \($0.declared.map(Text.literal) ?? "null")" }
    return
      "update \(state.parentName(of: entry)) set \(sets.joined(separator: ", ")) where \(Rows.condition(old, in: state))"
  }
}
