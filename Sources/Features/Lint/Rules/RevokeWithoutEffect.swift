import Diagnostics
import JSONValues

extension Rule {
  static let revokeWithoutEffect = Rule(
    id: "lint.revoke-without-effect", severity: .error,
    summary: "a REVOKE that takes nothing away, because the privilege is held in another way",
    problem: """
      Three revokes succeed and change nothing. On columns, while the role holds the privilege on the table. On a \
      function from anon or authenticated, while PUBLIC, which both belong to, may execute it. And ALTER DEFAULT \
      PRIVILEGES IN SCHEMA … REVOKE … FROM PUBLIC: defaults of one schema only add to the general ones, and the \
      EXECUTE of PUBLIC is a general one.
      """,
    solution: """
      Revoke on the table and grant the columns that may be read. Revoke the function from PUBLIC as well. Leave IN \
      SCHEMA out of the default privileges.
      """,
    firing: [
      "create table desk (id int, price int);\n↓revoke select (price) on desk from anon;",
      "create function price() returns int language sql as 'select 1';\n↓revoke execute on function price() from anon, authenticated;",
      "↓alter default privileges in schema public revoke execute on functions from public;",
    ],
    quiet: [
      "create table desk (id int, price int);\nrevoke all on desk from anon;\ngrant select (id, price) on desk to anon;\nrevoke select (price) on desk from anon;",
      "create function price() returns int language sql as 'select 1';\nrevoke all on function price() from public, anon;",
      [
        "create function price() returns int language sql as 'select 1';\nrevoke execute on function price() from anon;",
        "revoke execute on all functions in schema public from public;",
      ],
      "alter default privileges revoke execute on functions from public;",
      "alter default privileges in schema public revoke all on tables from anon;",
      "alter default privileges in schema public revoke execute on functions from public, anon;\nalter default privileges revoke execute on functions from public;",
    ]
  ) { chain in
    let whole = RevokeTargets(chain)
    return chain.steps.compactMap { step in
      guard chain.runsWhileMigrating(step.context), !step.isDynamic else { return nil }
      if step.type == "AlterDefaultPrivilegesStmt" {
        return isDefaultOfSchema(step) && !whole.hasGeneralDefault
          ? Finding(
            site: step.site,
            message: "this takes nothing from PUBLIC: its EXECUTE is not a default of one schema",
            hint: "leave in schema out: alter default privileges revoke execute on functions from public")
          : nil
      }
      guard step.type == "GrantStmt", !step.flag("is_grant") else { return nil }
      return revoke(step, whole)
    }
  }

  private static func revoke(_ step: Step, _ whole: RevokeTargets) -> Finding? {
    let roles = Revokes.roles(step.fields)
    let objects = Revokes.objects(step.fields)
    let isColumns = (step.fields["privileges"]?.array ?? []).contains { $0["AccessPriv"]?["cols"] != nil }
    if isColumns {
      let open = objects.first { object in
        roles.contains { PlatformNames.apiRoles.contains($0) && !whole.contains(object, role: $0) }
      }
      return open.map {
        Finding(
          site: step.site,
          message: "this takes no column of \($0) away from whoever may read the whole table",
          hint: "revoke all on \($0) first, then grant the columns that may be read")
      }
    }
    guard Revokes.kind(step.fields) == .function, !roles.contains("public"),
      !roles.isDisjoint(with: PlatformNames.apiRoles),
      let open = objects.first(where: { !whole.contains($0, role: "public") })
    else { return nil }
    return Finding(
      site: step.site,
      message: "\(open) can still be called: PUBLIC may execute it, and every role belongs to that",
      hint: "revoke all on function \(open) from public as well")
  }

  private static func isDefaultOfSchema(_ step: Step) -> Bool {
    guard let action = step.fields["action"], action["is_grant"]?.bool != true,
      action["objtype"]?.string == "OBJECT_FUNCTION", Revokes.roles(action).contains("public")
    else { return false }
    return (step.fields["options"]?.array ?? []).contains { $0["DefElem"]?["defname"]?.string == "schemas" }
  }
}

/// From whom the chain revokes whole objects.
private struct RevokeTargets {
  private struct Key: Hashable {
    let object: ObjectName
    let role: String
  }

  private var keys: Set<Key> = []
  /// Whether PUBLIC's EXECUTE is taken away by default, in every schema.
  private(set) var hasGeneralDefault = false

  init(_ chain: Chain) {
    for step in chain.steps(of: "GrantStmt") where !step.flag("is_grant") {
      guard !(step.fields["privileges"]?.array ?? []).contains(where: { $0["AccessPriv"]?["cols"] != nil })
      else {
        continue
      }
      let schemas = (step.fields["objects"]?.array ?? []).compactMap(\.nodeString)
      let objects =
        Revokes.objects(step.fields).map(\.qualified) + schemas.map { ObjectName(schema: $0, name: "*") }
      for object in objects {
        for role in Revokes.roles(step.fields) { keys.insert(Key(object: object, role: role)) }
      }
    }
    for step in chain.steps(of: "AlterDefaultPrivilegesStmt") {
      guard let action = step.fields["action"], action["is_grant"]?.bool != true else { continue }
      let isOfSchema = (step.fields["options"]?.array ?? []).contains {
        $0["DefElem"]?["defname"]?.string == "schemas"
      }
      if !isOfSchema, Revokes.roles(action).contains("public") { hasGeneralDefault = true }
    }
  }

  func contains(_ object: ObjectName, role: String) -> Bool {
    if role == "public", hasGeneralDefault { return true }
    return keys.contains(Key(object: object.qualified, role: role))
      || keys.contains(Key(object: ObjectName(schema: object.qualified.schema, name: "*"), role: role))
  }
}
