import Diagnostics

extension Rule {
  static let mergeDoNothing = Rule(
    id: "lint.merge-do-nothing", severity: .error,
    summary: "MERGE … WHEN MATCHED THEN DO NOTHING leaves a row that exists as it is",
    problem: """
      Like ON CONFLICT DO NOTHING: where a row matches, with whatever other values, nothing is done and nothing is \
      said. A MERGE that only inserts what does not match is the same without the words.
      """,
    solution: "Say what a matched row must look like: WHEN MATCHED THEN UPDATE SET …",
    firing: [
      "↓merge into tag using (values (1)) s (id) on tag.id = s.id when matched then do nothing when not matched then insert values (s.id);",
      "↓merge into tag using (values (1)) s (id) on tag.id = s.id when not matched then insert values (s.id);",
    ],
    quiet: [
      "merge into tag using (values (1, 'a')) s (id, label) on tag.id = s.id when matched then update set label = s.label when not matched then insert values (s.id, s.label);",
      "merge into tag using old on tag.id = old.id when matched then delete;",
    ]
  ) { chain in
    chain.steps(of: "MergeStmt").compactMap { step in
      guard chain.runsWhileMigrating(step.context) else { return nil }
      let clauses = (step.fields["mergeWhenClauses"]?.array ?? []).compactMap { $0["MergeWhenClause"] }
      let matched = clauses.filter { $0["matched"]?.bool == true }
      let asserts = matched.contains { ["CMD_UPDATE", "CMD_DELETE"].contains($0["commandType"]?.string) }
      guard !asserts else { return nil }
      let table = ObjectName(relation: step.fields["relation"])?.description ?? "the table"
      return Finding(
        site: step.site, message: "a row of \(table) that matches keeps its values",
        hint: "add when matched then update set every column")
    }
  }
}
