import Diagnostics
import JSONValues

extension Rule {
  static let grantWithoutRevoke = Rule(
    id: "lint.grant-without-revoke", severity: .error,
    summary: "a GRANT to anon, authenticated or PUBLIC narrows nothing unless a REVOKE comes first",
    problem: """
      On Supabase a new table in public may come with every privilege for anon and authenticated, and a new \
      function with EXECUTE for PUBLIC. A GRANT adds to that: GRANT SELECT (id, name) … TO anon leaves the whole \
      table readable where the default had given it away, and on a database with other defaults it means what it \
      says. Nothing fails on either.
      """,
    solution: """
      Revoke first, then grant: REVOKE ALL ON desk FROM anon, authenticated; GRANT SELECT ON desk TO authenticated. \
      For a function: REVOKE ALL ON FUNCTION … FROM PUBLIC, anon. A revoke anywhere in the chain counts, and so do \
      ALL TABLES IN SCHEMA and ALTER DEFAULT PRIVILEGES … REVOKE before the object is made. GRANT ALL, grants to \
      other roles, and tables in schemas the chain has created (which have no such defaults) are left alone.
      """,
    firing: [
      "create table desk (id int);\n↓grant select on desk to authenticated;",
      "create table desk (id int, name text);\n↓grant select (id) on public.desk to anon;",
      "create function price() returns int language sql as 'select 1';\n↓grant execute on function price() to authenticated;",
      "do $$ begin\n  ↓grant insert on table desk to anon;\nend $$;",
    ],
    quiet: [
      "create table desk (id int);\nrevoke all on desk from anon, authenticated;\ngrant select on desk to authenticated;",
      [
        "create table desk (id int);\ngrant select on desk to authenticated;",
        "revoke insert on public.desk from authenticated;",
      ],
      "revoke all on all tables in schema public from anon;\ngrant select on desk to authenticated;",
      "alter default privileges in schema public revoke all on tables from anon;\ncreate table desk (id int);\ngrant select on desk to anon;",
      "grant usage on schema public to anon;\ngrant reporting to authenticated;\ngrant all on desk to service_role;",
      "create function price() returns int language sql as 'select 1';\ngrant execute on function price() to anon, authenticated;",
      "create schema private;\ncreate table private.desk (id int);\ngrant select on private.desk to authenticated;",
    ]
  ) { chain in
    let revokes = Revokes(chain)
    let grants = Grants(chain)
    return chain.steps(of: "GrantStmt").compactMap { step in
      guard step.flag("is_grant"), chain.runsWhileMigrating(step.context), !step.isDynamic,
        let privileges = step.fields["privileges"]?.array, !privileges.isEmpty,
        case let roles = Revokes.roles(step.fields).intersection(PlatformNames.apiRoles), !roles.isEmpty
      else { return nil }
      let kind = Revokes.kind(step.fields)
      guard kind == .function || kind == .relation, step.fields["targtype"]?.string == "ACL_TARGET_OBJECT"
      else {
        return nil
      }
      // Whoever lets everybody call a function doesn't mean to narrow anything.
      if kind == .function, roles != ["authenticated"] { return nil }
      let open = Revokes.objects(step.fields).filter { object in
        !(kind == .relation && chain.createdSchemas.contains(object.schema ?? ""))
          && !(object.schema.map(PlatformNames.schemas.contains) ?? false) && !revokes.cover(object, kind)
          && !roles.allSatisfy { grants.giveAll(on: object, to: $0) }
      }
      guard let first = open.first else { return nil }
      let isColumns = privileges.contains { $0["AccessPriv"]?["cols"] != nil }
      return Finding(
        site: step.site,
        message: "this grant on \(first.name) narrows nothing: no revoke takes the default privileges away",
        detail: isColumns ? "a privilege on the whole table makes one on columns mean nothing" : nil,
        hint: kind == .function
          ? "revoke all on function \(first) from public, anon before it"
          : "revoke all on \(first) from anon, authenticated before it")
    }
  }
}

/// What the grants of a chain add up to.
private struct Grants {
  private struct Key: Hashable {
    let object: ObjectName
    let role: String
  }

