import Diagnostics
import JSONValues

extension Rule {
  static let guardedCreate = Rule(
    id: "lint.guarded-create", severity: .error,
    summary: "IF NOT EXISTS (SELECT …) THEN CREATE … keeps whatever is there under that name",
    problem: """
      A catalog query in front of a CREATE is IF NOT EXISTS written out: it compares a name, and where one is \
      found, the migration does nothing and is recorded as applied. A query that finds the wrong thing (a table \
      of that name in another schema) is as silent. The other way round, IF EXISTS (…) THEN ALTER, nothing happens \
      on a database where the name is another.
      """,
    solution: """
      Write the statement plainly and let it fail. Where two states really have to be told apart, raise an \
      exception in the branch that was not foreseen. Roles and extensions live outside the migration, so a guard \
      in front of them is only a warning or nothing.
      """,
    firing: [
      """
      do $$ begin
        ↓if not exists (select 1 from pg_type where typname = 'mood') then
          create type mood as enum ('ok');
        end if;
      end $$;
      """,
      "do $$ begin\n  ↓if to_regclass('public.desk') is null then create table desk (id int); end if;\nend $$;",
      "do $$ begin\n  ↓if exists (select from information_schema.columns) then alter table desk drop column a; end if;\nend $$;",
      """
      do $$ begin
        ↓if not exists (select from pg_constraint where conname = 'c') then
          execute format('alter table %I add constraint c check (true)', 'desk');
        end if;
      end $$;
      """,
    ],
    quiet: [
      "do $$ begin\n  if not exists (select from pg_type) then raise exception 'no types'; end if;\nend $$;",
      "do $$ begin\n  if (select count(*) from desk) > 0 then raise exception 'rows'; end if;\nend $$;",
      """
      do $$ begin
        if exists (select from pg_available_extensions where name = 'pg_cron') then
          create extension pg_cron;
        end if;
      end $$;
      """,
      """
      create function tidy() returns void language plpgsql as $$ begin
        if exists (select from desk) then delete from desk; end if;
      end $$;
      """,
    ]
  ) { chain in
    chain.branches.compactMap { branch in
      guard let condition = branch.condition.map(CatalogCondition.init), condition.asksCatalog,
        !condition.isAboutExtensions
      else { return nil }
      let definitions = branch.statementTypes.filter(isDefinition)
      guard let first = definitions.first else { return nil }
      let creates = definitions.contains { $0.hasPrefix("Create") || $0 == "IndexStmt" || $0 == "ViewStmt" }
      let isMissing = condition.isNegated && (creates || first == "AlterTableStmt")
      let isError = isMissing && !condition.isAboutRoles && chain.runsWhileMigrating(branch.context)
      return Finding(
        site: branch.site,
        message: isMissing
          ? "what exists under that name stays as it is, whatever it is"
          : "this does nothing where the catalog says otherwise, and the migration counts as applied",
        hint: "write the statement plainly, or raise an exception in the other branch",
        severity: isError ? nil : .warning)
    }
  }

  private static func isDefinition(_ type: String) -> Bool {
    type.hasPrefix("Create") && type != "CreateExtensionStmt" || type.hasPrefix("Alter")
      || ["DropStmt", "IndexStmt", "ViewStmt", "RenameStmt", "GrantStmt", "RuleStmt"].contains(type)
  }
}

/// What an IF asks.
private struct CatalogCondition {
  private(set) var asksCatalog = false
  private(set) var isNegated = false
  private(set) var isAboutRoles = false
  private(set) var isAboutExtensions = false

  init(_ tree: JSON) {
    tree.walk { name, node in
      switch name {
      case "RangeVar":
        guard let table = ObjectName(relation: node) else { return }
        let isCatalog =
          table.schema == "pg_catalog" || table.schema == "information_schema"
          || (table.schema == nil && table.name.hasPrefix("pg_"))
        asksCatalog = asksCatalog || isCatalog
        isAboutRoles = isAboutRoles || ["pg_roles", "pg_authid", "pg_user"].contains(table.name)
        isAboutExtensions =
          isAboutExtensions || table.name.hasSuffix("_extension") || table.name.hasSuffix("_extensions")
      case "FuncCall":
        let function = ObjectName(names: node["funcname"]?.array)?.name ?? ""
        asksCatalog = asksCatalog || function.hasPrefix("to_reg")
      case "BoolExpr": isNegated = isNegated || node["boolop"]?.string == "NOT_EXPR"
      case "NullTest": isNegated = isNegated || node["nulltesttype"]?.string == "IS_NULL"
      default: break
      }
    }
  }
}
