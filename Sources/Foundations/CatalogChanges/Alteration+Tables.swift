import Catalog

extension Alteration {
  private var state: Snapshot { creation.state }

  func table(_ entry: Entry, _ changed: Set<String>, was old: Entry) -> [String]? {
    let fixed: Set = ["of type", "partition by", "foreign server"]
    guard changed.isDisjoint(with: fixed) else { return nil }
    let alter = "alter \(entry.kind.sqlName) \(entry.name)"
    var all: [String] = []
    if changed.contains("column order") { return [] }
    if changed.contains("unlogged") {
      all.append("\(alter) set \(entry.says("unlogged") ? "unlogged" : "logged")")
    }
    if changed.contains("partition of") || changed.contains("partition bound") {
      if let parent = old["partition of"] {
        all.append("alter table \(parent) detach partition \(entry.name)")
      }
      all += creation.attachment(entry)
    }
    if changed.contains("inherits") {
      let (before, after) = (Self.names(old["inherits"]), Self.names(entry["inherits"]))
      all += before.filter { !after.contains($0) }.map { "\(alter) no inherit \($0)" }
      all += after.filter { !before.contains($0) }.map { "\(alter) inherit \($0)" }
    }
    if changed.contains("options") { all += options(alter, old["options"], entry["options"], prefix: "") }
    if changed.contains("toast options") {
      all += options(alter, old["toast options"], entry["toast options"], prefix: "toast.")
    }
    if changed.contains("access method") {
      all.append("\(alter) set access method \(entry["access method"] ?? "heap")")
    }
    if changed.contains("tablespace") {
      all.append("\(alter) set tablespace \(entry["tablespace"] ?? "pg_default")")
    }
    if changed.contains("replica identity") {
      all.append("\(alter) replica identity \(entry["replica identity"] ?? "default")")
    }
    if changed.contains("rls") {
      all.append("\(alter) \(entry.says("rls") ? "enable" : "disable") row level security")
    }
    if changed.contains("rls forced") {
      all.append("\(alter) \(entry.says("rls forced") ? "" : "no ")force row level security")
    }
    if changed.contains("foreign options"),
      let text = Self.optionChange(from: old["foreign options"], to: entry["foreign options"])
    {
      all.append("\(alter) options (\(text))")
    }
    return all
  }

  private func options(_ alter: String, _ old: String?, _ new: String?, prefix: String) -> [String] {
    let gone = Set(Text.optionNames(old ?? "")).subtracting(Text.optionNames(new ?? "")).sorted()
    var all: [String] = []
    if !gone.isEmpty { all.append("\(alter) reset (\(gone.map { prefix + $0 }.joined(separator: ", ")))") }
    if let new { all.append("\(alter) set (\(Text.options(new, prefix: prefix)))") }
    return all
  }

  private static func names(_ list: String?) -> [String] { list.map { QuotedNames.list("(\($0))") } ?? [] }

  func column(_ entry: Entry, _ changed: Set<String>, was old: Entry) -> [String]? {
    let alter = "\(state.alterParent(of: entry)) alter column \(entry.name)"
    let isOfView = state.parent(of: entry)?.kind == .view
    if isOfView {
      return [alter + (entry["default"].map { " set default \($0)" } ?? " drop default")]
    }
    if changed.contains("generated") {
      // Only taking the expression away leaves the values.
      guard entry["generated"] == nil, changed == ["generated"] else { return nil }
      return ["\(alter) drop expression"]
    }
    // Whether a column is inherited follows from the table.
    var all: [String] = []
    if changed.contains("identity"), entry["identity"] == nil { all.append("\(alter) drop identity") }
    let isRetyped = changed.contains("type") || changed.contains("collation")
    if isRetyped {
      // A default is converted only where a cast allows it.
      if old["default"] != nil { all.append("\(alter) drop default") }
      let collation = entry["collation"].map { " collate \($0)" } ?? ""
      let type = entry["type"] ?? "?"
      let using = changed.contains("type") ? " using \(entry.name)::\(type)" : ""
      all.append("\(alter) type \(type)\(collation)\(using)")
    }
    if changed.contains("default") || isRetyped && entry["default"] != nil {
      let isDropped = isRetyped && old["default"] != nil && entry["default"] == nil
      if !isDropped { all.append(alter + (entry["default"].map { " set default \($0)" } ?? " drop default")) }
    }
    if changed.contains("not null") {
      all.append("\(alter) \(entry.says("not null") ? "set" : "drop") not null")
    }
    if changed.contains("identity"), let identity = entry["identity"] {
      all.append(
        old["identity"] == nil
          ? "\(alter) add generated \(identity) as identity" : "\(alter) set generated \(identity)")
    }
    if changed.contains("storage") {
      // Back to what the type gives, which has a name of its own only since PostgreSQL 16.
      guard let storage = entry["storage"] ?? usualStorage(entry) else { return nil }
      all.append("\(alter) set storage \(storage)")
    }
    if changed.contains("compression") {
      all.append("\(alter) set compression \(entry["compression"] ?? "default")")
    }
    if changed.contains("statistics") { all.append("\(alter) set statistics \(entry["statistics"] ?? "-1")") }
    if changed.contains("options") {
      let gone = Set(Text.optionNames(old["options"] ?? "")).subtracting(
        Text.optionNames(entry["options"] ?? ""))
      if !gone.isEmpty { all.append("\(alter) reset (\(gone.sorted().joined(separator: ", ")))") }
      if let options = entry["options"] { all.append("\(alter) set (\(Text.options(options)))") }
    }
    if changed.contains("foreign options"),
      let text = Self.optionChange(from: old["foreign options"], to: entry["foreign options"])
    {
      all.append("\(alter) options (\(text))")
    }
    return all
  }

