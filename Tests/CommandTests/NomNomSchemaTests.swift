import Diagnostics
import Platform
import Postgres
import SQLSyntax
import Support
import Testing

/// What Nom Nom's database lets people do: Fixtures/nomnom_access.sql asks, these tests judge the answers.
@Suite struct NomNomSchemaTests {
  private static let access = Result {
    Script.parse(try NomNomDatabase.file("Tests/CommandTests/Fixtures/nomnom_access.sql"))
  }

  @Test(arguments: GrantProfile.allCases)
  func `holds every access check under both grant profiles`(grants: GrantProfile) throws {
    let database = try NomNomDatabase(grants: grants)
    let db = try database.scratch.connect()

    let verdicts = try checks(on: db)

    #expect(verdicts.filter { !$0.holds } == [])
    #expect(verdicts.count >= 300)
    let numbers = Set(verdicts.compactMap { Int($0.check.prefix { $0.isNumber }) })
    #expect(numbers == Set(1...33))
  }

  @Test func `every way of breaking the schema is noticed by the check that is for it`() throws {
    let database = try NomNomDatabase()
    let db = try database.scratch.connect(as: "supabase_admin")
    let mutations = try Mutation.all()

    for mutation in mutations {
      let failing = try checks(on: db, after: mutation.sql, upTo: mutation.check)
        .filter { !$0.holds }.map(\.check)

      #expect(failing.contains(mutation.check), "not noticed: \(mutation.sql)")
    }

    #expect(mutations.count >= 80)
  }

  @Test func `both grant profiles end in the same privileges`() throws {
    let states = try GrantProfile.allCases.map { grants in
      let database = try NomNomDatabase(grants: grants)
      return try database.scratch.connect().rows(
        """
        select d.defaclnamespace::regnamespace, d.defaclobjtype, d.defaclacl::text
        from pg_default_acl d where d.defaclrole = 'postgres'::regrole and d.defaclnamespace <> 'storage'::regnamespace
        union all
        select 'public'::regnamespace, 'r', c.relname || c.relacl::text
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relacl is not null
        order by 1, 2, 3
        """)
    }

    #expect(states[0] == states[1])
    #expect(states[0].count > 13)
  }

  @Test func `sign-up of a person who was invited twice under two addresses succeeds`() throws {
    let database = try NomNomDatabase()
    let db = try database.scratch.connect()
    try db.run(
      script: """
        insert into auth.users (id, aud, email) values
          ('ac700000-0000-4000-8000-000000000001', 'authenticated', 'cook@actors.test'),
          ('ac700000-0000-4000-8000-000000000002', 'authenticated', 'guest@actors.test');
        insert into public.dishes (id, owner_id, name, normalized_name)
          values ('ac700000-0000-4000-8000-000000000003', 'ac700000-0000-4000-8000-000000000001', 'Pie', 'pie');
        insert into public.meals (id, dish_id, created_by) values ('ac700000-0000-4000-8000-000000000004',
          'ac700000-0000-4000-8000-000000000003', 'ac700000-0000-4000-8000-000000000001');
        insert into public.meal_invites (meal_id, inviter_id, invitee_email) values
          ('ac700000-0000-4000-8000-000000000004', 'ac700000-0000-4000-8000-000000000001', 'guest@actors.test'),
          ('ac700000-0000-4000-8000-000000000004', 'ac700000-0000-4000-8000-000000000001', 'new@actors.test');
        """)

    try db.run("update auth.users set email = 'new@actors.test' where email = 'guest@actors.test'")

    #expect(try db.value("select count(*) from public.meal_invites where invitee_id is not null") == "1")
    #expect(try db.value("select count(*) from public.notifications") == "1")
  }

  /// Runs the access checks, after a change to the schema, and takes everything back.
  private func checks(
    on db: Connection, after change: String = "", upTo last: String? = nil
  ) throws -> [NomNomDatabase.Verdict] {
    try db.run("begin")
    defer { _ = try? db.run("rollback") }
    try db.run(script: change + "; set local role postgres")
    // As it stands in the file, where a quote is doubled.
    let written = last?.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    return try NomNomDatabase.verdicts(of: Self.access.get(), upTo: written, on: db)
  }
}

/// One way to break the schema, and the check that must fail for it.
private struct Mutation {
  let check: String
  let sql: String

  static func all() throws -> [Mutation] {
    let text = try NomNomDatabase.file("Tests/CommandTests/Fixtures/nomnom_mutations.sql").text
    let mark = "-- fails: "
    var mutations: [Mutation] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix(mark) {
        mutations.append(Mutation(check: String(line.dropFirst(mark.count)), sql: ""))
      } else if let last = mutations.popLast() {
        mutations.append(Mutation(check: last.check, sql: last.sql + line + "\n"))
      }
    }
    return mutations
  }
}
