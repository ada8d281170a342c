import Diagnostics
import JSONValues

extension Rule {
  static let bucketUnasserted = Rule(
    id: "lint.bucket-unasserted", severity: .error,
    summary: "a bucket is made without saying public, file_size_limit and allowed_mime_types",
    problem: """
      A bucket's three limits decide who can read it without a token, how large an upload may be and of what kind. \
      A column that no migration sets has its default, or what somebody clicked in the dashboard. An upsert that \
      sets only some of them leaves the others as they are found.
      """,
    solution: """
      Name all three columns, in the insert and in its ON CONFLICT … DO UPDATE, or in a later update of the bucket. \
      A deliberate "no limit" is a NULL that is written out.
      """,
    firing: [
      "↓insert into storage.buckets (id, name) values ('docs', 'docs');",
      """
      ↓insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
      values ('docs', 'docs', false, 10, '{image/jpeg}')
      on conflict (id) do update set public = excluded.public;
      """,
      [
        "↓insert into storage.buckets (id, name) values ('docs', 'docs');",
        "update storage.buckets set public = true, file_size_limit = 1, allowed_mime_types = null where id = 'photos';",
      ],
    ],
    quiet: [
      """
      insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
      values ('docs', 'docs', false, 10, '{image/jpeg}')
      on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
        allowed_mime_types = excluded.allowed_mime_types;
      """,
      """
      insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
      values ('docs', 'docs', false, null, null);
      """,
      [
        "insert into storage.buckets (id, name) values ('docs', 'docs');",
        "update storage.buckets set public = false where id = 'docs';",
        "update storage.buckets set file_size_limit = 1, allowed_mime_types = '{image/jpeg}' where id in ('docs', 'x');",
      ],
      [
        "insert into storage.buckets (id, name) values ('docs', 'docs');",
        "delete from storage.buckets where id = 'docs';",
      ],
    ]
  ) { chain in
    let buckets = BucketHistory(chain)
    return chain.steps(of: "InsertStmt").compactMap { step in
      guard let table = ObjectName(relation: step.fields["relation"]), isBuckets(table),
        chain.runsWhileMigrating(step.context)
      else { return nil }
      let missing = buckets.unasserted(by: step)
      // An insert that asserts nothing at all is the other rule's.
      let action = step.fields["onConflictClause"]?["action"]?.string
      guard !missing.isEmpty, action != "ONCONFLICT_NOTHING" else { return nil }
      return Finding(
        site: step.site, message: "this bucket's \(missing.joined(separator: ", ")) stays as it is found",
        hint: "set public, file_size_limit and allowed_mime_types, all three")
    }
  }
}

/// What the chain says about storage.buckets, so that an insert can be judged by what comes after it.
struct BucketHistory {
  static let limits = ["public", "file_size_limit", "allowed_mime_types"]

  private let later: [(step: Step, columns: Set<String>, ids: Set<String>?)]

  init(_ chain: Chain) {
    later = chain.steps.compactMap { step in
      guard ["InsertStmt", "UpdateStmt", "DeleteStmt"].contains(step.type),
        chain.runsWhileMigrating(step.context),
        let table = ObjectName(relation: step.fields["relation"]), Rule.isBuckets(table)
      else { return nil }
      switch step.type {
      case "InsertStmt": return (step, Self.asserted(by: step), Self.ids(insertedBy: step))
      case "UpdateStmt":
        return (step, Self.set(step.fields["targetList"]), Self.ids(in: step.fields["whereClause"]))
      default: return (step, Set(Self.limits), Self.ids(in: step.fields["whereClause"]))
      }
    }
  }

  /// The limits that neither the insert nor anything after it asserts for one of its buckets.
  func unasserted(by insert: Step) -> [String] {
    let own = Self.asserted(by: insert)
    let ids = Self.ids(insertedBy: insert)
    return Self.limits.filter { limit in
      guard !own.contains(limit) else { return false }
      let covering = later.filter { $0.step.isAfter(insert) && $0.columns.contains(limit) }
      if covering.contains(where: { $0.ids == nil }) { return false }
      guard let ids else { return true }
      return !ids.isSubset(of: covering.reduce(into: Set()) { $0.formUnion($1.ids ?? []) })
    }
  }

  /// Whether what comes after the insert asserts every limit of its buckets.
  func isSettled(_ insert: Step) -> Bool { unasserted(by: insert).isEmpty }

  /// The limits an insert leaves in a known state, whether the row existed or not.
  private static func asserted(by insert: Step) -> Set<String> {
    let columns = Set((insert.fields["cols"]?.array ?? []).compactMap { $0["ResTarget"]?["name"]?.string })
    guard let conflict = insert.fields["onConflictClause"] else { return columns.intersection(limits) }
    guard conflict["action"]?.string == "ONCONFLICT_UPDATE", conflict["whereClause"] == nil else { return [] }
    let updated = set(conflict["targetList"])
    return updated.intersection(columns.union(updated)).intersection(limits).intersection(columns)
  }

  private static func set(_ targets: JSON?) -> Set<String> {
    Set((targets?.array ?? []).compactMap { $0["ResTarget"]?["name"]?.string })
  }

  /// The ids of the inserted rows; nil where they are no literals.
  private static func ids(insertedBy insert: Step) -> Set<String>? {
    let columns = (insert.fields["cols"]?.array ?? []).compactMap { $0["ResTarget"]?["name"]?.string }
    let select = insert.fields["selectStmt"]?["SelectStmt"]
    let index = columns.isEmpty ? 0 : columns.firstIndex(of: "id")
    guard let index else { return nil }
    var rows = (select?["valuesLists"]?.array ?? []).map { $0.list }
    if let targets = select?["targetList"]?.array {
      rows.append(targets.map { $0["ResTarget"]?["val"] ?? .null })
    }
    let ids = rows.map { index < $0.count ? $0[index].constant : nil }
    return ids.isEmpty || ids.contains(nil) ? nil : Set(ids.compactMap { $0 })
  }

  /// The ids a condition names; nil where it names none, which may be every row.
  private static func ids(in condition: JSON?) -> Set<String>? {
    guard let condition else { return nil }
    var ids: Set<String> = []
    condition.walk { name, node in
      guard name == "A_Expr",
        let column = node["lexpr"]?["ColumnRef"]?["fields"]?.array?.last?.nodeString,
        ["id", "name"].contains(column)
      else { return }
      for value in node["rexpr"]?.list ?? [] { if let id = value.constant { ids.insert(id) } }
      if let id = node["rexpr"]?.constant { ids.insert(id) }
    }
    return ids.isEmpty ? nil : ids
  }
}
