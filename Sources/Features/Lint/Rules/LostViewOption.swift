import Diagnostics
import JSONValues

extension Rule {
  static let lostViewOption = Rule(
    id: "lint.lost-view-option", severity: .error,
    summary: "CREATE OR REPLACE VIEW without its options takes security_invoker away again",
    problem: """
      OR REPLACE sets a view's options to the ones it names, so one that names none resets them. A view that was \
      security_invoker then reads with its owner's rights again, past every policy of the tables beneath it.
      """,
    solution: "Repeat WITH (security_invoker = true) in every replacement.",
    firing: [
      [
        "create view floors with (security_invoker = true) as select 1 as n;",
        "↓create or replace view public.floors as select 1 as n;",
      ],
      [
        "create view floors as select 1 as n;\nalter view floors set (security_invoker = on);",
        "↓create or replace view floors as select 1 as n;",
      ],
    ],
    quiet: [
      [
        "create view floors with (security_invoker = true) as select 1 as n;",
        "create or replace view floors with (security_invoker = true) as select 1 as n;",
      ],
      [
        "create view floors with (security_invoker) as select 1 as n;",
        "create or replace view floors as select 1 as n;",
        "alter view floors set (security_invoker = true);",
      ],
      ["create view floors as select 1 as n;", "create or replace view floors as select 2 as n;"],
    ]
  ) { chain in
    var invokers: Set<ObjectName> = []
    var lost: [(view: ObjectName, finding: Finding)] = []
    for step in chain.steps where chain.runsWhileMigrating(step.context) {
      if step.type == "ViewStmt", let view = ObjectName(relation: step.fields["view"])?.qualified {
        if isInvoker(step.fields["options"]) {
          invokers.insert(view)
          lost.removeAll { $0.view == view }
        } else if step.flag("replace"), invokers.contains(view) {
          let finding = Finding(
            site: step.site, message: "\(view) is no longer security_invoker after this",
            hint: "repeat with (security_invoker = true)")
          lost.append((view, finding))
        }
      }
      if step.type == "AlterTableStmt", let view = ObjectName(relation: step.fields["relation"])?.qualified {
        for command in (step.fields["cmds"]?.array ?? []).compactMap({ $0["AlterTableCmd"] }) {
          guard command["subtype"]?.string == "AT_SetRelOptions", isInvoker(command["def"]) else { continue }
          invokers.insert(view)
          lost.removeAll { $0.view == view }
        }
      }
      if step.type == "DropStmt" {
        for object in step.fields["objects"]?.array ?? [] {
          if let view = ObjectName(names: object.list)?.qualified { invokers.remove(view) }
        }
      }
    }
    return lost.map(\.finding)
  }

  private static func isInvoker(_ options: JSON?) -> Bool {
    (options?.list ?? []).compactMap { $0["DefElem"] }.contains { option in
      guard option["defname"]?.string == "security_invoker" else { return false }
      let value = option["arg"]?.nodeString ?? option["arg"]?["TypeName"]?["names"]?.array?.last?.nodeString
      return !["off", "false", "0", "no"].contains(value?.lowercased())
    }
  }
}
