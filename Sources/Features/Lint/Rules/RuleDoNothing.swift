import Diagnostics

extension Rule {
  static let ruleDoNothing = Rule(
    id: "lint.rule-do-nothing", severity: .warning,
    summary: "CREATE RULE … DO INSTEAD NOTHING makes writes vanish",
    problem: """
      After it, an insert, update or delete on the table reports success and changes nothing, in later migrations \
      and seeds as in the application.
      """,
    solution: "Revoke the privilege, or raise an exception in a trigger: both say no.",
    firing: ["create table log (id int);\n↓create rule keep as on delete to log do instead nothing;"],
    quiet: [
      "create rule also as on insert to log do also (insert into copy values (1));",
      ["create rule keep as on delete to log do instead nothing;", "drop rule keep on log;"],
    ]
  ) { chain in
    let dropped = Set(
      chain.steps(of: "DropStmt").filter { $0.fields["removeType"]?.string == "OBJECT_RULE" }
        .flatMap { $0.fields["objects"]?.array ?? [] }.compactMap { ObjectName(names: $0.list)?.name })
    return chain.steps(of: "RuleStmt").compactMap { step in
      guard step.flag("instead"), step.fields["actions"]?.array?.isEmpty ?? true,
        !dropped.contains(step.fields["rulename"]?.string ?? "")
      else { return nil }
      return Finding(
        site: step.site,
        message:
          "writes to \(ObjectName(relation: step.fields["relation"])?.description ?? "the table") vanish without an error",
        hint: "revoke the privilege, or raise an exception in a trigger")
    }
  }
}