  private static let everyTablePrivilege: Set = [
    "select", "insert", "update", "delete", "truncate", "references", "trigger",
  ]
  private static let everySequencePrivilege: Set = ["usage", "select", "update"]

  private var privileges: [Key: Set<String>] = [:]

  init(_ chain: Chain) {
    for step in chain.steps(of: "GrantStmt") where step.flag("is_grant") {
      let names = (step.fields["privileges"]?.array ?? []).compactMap { $0["AccessPriv"] }
        .filter { $0["cols"] == nil }.compactMap { $0["priv_name"]?.string }
      for object in Revokes.objects(step.fields) {
        for role in Revokes.roles(step.fields) {
          privileges[Key(object: object.qualified, role: role), default: []].formUnion(names)
        }
      }
    }
  }

  /// Tools that compare schemas write GRANT ALL one privilege at a time.
  func giveAll(on object: ObjectName, to role: String) -> Bool {
    let given = privileges[Key(object: object.qualified, role: role)] ?? []
    return given.isSuperset(of: Self.everyTablePrivilege) || given.isSuperset(of: Self.everySequencePrivilege)
  }
}

/// The revokes of a chain: what they take away, from what.
struct Revokes {
  enum Kind: Hashable { case relation, function, other }

  private struct Target: Hashable {
    let kind: Kind
    /// Nil for everything in the schema.
    let object: ObjectName
  }

  private static let everything = "*"
  private var targets: Set<Target> = []

  init(_ chain: Chain) {
    for step in chain.steps where step.type == "GrantStmt" && !step.flag("is_grant") {
      let kind = Self.kind(step.fields)
      if step.fields["targtype"]?.string == "ACL_TARGET_ALL_IN_SCHEMA" {
        for schema in (step.fields["objects"]?.array ?? []).compactMap(\.nodeString) {
          targets.insert(Target(kind: kind, object: ObjectName(schema: schema, name: Self.everything)))
        }
      } else {
        for object in Self.objects(step.fields) {
          targets.insert(Target(kind: kind, object: object.qualified))
        }
      }
    }
    for step in chain.steps(of: "AlterDefaultPrivilegesStmt") {
      guard let action = step.fields["action"], action["is_grant"]?.bool != true else { continue }
      let schemas = (step.fields["options"]?.array ?? []).compactMap { $0["DefElem"] }
        .first { $0["defname"]?.string == "schemas" }
      // A default of one schema can't take from PUBLIC what it has in general.
      if schemas != nil, Self.kind(action) == .function, Self.roles(action) == ["public"] { continue }
      let names = schemas?["arg"]?.list.compactMap(\.nodeString) ?? [Self.everything]
      for schema in names {
        targets.insert(
          Target(kind: Self.kind(action), object: ObjectName(schema: schema, name: Self.everything)))
      }
    }
  }

  /// Whether any of them takes privileges from this object.
  func cover(_ object: ObjectName, _ kind: Kind) -> Bool {
    let object = object.qualified
    return [
      object, ObjectName(schema: object.schema, name: Self.everything),
      ObjectName(schema: Self.everything, name: Self.everything),
    ].contains { targets.contains(Target(kind: kind, object: $0)) }
  }

  static func kind(_ grant: JSON) -> Kind {
    switch grant["objtype"]?.string {
    case "OBJECT_TABLE", "OBJECT_SEQUENCE", "OBJECT_VIEW", "OBJECT_COLUMN": .relation
    case "OBJECT_FUNCTION", "OBJECT_PROCEDURE", "OBJECT_ROUTINE": .function
    default: .other
    }
  }

  static func objects(_ grant: JSON) -> [ObjectName] {
    (grant["objects"]?.array ?? []).compactMap {
      ObjectName(relation: $0["RangeVar"]) ?? ObjectName(names: $0["ObjectWithArgs"]?["objname"]?.array)
    }
  }

  static func roles(_ grant: JSON) -> Set<String> {
    Set(
      (grant["grantees"]?.array ?? []).compactMap { $0["RoleSpec"] }.map {
        $0["roletype"]?.string == "ROLESPEC_PUBLIC" ? "public" : $0["rolename"]?.string ?? ""
      })
  }
}
