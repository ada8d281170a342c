import Diagnostics

extension Rule {
  static let notValid = Rule(
    id: "lint.not-valid", severity: .warning,
    summary: "a constraint added NOT VALID is never validated",
    problem: """
      NOT VALID checks new rows alone. The rows that are there may break the constraint, and the planner does not \
      trust it. That is a good first step without a long lock, but a step: nothing in this chain takes the second.
      """,
    solution: "Add ALTER TABLE … VALIDATE CONSTRAINT in a later migration.",
    firing: [
      "create table desk (id int);\n↓alter table desk add constraint positive check (id > 0) not valid;"
    ],
    quiet: [
      [
        "create table desk (id int);\nalter table desk add constraint positive check (id > 0) not valid;",
        "alter table desk validate constraint positive;",
      ],
      [
        "create table desk (id int);\nalter table desk add constraint positive check (id > 0) not valid;",
        "alter table desk drop constraint positive;",
      ],
      "create table desk (id int);\nalter table desk add constraint positive check (id > 0);",
    ]
  ) { chain in
    var open: [(table: ObjectName, constraint: String, finding: Finding)] = []
    for step in chain.steps where chain.runsWhileMigrating(step.context) {
      if step.type == "DropStmt" {
        let dropped = (step.fields["objects"]?.array ?? []).compactMap {
          ObjectName(names: $0.list)?.qualified
        }
        open.removeAll { dropped.contains($0.table) }
      }
      guard step.type == "AlterTableStmt",
        let table = ObjectName(relation: step.fields["relation"])?.qualified
      else {
        continue
      }
      for command in (step.fields["cmds"]?.array ?? []).compactMap({ $0["AlterTableCmd"] }) {
        let constraint = command["def"]?["Constraint"]
        if let constraint, constraint["skip_validation"]?.bool == true {
          let name = constraint["conname"]?.string ?? ""
          let finding = Finding(
            site: step.site, message: "constraint \(name) on \(table) is never validated",
            hint: "add alter table \(table) validate constraint \(name) in a later migration")
          open.append((table, name, finding))
        } else if ["AT_ValidateConstraint", "AT_DropConstraint"].contains(command["subtype"]?.string) {
          open.removeAll { $0.table == table && $0.constraint == command["name"]?.string }
        }
      }
    }
    return open.map(\.finding)
  }
}
