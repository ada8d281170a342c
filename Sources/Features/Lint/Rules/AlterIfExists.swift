import Diagnostics

extension Rule {
  static let alterIfExists = Rule(
    id: "lint.alter-if-exists", severity: .error,
    summary: "ALTER … IF EXISTS does nothing where the object is missing or named otherwise",
    problem: """
      A misspelt name, or a table that was never made on one of the databases, turns ALTER … IF EXISTS into \
      nothing. The migration is recorded as applied, and the column, policy or rename it promised isn't there.
      """,
    solution: "Write it without IF EXISTS. What the chain has created exists.",
    firing: [
      "create table desk (id int);\n↓alter table if exists desks add column label text;",
      "↓alter table if exists desk rename to bureau;",
      "↓alter view if exists floors set schema office;",
      "do $$ begin\n  ↓alter sequence if exists desk_number restart;\nend $$;",
    ],
    quiet: [
      "create table desk (id int);\nalter table desk add column label text;\nalter table desk rename to bureau;",
      "-- nomdev: allow lint.alter-if-exists because only two of the four regions have it\nalter table if exists desk rename to bureau;",
    ]
  ) { chain in
    let alters: Set = [
      "AlterTableStmt", "RenameStmt", "AlterObjectSchemaStmt", "AlterSeqStmt", "AlterTableMoveAllStmt",
    ]
    return chain.steps.compactMap { step in
      guard alters.contains(step.type), step.flag("missing_ok") else { return nil }
      let name = ObjectName(relation: step.fields["relation"] ?? step.fields["sequence"])
      return Finding(
        site: step.site,
        message: "nothing happens here where \(name?.description ?? "the object") does not exist",
        hint: "write it without if exists",
        severity: chain.runsWhileMigrating(step.context) ? nil : .warning)
    }
  }
}
