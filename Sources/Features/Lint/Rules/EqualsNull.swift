import Diagnostics
import JSONValues

extension Rule {
  static let equalsNull = Rule(
    id: "lint.equals-null", severity: .error,
    summary: "a comparison with NULL by = or <> is never true",
    problem: """
      WHERE x = NULL matches no row, so an UPDATE or DELETE with it does nothing and reports success. A policy with \
      it shows nothing, and a CHECK with it holds always, since unknown is not false.
      """,
    solution: "Write IS NULL, IS NOT NULL or IS DISTINCT FROM.",
    firing: [
      "update desk set floor = 1 where floor ↓= null;",
      "do $$ begin\n  delete from desk where null ↓<> label;\nend $$;",
      "alter table desk add constraint labelled check (label ↓<> null);",
      "create policy own on storage.objects using (owner ↓= null);",
    ],
    quiet: [
      "update desk set floor = null where floor is null;",
      "delete from desk where label is distinct from null;",
      "create function f(a int default null) returns int language sql as 'select 1';\nselect f(a => null);",
    ]
  ) { chain in
    let judged: Set = [
      "UpdateStmt", "DeleteStmt", "InsertStmt", "MergeStmt", "CreatePolicyStmt", "AlterPolicyStmt",
      "CreateStmt",
      "AlterTableStmt", "ViewStmt", "IndexStmt", "CreateDomainStmt", "CreateTrigStmt",
    ]
    var seen: Set<Site> = []
    return chain.steps.filter { judged.contains($0.type) && !$0.isDynamic }.flatMap { step in
      comparisons(in: step).filter { seen.insert($0).inserted }.map { site in
        Finding(
          site: site, message: "a comparison with null is never true", hint: "write is null or is not null",
          severity: chain.runsWhileMigrating(step.context) ? nil : .warning)
      }
    }
  }

  private static func comparisons(in step: Step) -> [Site] {
    var sites: [Site] = []
    step.fields.walk { name, node in
      guard name == "A_Expr", node["kind"]?.string == "AEXPR_OP",
        ["=", "<>", "!="].contains(node["name"]?.array?.first?.nodeString),
        [node["lexpr"], node["rexpr"]].contains(where: { $0?["A_Const"]?["isnull"]?.bool == true })
      else { return }
      sites.append(step.site(of: node))
    }
    return sites
  }
}
