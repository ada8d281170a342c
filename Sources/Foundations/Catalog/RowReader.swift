import Postgres

/// Reads rows as entries, inside the transaction of the snapshot.
struct RowReader {
  /// More rows than this are data, not configuration.
  static let limit = 50_000

  let db: Connection
  private let tables: [String: Entry]
  private let columns: [String: [Entry]]
  private let keys: [String: [String]]

  init(db: Connection, entries: [Entry]) {
    self.db = db
    var tables: [String: Entry] = [:]
    var columns: [String: [Entry]] = [:]
    var keys: [String: [String]] = [:]
    for entry in entries {
      switch entry.kind {
      case .table: tables[entry.name] = entry
      case .column: if let parent = entry.parent { columns[parent, default: []].append(entry) }
      case .constraint:
        guard let parent = entry.parent, let definition = entry["definition"],
          definition.hasPrefix("PRIMARY KEY (")
        else { break }
        keys[parent] = QuotedNames.list(String(definition.dropFirst(12)))
      default: break
      }
    }
    self.tables = tables
    self.columns = columns.mapValues { $0.sorted { ($0.position ?? 0) < ($1.position ?? 0) } }
    self.keys = keys
  }

  func read(_ scope: RowScope) throws -> (entries: [Entry], unseen: [String]) {
    var chosen: [String] = []
    switch scope {
    case .none: return ([], [])
    case .chosen(let named): chosen = named.map(\.name).filter { tables[$0] != nil }
    case .all: chosen = tables.keys.filter { isReadable($0) }
    }
    let services = ["storage.buckets", "cron.job", "vault.secrets"]
    let asked = Array(Set(chosen).subtracting(services)).sorted()
    let seen = try visibility(services + asked)
    var unseen: [String] = []
    var statements: [SQL] = []
    var kinds: [(kind: ObjectKind, table: String)] = []
    for (name, state) in zip(services + asked, seen) {
      switch state {
      case .missing: continue
      case .hidden(let why): unseen.append("the rows of \(name): \(why)")
      case .visible:
        let kind = Self.kind(of: name)
        kinds.append((kind, name))
        statements.append(kind == .row ? query(name) : SQL(trusted: Self.services[name] ?? ""))
      }
    }
    let answers = try db.pipeline(statements)
    var entries: [Entry] = []
    for ((kind, name), rows) in zip(kinds, answers) {
      if rows.count > Self.limit {
        unseen.append("the rows of \(name): there are more than \(Self.limit)")
      } else if kind == .row {
        entries += rowEntries(rows, name)
      } else {
        entries += Self.serviceEntries(rows, kind)
      }
    }
    return (entries, unseen)
  }

  private static func kind(of table: String) -> ObjectKind {
    switch table {
    case "storage.buckets": .bucket
    case "cron.job": .cronJob
    case "vault.secrets": .secret
    default: .row
    }
  }

  // MARK: - What the role can see

  private enum Visibility {
    case visible, missing
    case hidden(String)
  }

  /// A role that row security filters would see fewer rows and not know it.
  private func visibility(_ names: [String]) throws -> [Visibility] {
    let rows = try db.rows(
      """
      select to_regclass(n)::oid is not null,
        case when to_regclass(n) is not null then has_table_privilege(to_regclass(n), 'select')
          and has_schema_privilege((select relnamespace from pg_class where oid = to_regclass(n)), 'usage') end,
        case when to_regclass(n) is not null then row_security_active(to_regclass(n)) end
      from unnest(\(names)::text[]) with ordinality as x(n, i) order by i
      """)
    return rows.map { row in
      if row[0] != "t" { return .missing }
      if row[1] != "t" { return .hidden("the role \(db.user) may not read them") }
      return row[2] == "t" ? .hidden("row level security hides some from the role \(db.user)") : .visible
    }
  }

  private func isReadable(_ name: String) -> Bool {
    guard let table = tables[name] else { return false }
    return !table.says("partition by") && !table.says("of extension")
  }

  // MARK: - Ordinary tables

  private func query(_ table: String) -> SQL {
    let list = (columns["table \(table)"] ?? []).filter { !$0.says("generated") }.map { "\($0.name)::text" }
    let chosen = list.isEmpty ? "null" : list.joined(separator: ", ")
    return "select \(trusted: chosen) from only \(trusted: table) limit \(trusted: String(Self.limit + 1))"
  }

  private func rowEntries(_ rows: [Row], _ table: String) -> [Entry] {
    let parent = "table \(table)"
    guard let owner = tables[table] else { return [] }
    let names = (columns[parent] ?? []).filter { !$0.says("generated") }.map(\.name)
    let key = keys[parent] ?? []
    var used: [String: Int] = [:]
    let sorted =
      key.isEmpty
      ? rows.sorted { Self.text($0.values).utf8.lexicographicallyPrecedes(Self.text($1.values).utf8) } : rows
    return sorted.map { row in
      let pairs = zip(names, row.values)
      let identity = pairs.filter { key.contains($0.0) }.map { $0.1 ?? "" }
      var name = key.isEmpty ? Self.text(row.values) : identity.joined(separator: ", ")
      let count = used[name, default: 0] + 1
      used[name] = count
      if count > 1 { name += " (\(count))" }
      return Entry(
        .row, name, schema: owner.schema, parent: parent,
        attributes: pairs.compactMap { name, value in value.map { .init(name, $0) } })
    }
  }

  private static func text(_ values: [String?]) -> String {
    values.map { $0 ?? "null" }.joined(separator: ", ")
  }

  // MARK: - Rows that are configuration

  private static let services = [
    "storage.buckets": """
    select b.id, j.key, j.value from storage.buckets b, jsonb_each_text(to_jsonb(b)) j
    where j.key not in ('id', 'created_at', 'updated_at') and j.value is not null order by 1, 2
    """,
    "cron.job": """
    select coalesce(to_jsonb(c) ->> 'jobname', c.jobid::text), j.key, j.value
    from cron.job c, jsonb_each_text(to_jsonb(c)) j
    where j.key in ('schedule', 'command', 'username', 'active')
      or j.key = 'database' and j.value <> current_database() order by 1, 2
    """,
    "vault.secrets": """
    select coalesce(s.name, s.id::text), 'description', nullif(s.description, '') from vault.secrets s order by 1
    """,
  ]

  private static func serviceEntries(_ rows: [Row], _ kind: ObjectKind) -> [Entry] {
    var order: [String] = []
    var attributes: [String: [Entry.Attribute]] = [:]
    for row in rows {
      let name = row[0] ?? ""
      if attributes[name] == nil { order.append(name) }
      attributes[name, default: []] += row[2].map { [.init(row[1] ?? "", $0)] } ?? []
    }
    return order.map { Entry(kind, $0, attributes: attributes[$0] ?? []) }
  }
}
