import Catalog
import Postgres

/// Texts that statements are made of. Names in entries are quoted already where they must be.
enum Text {
  static func literal(_ value: String) -> String {
    let quoted = SQL.quoted(literal: value)
    return quoted.hasPrefix(" ") ? String(quoted.dropFirst()) : quoted
  }

  /// A body between dollar signs with a tag the body does not hold.
  static func dollarQuoted(_ body: String) -> String {
    var tag = "$$"
    var count = 0
    while body.contains(tag) || (tag == "$$" && body.hasSuffix("$")) {
      count += 1
      tag = count == 1 ? "$body$" : "$body\(count)$"
    }
    return tag + body + tag
  }

  /// `fillfactor='70', user_catalog_table='true'` of `fillfactor=70, user_catalog_table=true`.
  static func options(_ text: String, prefix: String = "") -> String {
    pairs(text).map { "\(prefix)\($0.name) = \(literal($0.value))" }.joined(separator: ", ")
  }

  static func optionNames(_ text: String) -> [String] { pairs(text).map(\.name) }

  private static func pairs(_ text: String) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for part in split(text, by: ", ") {
      if let equals = part.firstIndex(of: "=") {
        pairs.append((String(part[..<equals]), String(part[part.index(after: equals)...])))
      } else if !pairs.isEmpty {
        // A value with a comma of its own.
        pairs[pairs.count - 1].value += ", \(part)"
      }
    }
    return pairs
  }

  static func split(_ text: String, by separator: String) -> [String] {
    text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  /// `SET` of a routine, role or database: settings that hold lists of names keep them quoted.
  static func setting(_ name: String, _ value: String) -> String {
    let lists = ["search_path", "temp_tablespaces", "local_preload_libraries", "session_preload_libraries"]
    guard lists.contains(name) else { return "\(name) to \(literal(value))" }
    let items = value.isEmpty ? [] : names(value)
    return "\(name) to \(items.isEmpty ? "''" : items.map(literal).joined(separator: ", "))"
  }

  private static func names(_ list: String) -> [String] {
    QuotedNames.list("(\(list))").map { QuotedNames.plain($0.trimmingBlanks) }
  }
}

extension String {
  var trimmingBlanks: String {
    var text = self[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}

extension Snapshot {
  func parent(of entry: Entry) -> Entry? { entry.parent.flatMap { self[$0] } }

  /// The name of what an entry is part of; a part of an unknown whole can't be spoken of.
  func parentName(of entry: Entry) -> String { parent(of: entry)?.name ?? "?" }

  /// The object as `comment on`, `alter … owner to` and `grant … on` name it.
  func reference(_ entry: Entry) -> String {
    let parent = parentName(of: entry)
    switch entry.kind {
    case .column: return "column \(parent).\(entry.name)"
    case .attribute: return "column \(parent).\(entry.name)"
    case .constraint: return "constraint \(entry.name) on \(parent)"
    case .domainConstraint: return "constraint \(entry.name) on domain \(parent)"
    case .policy, .trigger, .rule: return "\(entry.kind.rawValue) \(entry.name) on \(parent)"
    case .index: return "index \(indexName(entry))"
    case .function: return "function \(entry.name)"
    default: return "\(entry.kind.sqlName) \(entry.name)"
    }
  }

  /// An index lives in its table's schema.
  func indexName(_ entry: Entry) -> String { entry.schema.map { "\($0).\(entry.name)" } ?? entry.name }

  /// `table`, `foreign table`, `view`: how `alter` names what a column or rule belongs to.
  func alterParent(of entry: Entry) -> String {
    guard let parent = parent(of: entry) else { return "alter table ?" }
    return "alter \(parent.kind.sqlName) \(parent.name)"
  }
}
