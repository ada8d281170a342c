import Diagnostics
import JSONValues

extension Rule {
  static let onConflictDoNothing = Rule(
    id: "lint.on-conflict-do-nothing", severity: .error,
    summary: "INSERT … ON CONFLICT DO NOTHING leaves a row that exists as it is, whatever its values",
    problem: """
      Where a row with that key exists, with whatever other values, the insert does nothing and reports success. \
      In a table the project does not own (storage.buckets, auth.*, cron.*) the row may come from the dashboard or \
      from the platform itself. An update that sets nothing but the key (set id = excluded.id) is the same in \
      other words. In the body of a function that only the application calls, a conflict target says that the \
      skip is meant; without a target, every unique violation is swallowed.
      """,
    solution:
      "Assert the row: ON CONFLICT (key) DO UPDATE SET every column = excluded.column. Or insert plainly.",
    firing: [
      "↓insert into tag (id, label) values (1, 'new') on conflict do nothing;",
      "↓insert into tag (id, label) values (1, 'new') on conflict (id) do update set id = excluded.id;",
      "do $$ begin\n  ↓insert into cron.job (jobname) values ('a') on conflict do nothing;\nend $$;",
      "↓insert into storage.buckets (id, name) values ('docs', 'docs') on conflict (id) do nothing;",
      "create function keep() returns void language plpgsql as $$ begin\n  ↓insert into seen values (1) on conflict do nothing;\nend $$;",
    ],
    quiet: [
      "insert into tag (id, label) values (1, 'new') on conflict (id) do update set label = excluded.label;",
      "insert into tag (id, label) values (1, 'new');",
      "create function keep() returns void language plpgsql as $$ begin\n  insert into seen values (1) on conflict (id) do nothing;\nend $$;",
      [
        "insert into storage.buckets (id, name) values ('docs', 'docs') on conflict do nothing;",
        "update storage.buckets set public = false, file_size_limit = 1, allowed_mime_types = '{a/b}' where id = 'docs';",
      ],
    ]
  ) { chain in
    let buckets = BucketHistory(chain)
    return chain.steps(of: "InsertStmt").compactMap { step -> Finding? in
      guard let clause = step.fields["onConflictClause"],
        let table = ObjectName(relation: step.fields["relation"])
      else { return nil }
      let isNothing = clause["action"]?.string == "ONCONFLICT_NOTHING"
      guard isNothing || assertsNothing(clause) else { return nil }
      if isBuckets(table), buckets.isSettled(step) { return nil }
      let atOnce = chain.runsWhileMigrating(step.context)
      if !atOnce, clause["infer"] != nil { return nil }
      let isForeign = chain.isForeign(table)
      return Finding(
        site: step.site,
        message: isForeign
          ? "a row of \(table) that exists keeps its values, and that table is not this project's own"
          : "a row of \(table) that exists keeps its values",
        detail: isForeign
          ? "rows there also come from the dashboard and from the platform, so a database where this did nothing is likely"
          : isNothing ? nil : "the update sets nothing but the key",
        hint: atOnce
          ? "write on conflict (key) do update set every column, or insert plainly"
          : "name the conflict that is meant: on conflict (key) do nothing",
        severity: atOnce ? nil : .warning)
    }
  }

  static func isBuckets(_ table: ObjectName) -> Bool { table.schema == "storage" && table.name == "buckets" }

  /// Whether DO UPDATE sets no column but those of the conflict target.
  private static func assertsNothing(_ clause: JSON) -> Bool {
    let key = (clause["infer"]?["indexElems"]?.array ?? []).compactMap { $0["IndexElem"]?["name"]?.string }
    let targets = (clause["targetList"]?.array ?? []).compactMap { $0["ResTarget"] }
    guard !targets.isEmpty, !key.isEmpty else { return false }
    return targets.allSatisfy { target in
      guard let name = target["name"]?.string, key.contains(name) else { return false }
      return target["val"]?["ColumnRef"]?["fields"]?.array?.last?.nodeString == name
    }
  }
}
