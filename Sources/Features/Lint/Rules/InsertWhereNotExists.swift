import Diagnostics
import JSONValues

extension Rule {
  static let insertWhereNotExists = Rule(
    id: "lint.insert-where-not-exists", severity: .error,
    summary: "INSERT … SELECT … WHERE NOT EXISTS keeps a row that is there, whatever its values",
    problem: """
      This is ON CONFLICT DO NOTHING in other words, without even a lock: where a row is found, with whatever \
      values, nothing is inserted and nothing is said. Filling a table from another one by what is missing in it \
      (with a FROM) is usually meant, so there it is a warning.
      """,
    solution:
      "Assert the row: ON CONFLICT (key) DO UPDATE SET every column = excluded.column. Or insert plainly.",
    firing: [
      "↓insert into tag (id, label) select 1, 'new' where not exists (select 1 from tag where id = 1);",
      "do $$ begin\n  ↓insert into public.tag select 1, 'new' where not exists (select from tag where id = 1);\nend $$;",
      "↓insert into member (id) select u.id from account u where not exists (select 1 from member m where m.id = u.id);",
    ],
    quiet: [
      "insert into tag (id, label) select 1, 'new' where exists (select 1 from floor);",
      "insert into member (id) select u.id from account u where not exists (select 1 from banned b where b.id = u.id);",
      "create function f() returns void language sql as $$ insert into tag select 1 where not exists (select from tag) $$;",
    ]
  ) { chain in
    chain.steps(of: "InsertStmt").compactMap { step in
      guard chain.runsWhileMigrating(step.context), let table = ObjectName(relation: step.fields["relation"]),
        let select = step.fields["selectStmt"]?["SelectStmt"], let condition = select["whereClause"],
        asks(condition, whetherMissingIn: table)
      else { return nil }
      return Finding(
        site: step.site, message: "a row of \(table) that exists keeps its values",
        hint: "write on conflict (key) do update set every column, or insert plainly",
        severity: select["fromClause"] == nil ? nil : .warning)
    }
  }

  private static func asks(_ condition: JSON, whetherMissingIn table: ObjectName) -> Bool {
    var found = false
    condition.walk { name, node in
      guard name == "BoolExpr", node["boolop"]?.string == "NOT_EXPR" else { return }
      node.walk { name, node in
        guard name == "RangeVar", let other = ObjectName(relation: node) else { return }
        found = found || other.qualified == table.qualified
      }
    }
    return found
  }
}
