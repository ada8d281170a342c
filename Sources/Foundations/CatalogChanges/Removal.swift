import Catalog

/// The statements that take an object away.
struct Removal {
  let state: Snapshot

  func statements(_ entry: Entry) -> [String] {
    switch entry.kind {
    case .column: ["\(state.alterParent(of: entry)) drop column \(entry.name)"]
    case .attribute: ["alter type \(state.parentName(of: entry)) drop attribute \(entry.name)"]
    case .constraint: ["\(state.alterParent(of: entry)) drop constraint \(entry.name)"]
    case .domainConstraint: ["alter domain \(state.parentName(of: entry)) drop constraint \(entry.name)"]
    case .membership: ["revoke \(entry.name) from \(state.parentName(of: entry))"]
    case .setting, .databaseSetting: [Creation(state, creator: "").setting(entry, to: nil)]
    case .defaultPrivilege: DefaultPrivilege.statements(from: entry, to: nil)
    case .userMapping: ["drop user mapping for \(entry.name) server \(state.parentName(of: entry))"]
    case .publishedTable: ["alter publication \(state.parentName(of: entry)) drop table \(entry.name)"]
    case .publishedSchema:
      ["alter publication \(state.parentName(of: entry)) drop tables in schema \(entry.name)"]
    case .bucket:
      // The platform refuses deletions that were not meant.
      [
        """
        set storage.allow_delete_query = 'true';
        delete from storage.buckets where id = \(Text.literal(entry.name));
        reset storage.allow_delete_query
        """
      ]
    case .cronJob: ["select cron.unschedule(\(Text.literal(entry.name)))"]
    case .row: ["delete from \(state.parentName(of: entry)) where \(Rows.condition(entry, in: state))"]
    // Only with what they belong to, or not by a statement that could be written down.
    case .grant, .identitySequence, .database, .parameter, .secret: []
    default: ["drop \(state.reference(entry))"]
    }
  }
}

/// Rows as statements.
enum Rows {
  /// What finds exactly this row.
  static func condition(_ row: Entry, in state: Snapshot) -> String {
    let table = row.parent ?? ""
    let key = state.children(of: table, .constraint).compactMap { $0["definition"] }
      .first { $0.hasPrefix("PRIMARY KEY (") }.map { QuotedNames.list(String($0.dropFirst(12))) }
    let columns = key ?? state.children(of: table, .column).filter { !$0.says("generated") }.map(\.name)
    return columns.map { name in
      row[name].map { "\(name) = \(Text.literal($0))" } ?? "\(name) is null"
    }.joined(separator: " and ")
  }

  /// One statement for rows that name the same columns.
  static func insertion(_ rows: [Entry], into table: Entry, in state: Snapshot) -> String {
    let columns = state.children(of: table.path, .column).filter { !$0.says("generated") }
    let names = columns.map(\.name).filter { name in rows.contains { $0[name] != nil } }
    let lines = rows.map { row in
      "(\(names.map { row[$0].map(Text.literal) ?? "null" }.joined(separator: ", ")))"
    }
    let overriding =
      columns.contains { $0["identity"] == "always" && names.contains($0.name) }
      ? " overriding system value" : ""
    return """
      insert into \(table.name) (\(names.joined(separator: ", ")))\(overriding) values
        \(lines.joined(separator: ",\n  "))
      """
  }
}

/// `alter default privileges`, from the rights an entry tells to those it must tell.
enum DefaultPrivilege {
  /// - Parameter new: Nil goes back to what holds without any default of its own.
  static func statements(from old: Entry?, to new: Entry?) -> [String] {
    guard let entry = new ?? old else { return [] }
    let place = entry["place"].map { " in schema \($0)" } ?? ""
    let head = "alter default privileges for role \(entry["maker"] ?? "?")\(place)"
    let objects = entry["objects"] ?? "tables"
    let grantee = entry["grantee"] ?? "PUBLIC"
    let usual = usual(entry)
    var has = Rights()
    var wants = Rights()
    has.byGrantee[grantee] = old.map { Rights.items($0["privileges"] ?? "nothing") } ?? usual
    wants.byGrantee[grantee] = new.map { Rights.items($0["privileges"] ?? "nothing") } ?? usual
    let plan = GrantPlan(object: objects, column: nil)
    let count = ["tables": 7, "sequences": 3][objects]
    return plan.statements(from: has, to: wants, all: count).map { "\(head) \($0)" }
  }

  /// What PostgreSQL gives without any default privileges.
  private static func usual(_ entry: Entry) -> Set<String> {
    guard entry["place"] == nil else { return [] }
    if entry["grantee"] == entry["maker"] {
      switch entry["objects"] {
      case "tables": return ["DELETE", "INSERT", "REFERENCES", "SELECT", "TRIGGER", "TRUNCATE", "UPDATE"]
      case "sequences": return ["SELECT", "UPDATE", "USAGE"]
      case "functions": return ["EXECUTE"]
      case "types": return ["USAGE"]
      default: return ["CREATE", "USAGE"]
      }
    }
    guard entry["grantee"] == "PUBLIC" else { return [] }
    switch entry["objects"] {
    case "functions": return ["EXECUTE"]
    case "types": return ["USAGE"]
    default: return []
    }
  }
}