  private func usualStorage(_ entry: Entry) -> String? {
    let type = entry["type"] ?? ""
    if type.hasPrefix("numeric") || type.hasPrefix("inet") || type.hasPrefix("cidr") { return "main" }
    return "extended"
  }

  func index(_ entry: Entry, _ changed: Set<String>) -> [String]? {
    var all: [String] = []
    if changed.contains("clustered") {
      let table = state.parentName(of: entry)
      all.append(
        entry.says("clustered")
          ? "alter table \(table) cluster on \(entry.name)" : "alter table \(table) set without cluster")
    }
    if changed.contains("attached to") {
      guard let parent = entry["attached to"] else { return nil }
      all.append("alter index \(parent) attach partition \(state.indexName(entry))")
    }
    return all
  }

  func constraint(_ entry: Entry, _ changed: Set<String>, was old: Entry) -> [String]? {
    let table = state.parentName(of: entry)
    if changed == ["clustered"] {
      return [
        entry.says("clustered")
          ? "alter table \(table) cluster on \(entry.name)" : "alter table \(table) set without cluster"
      ]
    }
    if changed == ["definition"], let before = old["definition"], let after = entry["definition"] {
      if before == "\(after) NOT VALID" { return ["alter table \(table) validate constraint \(entry.name)"] }
      if before.hasPrefix("FOREIGN KEY"), Self.undeferred(before) == Self.undeferred(after) {
        let words =
          after.hasSuffix("INITIALLY DEFERRED")
          ? "deferrable initially deferred"
          : after.hasSuffix("DEFERRABLE") ? "deferrable initially immediate" : "not deferrable"
        return ["alter table \(table) alter constraint \(entry.name) \(words)"]
      }
    }
    return nil
  }

  private static func undeferred(_ definition: String) -> String {
    var text = definition
    for end in [" INITIALLY DEFERRED", " DEFERRABLE"] where text.hasSuffix(end) {
      text = String(text.dropLast(end.count))
    }
    return text
  }

  func view(_ entry: Entry, _ changed: Set<String>, was old: Entry) -> [String]? {
    let kind = entry.kind.rawValue
    var all: [String] = []
    if changed.contains("query") || changed.contains("columns") {
      // Columns may only be added at the end; whether their types stay is for the server to say.
      guard entry.kind == .view, let before = old["columns"], let after = entry["columns"],
        after == before, entry["query"]?.contains("::") != true
      else { return nil }
      all += creation.view(entry)
    } else if changed.contains("options") {
      all += options("alter \(kind) \(entry.name)", old["options"], entry["options"], prefix: "")
    }
    if changed.contains("populated") {
      all.append(
        "refresh materialized view \(entry.name)\(entry["populated"] == "no" ? " with no data" : "")")
    }
    if changed.contains("tablespace") {
      all.append("alter \(kind) \(entry.name) set tablespace \(entry["tablespace"] ?? "pg_default")")
    }
    if changed.contains("access method") { return nil }
    return all
  }
}
