import Diagnostics
import JSONValues

extension Rule {
  static let lostColumn = Rule(
    id: "lint.lost-column", severity: .error,
    summary:
      "a column of CREATE TABLE IF NOT EXISTS never comes to be, since the chain has made the table before",
    problem: """
      An earlier migration of the same chain creates the table. CREATE TABLE IF NOT EXISTS then does nothing at \
      all: the columns that are new in it are not added, and columns with another type keep the old one.
      """,
    solution: "Write ALTER TABLE … ADD COLUMN, or ALTER COLUMN … TYPE.",
    firing: [
      [
        "create table desk (id int primary key);",
        "create table if not exists desk (\n  id int primary key,\n  ↓name text\n);",
      ],
      [
        "create table desk (id int primary key, floor int);",
        "create table if not exists public.desk (id int, ↓floor text);",
      ],
    ],
    quiet: [
      ["create table desk (id int);", "alter table desk add column name text;"],
      [
        "create table desk (id int);\nalter table desk add column name text;",
        "create table if not exists desk (id int, name text);",
      ],
      [
        "create table desk (id int);", "drop table desk;",
        "create table if not exists desk (id int, name text);",
      ],
      [
        "create table desk (id int);", "create table if not exists desk (id int, name text);",
        "alter table desk add column name text;",
      ],
    ]
  ) { chain in
    var tables: [ObjectName: [String: String]] = [:]
    var findings: [(table: ObjectName, column: String, finding: Finding)] = []
    for step in chain.steps where chain.runsWhileMigrating(step.context) && !step.isDynamic {
      switch step.type {
      case "CreateStmt":
        guard let name = ObjectName(relation: step.fields["relation"])?.qualified else { continue }
        let columns = (step.fields["tableElts"]?.array ?? []).compactMap { $0["ColumnDef"] }
        if step.flag("if_not_exists"), let known = tables[name] {
          findings += lost(columns, of: name, beside: known, step)
        } else {
          tables[name] = Dictionary(
            columns.map { ($0["colname"]?.string ?? "", typeName($0)) },
            uniquingKeysWith: { first, _ in first })
          // A table made from another has columns that are not written here.
          if step.fields["inhRelations"] != nil
            || step.fields["tableElts"]?.text().contains("TableLikeClause") == true
          {
            tables[name] = nil
          }
        }
      case "AlterTableStmt":
        guard let name = ObjectName(relation: step.fields["relation"])?.qualified else { continue }
        for command in (step.fields["cmds"]?.array ?? []).compactMap({ $0["AlterTableCmd"] }) {
          alter(&tables[name], command)
          if let added = command["def"]?["ColumnDef"]?["colname"]?.string {
            findings.removeAll { $0.table == name && $0.column == added }
          }
        }
      case "RenameStmt", "AlterObjectSchemaStmt", "DropStmt":
        forget(step, &tables)
      default: continue
      }
    }
    return findings.map(\.finding)
  }

  private static func lost(
    _ columns: [JSON], of table: ObjectName, beside known: [String: String], _ step: Step
  ) -> [(ObjectName, String, Finding)] {
    columns.compactMap { column in
      let name = column["colname"]?.string ?? ""
      let type = typeName(column)
      guard known[name] != type else { return nil }
      let finding = Finding(
        site: step.site(of: column),
        message: known[name].map { "column \(name) of \(table) stays \($0): the table exists already" }
          ?? "column \(name) is never added to \(table): the table exists already",
        hint: known[name] == nil
          ? "write alter table \(table) add column \(name) \(type)"
          : "write alter table \(table) alter column \(name) type \(type)")
      return (table, name, finding)
    }
  }

  private static func alter(_ columns: inout [String: String]?, _ command: JSON) {
    let column = command["def"]?["ColumnDef"]
    switch command["subtype"]?.string {
    case "AT_AddColumn":
      if let column, let name = column["colname"]?.string { columns?[name] = typeName(column) }
    case "AT_DropColumn": columns?[command["name"]?.string ?? ""] = nil
    case "AT_AlterColumnType":
      if let column, let name = command["name"]?.string { columns?[name] = typeName(column) }
    default: break
    }
  }

  private static func forget(_ step: Step, _ tables: inout [ObjectName: [String: String]]) {
    if let name = ObjectName(relation: step.fields["relation"])?.qualified { tables[name] = nil }
    for object in step.fields["objects"]?.array ?? [] {
      if let name = ObjectName(names: object.list)?.qualified { tables[name] = nil }
    }
  }

  /// A type as it is written, without `pg_catalog`; serial types as the integers they are.
  private static func typeName(_ column: JSON) -> String {
    let type = column["typeName"]
    var name = (type?["names"]?.array ?? []).compactMap(\.nodeString).filter { $0 != "pg_catalog" }
      .joined(separator: ".")
    name = ["serial": "int4", "bigserial": "int8", "smallserial": "int2"][name] ?? name
    name = ["int4": "integer", "int8": "bigint", "int2": "smallint", "bool": "boolean"][name] ?? name
    return name + String(repeating: "[]", count: type?["arrayBounds"]?.array?.count ?? 0)
  }
}
