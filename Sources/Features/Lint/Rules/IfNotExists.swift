import Diagnostics
import JSONValues

extension Rule {
  static let ifNotExists = Rule(
    id: "lint.if-not-exists", severity: .error,
    summary: "CREATE … IF NOT EXISTS keeps whatever is there under that name",
    problem: """
      IF NOT EXISTS compares names, nothing else. Where something of that name exists, with other columns, \
      another definition or another owner, the statement does nothing and the migration is recorded as applied. \
      Databases then differ and no run says so. With CREATE INDEX CONCURRENTLY it is worse: a broken build \
      leaves an INVALID index of that name behind, the retry succeeds, and a unique index that is never \
      enforced stays.
      """,
    solution: """
      Write a plain CREATE. A migration runs once and in one transaction, so there is nothing to be found from a \
      first try; if there is, the error is what you want to know. Extensions and temporary tables are exempt.
      """,
    firing: [
      "↓create table if not exists desk (id int primary key);",
      "create table desk (id int, label text);\n↓create unique index concurrently if not exists desk_label on desk (label);",
      "create table desk (id int);\nalter table desk\n  add column ↓if not exists label text;",
      "do $$ begin\n  ↓create schema if not exists office;\nend $$;",
      "do $$ begin\n  execute '↓create sequence if not exists desk_number';\nend $$;",
      "create function make() returns void language sql as $$ ↓create table if not exists desk (id int) $$;\nselect make();",
      "↓create materialized view if not exists floors as select 1 as floor;",
      "create type mood as enum ('ok');\n↓alter type mood add value if not exists 'great';",
    ],
    quiet: [
      "create table desk (id int primary key);",
      "create extension if not exists pg_trgm with schema extensions;",
      "create temporary table if not exists batch (id int);",
      "-- create table if not exists desk (id int);\nselect 'create table if not exists desk (id int)';",
      "-- nomdev: allow lint.if-not-exists because hosted got it by hand in May\ncreate table if not exists desk (id int);",
    ]
  ) { chain in
    var findings: [Finding] = []
    for step in chain.steps {
      if step.type == "AlterTableStmt" {
        for (number, column) in addedColumns(step).enumerated() {
          findings.append(
            finding(
              "column", column, at: step.site(ofWords: ["if", "not", "exists"], number: number), step, chain))
        }
      } else if let (kind, name) = createdIfMissing(step) {
        findings.append(finding(kind, name, at: step.site, step, chain))
      }
    }
    return findings
  }

  /// The columns an ALTER TABLE adds only where they are missing, in the order they are written.
  private static func addedColumns(_ step: Step) -> [String] {
    (step.fields["cmds"]?.array ?? []).compactMap { $0["AlterTableCmd"] }
      .filter { $0["subtype"]?.string == "AT_AddColumn" && $0["missing_ok"]?.bool == true }
      .map { $0["def"]?["ColumnDef"]?["colname"]?.string ?? "" }
  }

  private static func createdIfMissing(_ step: Step) -> (kind: String, name: String)? {
    let fields = step.fields
    if step.type == "AlterEnumStmt" {
      guard step.flag("skipIfNewValExists") else { return nil }
      return ("enum value", "'\(fields["newVal"]?.string ?? "")'")
    }
    guard step.flag("if_not_exists") else { return nil }
    func relation(_ field: JSON?) -> String { ObjectName(relation: field)?.description ?? "" }
    switch step.type {
    case "CreateExtensionStmt": return nil
    case "CreateStmt":
      if fields["relation"]?["relpersistence"]?.string == "t" { return nil }
      return ("table", relation(fields["relation"]))
    case "CreateForeignTableStmt": return ("foreign table", relation(fields["base"]?["relation"]))
    case "IndexStmt": return ("index", fields["idxname"]?.string ?? "")
    case "CreateSeqStmt": return ("sequence", relation(fields["sequence"]))
    case "CreateSchemaStmt": return ("schema", fields["schemaname"]?.string ?? "")
    case "CreateTableAsStmt":
      if fields["into"]?["rel"]?["relpersistence"]?.string == "t" { return nil }
      let isView = fields["objtype"]?.string == "OBJECT_MATVIEW"
      return (isView ? "materialized view" : "table", relation(fields["into"]?["rel"]))
    case "CreateForeignServerStmt": return ("server", fields["servername"]?.string ?? "")
    case "CreateStatsStmt":
      return ("statistics object", ObjectName(names: fields["defnames"]?.array)?.description ?? "")
    case "DefineStmt": return ("object", ObjectName(names: fields["defnames"]?.array)?.description ?? "")
    case "CreateUserMappingStmt": return ("user mapping", "for \(fields["servername"]?.string ?? "")")
    default: return ("object", "")
    }
  }

  private static func finding(
    _ kind: String, _ name: String, at site: Site, _ step: Step, _ chain: Chain
  ) -> Finding {
    let isConcurrent = step.type == "IndexStmt" && step.flag("concurrent")
    // The platform brings these two, on every database there is.
    let isPlatforms = kind == "schema" && (name == "public" || PlatformNames.schemas.contains(name))
    return Finding(
      site: site, message: "\(kind) \(name) stays as it is where one of that name exists",
      detail: isConcurrent
        ? "a broken build leaves an INVALID index of this name, which IF NOT EXISTS then takes for the real one"
        : nil,
      hint: isConcurrent
        ? "drop the index first, then create it without if not exists" : "create it without if not exists",
      severity: isPlatforms || !chain.runsWhileMigrating(step.context) ? .warning : nil)
  }
}
