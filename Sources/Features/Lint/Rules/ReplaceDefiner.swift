import Diagnostics
import JSONValues

extension Rule {
  static let replaceDefiner = Rule(
    id: "lint.replace-definer", severity: .error,
    summary: "CREATE OR REPLACE of a SECURITY DEFINER function keeps the old owner and the old grants",
    problem: """
      A definer function runs with its owner's rights. Where a function of that name exists, OR REPLACE swaps the \
      body and keeps the owner and every grant, also those that nobody remembers: the new, more powerful body can \
      be called by whoever could call the old one.
      """,
    solution: """
      Write CREATE FUNCTION for the first one, which fails where there is one already. Where it has to be replaced, \
      say who may call it: REVOKE ALL ON FUNCTION … FROM PUBLIC, anon, then the grants, in the same chain. A trigger \
      function can't be called from outside, so there a first plain CREATE or an ALTER FUNCTION … OWNER TO is enough.
      """,
    firing: [
      "↓create or replace function wipe() returns void language sql security definer as 'delete from desk';",
      "↓create or replace function seen() returns trigger language plpgsql security definer as $$ begin return new; end $$;",
      """
      do $do$ begin
        ↓create or replace function wipe() returns void language sql security definer as 'delete from desk';
      end $do$;
      """,
    ],
    quiet: [
      "create function wipe() returns void language sql security definer as 'delete from desk';",
      "create or replace function total() returns int language sql as 'select 1';",
      [
        "create or replace function wipe() returns void language sql security definer as 'delete from desk';",
        "revoke all on function public.wipe() from public, anon;",
      ],
      [
        "create function seen() returns trigger language plpgsql security definer as $$ begin return new; end $$;",
        "create or replace function seen() returns trigger language plpgsql security definer as $$ begin return null; end $$;",
      ],
      "drop function wipe();\ncreate or replace function wipe() returns void language sql security definer as 'select 1';",
    ]
  ) { chain in
    let revokes = Revokes(chain)
    let owned = Set(
      chain.steps(of: "AlterOwnerStmt").compactMap {
        ObjectName(names: $0.fields["object"]?["ObjectWithArgs"]?["objname"]?.array)?.qualified
      })
    var made: Set<ObjectName> = []
    var dropped: Set<ObjectName> = []
    var findings: [Finding] = []
    for step in chain.steps {
      if step.type == "DropStmt" {
        // A function that was just dropped is made anew by OR REPLACE.
        for object in step.fields["objects"]?.array ?? [] {
          if let name = ObjectName(names: object["ObjectWithArgs"]?["objname"]?.array) {
            dropped.insert(name.qualified)
          }
        }
      }
      guard step.type == "CreateFunctionStmt",
        let name = ObjectName(names: step.fields["funcname"]?.array)?.qualified
      else { continue }
      let replaces = step.flag("replace") && dropped.remove(name) == nil
      if !replaces { made.insert(name) }
      guard replaces, isDefiner(step.fields), !step.isDynamic else { continue }
      let isTrigger = ObjectName(names: step.fields["returnType"]?["names"]?.array)?.name == "trigger"
      if revokes.cover(name, .function) || (isTrigger && (made.contains(name) || owned.contains(name))) {
        continue
      }
      findings.append(
        Finding(
          site: step.site,
          message:
            "\(name) keeps its owner and its grants where it exists, and runs with that owner's rights",
          hint: isTrigger
            ? "write create function for the first one, or set its owner"
            : "write create function, or revoke all on the function from public, anon after it",
          severity: made.contains(name) ? .warning : nil))
    }
    return findings
  }

  private static func isDefiner(_ function: JSON) -> Bool {
    (function["options"]?.array ?? []).compactMap { $0["DefElem"] }.contains {
      $0["defname"]?.string == "security" && $0["arg"]?["Boolean"]?["boolval"]?.bool == true
    }
  }
}
