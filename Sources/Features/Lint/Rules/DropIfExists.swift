import Diagnostics
import JSONValues

extension Rule {
  static let dropIfExists = Rule(
    id: "lint.drop-if-exists", severity: .error,
    summary: "DROP … IF EXISTS without a reason does nothing where the name is another",
    problem: """
      A misspelt name, a policy on another table, a function with other arguments: DROP … IF EXISTS reports success \
      and what should be gone stays. For a policy or a grant that is a hole left open. Where the same file creates \
      the object again right after, that CREATE would fail loudly, so there it is only a warning.
      """,
    solution: """
      Write a plain DROP: what the chain has created exists. Where it may be missing for a reason, say the reason \
      in a comment of at least three words, right above the statement or on its line; a row of drops under one \
      comment shares it.
      """,
    firing: [
      "↓drop table if exists desk;",
      "create table desk (id int);\nalter table desk ↓drop column if exists label;",
      "do $$ begin\n  ↓drop policy if exists \"own rows\" on desk;\nend $$;",
      "↓drop function if exists price(int);\ncreate function price(n int) returns int language sql as 'select n';",
    ],
    quiet: [
      "drop table desk;",
      "-- hosted has it from the dashboard, the others never did\ndrop table if exists desk;\ndrop table if exists chair;",
      "drop index if exists desk_label; -- only made by the tool before this one",
      "drop extension if exists pg_trgm;",
      "create function scratch() returns void language plpgsql as $$ begin drop table if exists batch; end $$;",
    ]
  ) { chain in
    var findings: [Finding] = []
    let created = CreatedNames(chain)
    var explained: Set<[Int]> = []
    for step in chain.steps where chain.runsWhileMigrating(step.context) {
      for (site, kind, names) in drops(step) {
        let script = chain.scripts[step.file]
        let first = script.line(byte: site.offset)
        let lines = Set([script.line(byte: step.start), first])
        let hasReason = lines.contains { line in
          chain.explainedLines[step.file].contains(line) || chain.explainedLines[step.file].contains(line - 1)
            || explained.contains([step.file, line - 1])
        }
        guard !hasReason else {
          explained.insert([
            step.file, script.line(byte: step.text.outer(max(0, step.text.range.upperBound - 1))),
          ])
          continue
        }
        let replaced = !names.isEmpty && names.allSatisfy { created.contains($0, after: step) }
        findings.append(
          Finding(
            site: site,
            message: "nothing happens here where \(kind) \(names.joined(separator: ", ")) does not exist",
            detail: replaced ? "this file creates it again, which fails where the drop has missed it" : nil,
            hint: "write it without if exists, or give the reason in a comment above it",
            severity: replaced || step.isDynamic ? .warning : nil))
      }
    }
    return findings
  }

  /// What a statement drops only if it is there, with the last part of each name.
  private static func drops(_ step: Step) -> [(site: Site, kind: String, names: [String])] {
    switch step.type {
    case "DropStmt":
      let kind = step.fields["removeType"]?.string ?? ""
      guard step.flag("missing_ok"), kind != "OBJECT_EXTENSION" else { return [] }
      let names = (step.fields["objects"]?.array ?? []).map { object -> String in
        let parts =
          object["ObjectWithArgs"]?["objname"]?.array ?? object["TypeName"]?["names"]?.array ?? object.list
        return ObjectName(names: parts)?.name ?? object.nodeString ?? ""
      }
      return [(step.site, words(kind), names)]
    case "DropRoleStmt", "DropdbStmt", "DropUserMappingStmt", "DropTableSpaceStmt", "DropSubscriptionStmt":
      return step.flag("missing_ok") ? [(step.site, "the object", [])] : []
    case "AlterTableStmt":
      let commands = (step.fields["cmds"]?.array ?? []).compactMap { $0["AlterTableCmd"] }
      let conditional = commands.filter {
        ["AT_DropColumn", "AT_DropConstraint"].contains($0["subtype"]?.string)
          && $0["missing_ok"]?.bool == true
      }
      return conditional.enumerated().map { number, command in
        let kind = command["subtype"]?.string == "AT_DropColumn" ? "column" : "constraint"
        let site =
          [["drop", kind, "if"], ["drop", "if"]].lazy
          .map { step.site(ofWords: $0, number: number) }.first { $0 != step.site } ?? step.site
        return (site, kind, [command["name"]?.string ?? ""])
      }
    default: return []
    }
  }

  private static func words(_ kind: String) -> String {
    let name = kind.hasPrefix("OBJECT_") ? String(kind.dropFirst("OBJECT_".count)) : kind
    return ["MATVIEW": "materialized view", "EVENT_TRIGGER": "event trigger"][name] ?? name.lowercased()
  }
}

/// What each file makes, by the last part of its name.
private struct CreatedNames {
  private struct Key: Hashable {
    let file: Int
    let name: String
  }

  private var last: [Key: Int] = [:]

  init(_ chain: Chain) {
    for step in chain.steps {
      for name in Self.names(step) { last[Key(file: step.file, name: name)] = step.order }
    }
  }

  /// Whether the same file makes something of that name in this statement or later on.
  func contains(_ name: String, after drop: Step) -> Bool {
    last[Key(file: drop.file, name: name)].map { $0 >= drop.order } ?? false
  }

  private static func names(_ step: Step) -> [String] {
    let fields = step.fields
    let name: String? =
      switch step.type {
      case "CreatePolicyStmt": fields["policy_name"]?.string
      case "CreateFunctionStmt": ObjectName(names: fields["funcname"]?.array)?.name
      case "CreateStmt": fields["relation"]?["relname"]?.string
      case "ViewStmt": fields["view"]?["relname"]?.string
      case "CreateTableAsStmt": fields["into"]?["rel"]?["relname"]?.string
      case "CreateTrigStmt": fields["trigname"]?.string
      case "IndexStmt": fields["idxname"]?.string
      case "CreateEnumStmt": ObjectName(names: fields["typeName"]?.array)?.name
      case "CompositeTypeStmt": fields["typevar"]?["relname"]?.string
      case "CreateSeqStmt": fields["sequence"]?["relname"]?.string
      case "CreateSchemaStmt": fields["schemaname"]?.string
      case "CreateDomainStmt": ObjectName(names: fields["domainname"]?.array)?.name
      case "RuleStmt": fields["rulename"]?.string
      case "CreatePublicationStmt": fields["pubname"]?.string
      default: nil
      }
    guard step.type == "AlterTableStmt" else { return name.map { [$0] } ?? [] }
    return (fields["cmds"]?.array ?? []).compactMap {
      let definition = $0["AlterTableCmd"]?["def"]
      return definition?["Constraint"]?["conname"]?.string ?? definition?["ColumnDef"]?["colname"]?.string
    }
  }
}
