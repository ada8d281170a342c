import Catalog
import JSONValues

extension Creation {
  func other(_ entry: Entry) -> [String] {
    switch entry.kind {
    case .schema: return ["create schema \(entry.name)"]
    case .extension:
      // Which version there is, is the server's business.
      return ["create extension \(entry.name) with schema \(entry["in schema"] ?? "public")"]
    case .role:
      return ["create role \(entry.name)" + (entry["attributes"].map { " \($0)" } ?? "")] + roleExtras(entry)
    case .membership: return membership(entry)
    case .setting, .databaseSetting: return [setting(entry, to: entry["value"])]
    case .database: return databaseLimit(entry)
    case .collation, .operator, .textSearchConfiguration, .textSearchDictionary, .textSearchParser,
      .textSearchTemplate:
      let name = entry.kind == .operator ? Self.operatorName(entry) : entry.name
      return ["create \(entry.kind.rawValue) \(name) (\(entry["definition"] ?? ""))"] + mappings(entry)
    case .aggregate:
      let name = QuotedNames.parts(entry.name).joined(separator: ".")
      return [
        "create or replace aggregate \(name)(\(entry["arguments"] ?? "")) (\(entry["definition"] ?? ""))"
      ]
    case .cast:
      let context = entry["context"].flatMap { $0 == "explicit" ? nil : " as \($0)" } ?? ""
      let method =
        switch entry["method"] {
        case "inout": "with inout"
        case "binary": "without function"
        case let method: "with \(method ?? "")"
        }
      return ["create cast \(entry.name) \(method)\(context)"]
    case .statistics:
      let target = entry["target"].map { ["alter statistics \(entry.name) set statistics \($0)"] } ?? []
      return [entry["definition"] ?? ""] + target
    case .wrapper: return [wrapper(entry)]
    case .server: return [server(entry)]
    case .userMapping: return ["create user mapping for \(entry.name) server \(state.parentName(of: entry))"]
    case .publication: return publication(entry)
    case .publishedTable, .publishedSchema:
      return ["alter publication \(state.parentName(of: entry)) add \(published(entry))"]
    case .eventTrigger:
      let tags = entry["tags"].map { "\n  when tag in (\($0))" } ?? ""
      let make = """
        create event trigger \(entry.name) on \(entry["event"] ?? "?")\(tags)
          execute function \(entry["function"] ?? "?")()
        """
      return [make] + (entry["state"].map { ["alter event trigger \(entry.name) \(Self.enabled($0))"] } ?? [])
    case .bucket: return [bucket(entry)]
    case .cronJob: return [cronJob(entry)]
    default: return []
    }
  }

  // MARK: - Roles and settings

  func roleExtras(_ entry: Entry) -> [String] {
    var words: [String] = []
    if let limit = entry["connection limit"] { words.append("connection limit \(limit)") }
    if let date = entry["valid until"] { words.append("valid until \(Text.literal(date))") }
    return words.isEmpty ? [] : ["alter role \(entry.name) \(words.joined(separator: " "))"]
  }

  private func membership(_ entry: Entry) -> [String] {
    let options = entry["options"] ?? ""
    var words: [String] = []
    if options.contains("admin") { words.append("admin option") }
    var text = "grant \(entry.name) to \(state.parentName(of: entry))"
    if let version = state.serverVersion, version >= 160_000 {
      words = options.contains("admin") ? ["admin true"] : []
      words.append("inherit \(options.contains("no inherit") ? "false" : "true")")
      words.append("set \(options.contains("no set") ? "false" : "true")")
    }
    if !words.isEmpty { text += " with \(words.joined(separator: ", "))" }
    return [text]
  }

  /// - Parameter value: Nil takes the setting away.
  func setting(_ entry: Entry, to value: String?) -> String {
    let rest = value.map { "set \(Text.setting(entry.name, $0))" } ?? "reset \(entry.name)"
    guard let parent = state.parent(of: entry), parent.kind == .role else {
      return
        "do $$ begin execute format('alter database %I ' || \(Text.literal(rest.escapingFormat)), current_database()); end $$"
    }
    guard entry.kind == .databaseSetting else { return "alter role \(parent.name) \(rest)" }
    return
      "do $$ begin execute format('alter role \(parent.name) in database %I ' || \(Text.literal(rest.escapingFormat)), current_database()); end $$"
  }

  private func databaseLimit(_ entry: Entry) -> [String] {
    [Self.onDatabase("connection limit \(entry["connection limit"] ?? "-1")", [])]
  }

  // MARK: - Text search, foreign data, publications

  private static func operatorName(_ entry: Entry) -> String {
    var name = ""
    for character in entry.name {
      if character == "(" { break }
      name.append(character)
    }
    return name
  }

  private func mappings(_ entry: Entry) -> [String] {
    Text.split(entry["mappings"] ?? "", by: "\n").compactMap { line in
      guard let found = line.ranges(of: ": ").first else { return nil }
      return """
        alter text search configuration \(entry.name) add mapping for \(line[..<found.lowerBound]) \
        with \(line[found.upperBound...])
        """
    }
  }

  private func wrapper(_ entry: Entry) -> String {
    var text = "create foreign data wrapper \(entry.name)"
    if let handler = entry["handler"] { text += " handler \(handler)" }
    if let validator = entry["validator"] { text += " validator \(validator)" }
    return entry["options"].map { "\(text) options (\($0))" } ?? text
  }

  private func server(_ entry: Entry) -> String {
    var text = "create server \(entry.name)"
    if let type = entry["type"] { text += " type \(Text.literal(type))" }
    if let version = entry["version"] { text += " version \(Text.literal(version))" }
    text += " foreign data wrapper \(entry["wrapper"] ?? "?")"
    return entry["options"].map { "\(text) options (\($0))" } ?? text
  }

  private func publication(_ entry: Entry) -> [String] {
    let target = entry.says("all tables") ? " for all tables" : ""
    return ["create publication \(entry.name)\(target) with (\(Self.publicationOptions(entry)))"]
  }

  static func publicationOptions(_ entry: Entry) -> String {
    "publish = \(Text.literal(entry["publish"] ?? "")), publish_via_partition_root = \(entry.says("via root"))"
  }

  func published(_ entry: Entry) -> String {
    if entry.kind == .publishedSchema { return "tables in schema \(entry.name)" }
    var text = "table \(entry.name)"
    if let columns = entry["columns"] { text += " (\(columns))" }
    if let filter = entry["filter"] { text += " where \(filter.hasPrefix("(") ? filter : "(\(filter))")" }
    return text
  }

  // MARK: - Rows that are configuration

  private func bucket(_ entry: Entry) -> String {
    let values = entry.attributes.map { ($0.name, Self.bucketValue($0.name, $0.value)) }
    let names = ["id"] + values.map(\.0)
    let all = [Text.literal(entry.name)] + values.map(\.1)
    return
      "insert into storage.buckets (\(names.joined(separator: ", ")))\n  values (\(all.joined(separator: ", ")))"
  }

  /// Lists are told as JSON.
  static func bucketValue(_ name: String, _ value: String) -> String {
    guard value.hasPrefix("["), let list = try? JSON(parsing: value).array else { return Text.literal(value) }
    return "array[\(list.map { Text.literal($0.string ?? "") }.joined(separator: ", "))]::text[]"
  }

  private func cronJob(_ entry: Entry) -> String {
    let words = [entry.name, entry["schedule"] ?? "", entry["command"] ?? ""].map(Text.literal)
    return "select cron.schedule(\(words.joined(separator: ", ")))"
  }
}

extension String {
  var escapingFormat: String {
    split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
  }
}
