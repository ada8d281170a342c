import Diagnostics

extension Rule {
  static let policyWithoutRLS = Rule(
    id: "lint.policy-without-rls", severity: .error,
    summary: "a policy on a table whose row level security is never switched on",
    problem: """
      CREATE POLICY succeeds on a table without row level security and then does nothing: every row is open to \
      whoever holds a privilege on the table. Judged at the end of the chain, for the tables the chain creates.
      """,
    solution: "Add ALTER TABLE … ENABLE ROW LEVEL SECURITY.",
    firing: [
      "create table desk (id int);\n↓create policy own on desk using (true);",
      [
        "create table desk (id int);\nalter table desk enable row level security;\n↓create policy own on desk using (true);",
        "alter table desk disable row level security;",
      ],
    ],
    quiet: [
      [
        "create table desk (id int);\ncreate policy own on desk using (true);",
        "alter table public.desk enable row level security;",
      ],
      "create policy own on storage.objects for select using (true);",
      """
      create table desk (id int);
      create policy own on desk using (true);
      do $$ declare t text; begin
        for t in select tablename from pg_tables loop
          execute format('alter table public.%I enable row level security', t);
        end loop;
      end $$;
      """,
      ["create table desk (id int);\ncreate policy own on desk using (true);", "drop table desk;"],
    ]
  ) { chain in
    var tables: Set<ObjectName> = []
    var secured: Set<ObjectName> = []
    var policies: [(table: ObjectName, step: Step)] = []
    for step in chain.steps where chain.runsWhileMigrating(step.context) {
      let table = ObjectName(relation: step.fields["relation"] ?? step.fields["table"])?.qualified
      switch step.type {
      case "CreateStmt": if let table { tables.insert(table) }
      case "CreatePolicyStmt": if let table { policies.append((table, step)) }
      case "AlterTableStmt":
        for command in (step.fields["cmds"]?.array ?? []).compactMap({
          $0["AlterTableCmd"]?["subtype"]?.string
        }) {
          // Whose tables a loop over the catalog reaches can't be read from the text.
          if command == "AT_EnableRowSecurity", step.isDynamic { return [] }
          guard let table else { continue }
          if command == "AT_EnableRowSecurity" { secured.insert(table) }
          if command == "AT_DisableRowSecurity" { secured.remove(table) }
        }
      case "RenameStmt", "AlterObjectSchemaStmt":
        // Under its new name it is no table whose beginning was seen.
        if let table { tables.remove(table) }
      case "DropStmt":
        for object in step.fields["objects"]?.array ?? [] {
          guard let name = ObjectName(names: object.list)?.qualified else { continue }
          if step.fields["removeType"]?.string == "OBJECT_TABLE" {
            tables.remove(name)
            policies.removeAll { $0.table == name }
          } else if step.fields["removeType"]?.string == "OBJECT_POLICY" {
            let table = ObjectName(names: object.list.dropLast())?.qualified
            policies.removeAll { $0.table == table && $0.step.fields["policy_name"]?.string == name.name }
          }
        }
      default: continue
      }
    }
    return policies.filter { tables.contains($0.table) && !secured.contains($0.table) }.map { table, step in
      Finding(
        site: step.site, message: "this policy does nothing: row level security is never enabled on \(table)",
        hint: "add alter table \(table) enable row level security")
    }
  }
}
