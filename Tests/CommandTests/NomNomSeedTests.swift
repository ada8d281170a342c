import Diagnostics
import Postgres
import SQLSyntax
import Support
import Testing

/// The sample data: what it promises, that it stays as promised, and that it leaves what is not its own alone.
@Suite struct NomNomSeedTests {
  private let database: NomNomDatabase
  private let db: Connection

  init() throws {
    database = try NomNomDatabase()
    db = try database.scratch.connect()
  }

  @Test func `keeps its promises`() throws {
    try seed()

    let verdicts = try promises()
    #expect(verdicts.filter { !$0.holds } == [])
    #expect(verdicts.count > 30)
  }

  @Test func `running twice changes no row`() throws {
    try seed()
    let first = try contents()

    try seed()

    #expect(try contents() == first)
  }

  @Test func `a row edited or deleted by hand comes back`() throws {
    try seed()
    let first = try contents()
    try db.run(
      script: """
        update public.dishes set name = 'x', tags = '{}' where owner_id = (select min(owner_id::text)::uuid from public.dishes);
        update public.recipes set steps = '{x}', minutes = 1;
        update public.meals set eaten_on = '2001-01-01', notes = 'x' where eaten_on < current_date - 60;
        update public.meal_ratings set reaction = 0;
        update public.notifications set read_at = now(), body = 'x';
        update public.meal_invites set invitee_id = null where invitee_email = 'jonas@foodlog.test';
        update public.profiles set display_name = 'x';
        update public.parties set held_on = '2001-01-01';
        update auth.users set encrypted_password = 'x', last_sign_in_at = now();
        delete from public.party_members where person_id <> (select min(id::text)::uuid from public.profiles);
        delete from public.meals where photo_path is null and eaten_on > current_date - 30;
        delete from auth.users where email = 'mateo@foodlog.test';
        """)

    try seed()

    #expect(try contents() == first)
  }

  @Test func `two dishes that traded names get their own back`() throws {
    try seed()
    let first = try contents()
    try db.run(
      script: """
        update public.dishes set normalized_name = 'aside' where normalized_name = 'lasagne';
        update public.dishes set normalized_name = 'lasagne' where normalized_name = 'pad thai';
        update public.dishes set normalized_name = 'pad thai' where normalized_name = 'aside';
        """)

    try seed()

    #expect(try contents() == first)
  }

  @Test func `a later day moves the rows and adds none`() throws {
    try seed(on: "2027-02-24")
    let counts = try rowCounts()
    let ids = try db.rows("select id from public.meals order by id")

    for day in 25...31 {
      let date = day <= 28 ? "2027-02-\(day)" : "2027-03-0\(day - 28)"
      try seed(on: date)

      #expect(try rowCounts() == counts)
      #expect(try db.rows("select id from public.meals order by id") == ids)
      #expect(try promises(on: date).filter { !$0.holds } == [])
    }
  }

  @Test func `what people made themselves stays`() throws {
    try seed()
    let first = try contents()
    try db.run(
      script: """
        insert into auth.users (id, aud, email) values ('ac700000-0000-4000-8000-000000000001', 'authenticated', 'granny@elsewhere.test');
        insert into public.dishes (id, owner_id, name, normalized_name)
          values ('ac700000-0000-4000-8000-000000000003', 'ac700000-0000-4000-8000-000000000001', 'Pie', 'pie');
        insert into public.meals (id, dish_id, created_by) values ('ac700000-0000-4000-8000-000000000004',
          'ac700000-0000-4000-8000-000000000003', 'ac700000-0000-4000-8000-000000000001');
        insert into public.meal_invites (meal_id, inviter_id, invitee_email) values
          ('ac700000-0000-4000-8000-000000000004', 'ac700000-0000-4000-8000-000000000001', 'cook@foodlog.test');
        """)
    let own = try ownContents()
    // Account, profile, dish, meal, invite; what the cook is told, and the two she is told herself.
    #expect(own.count == 8)

    try seed()

    #expect(try ownContents() == own)
    // The seeded invites that waited for her address are hers now.
    #expect(try contents().count == first.count)
    #expect(try promises().filter { !$0.holds } == [])
  }

  @Test func `a verdict and an invite made in a seeded one's place give way to it`() throws {
    try seed()
    let first = try contents()
    try db.run(
      script: """
        delete from public.meal_ratings where rater_id is not null;
        insert into public.meal_ratings (meal_id, rater_id, reaction) select id, created_by, 0 from public.meals;
        delete from public.meal_invites where invitee_email = 'jonas@foodlog.test';
        insert into public.meal_invites (meal_id, inviter_id, invitee_email)
          select id, created_by, 'jonas@foodlog.test' from public.meals where created_by::text like '%-000000000001';
        update public.party_invites set status = 'accepted';
        """)

    try seed()

    let restored = try contents()
    #expect(Set(first).isSubset(of: restored))
    #expect(try promises().filter { !$0.holds } == [])
  }

  @Test func `a promise that is broken is noticed`() throws {
    try seed()
    let damage = [
      "exactly one meal has no verdict":
        "delete from public.meal_ratings where meal_id = (select meal_id from public.meal_ratings limit 1)",
      "fredagstacos is for fridays": "update public.meals set eaten_on = eaten_on - 1",
      "40 recipes": "delete from public.recipes where minutes > 1000",
      "5 parties": "delete from public.parties where held_on is not null",
      "58 meals": "delete from public.meals where notes like 'Nils%'",
      "every account can sign in with the password":
        "update auth.users set encrypted_password = 'x' where email like 'hana%'",
      "no account holds a null the auth service can't read": "update auth.users set email_change = null",
      "the first account has something to read": "update public.notifications set read_at = now()",
      "meals fill about six months and end within the last week":
        "update public.meals set eaten_on = eaten_on + 30",
    ]
    for (promise, sql) in damage {
      try db.run("begin")
      try db.run(script: sql)
      let broken = try promises().filter { !$0.holds }.map(\.check)
      try db.run("rollback")

      #expect(broken.contains(promise), "\(broken)")
    }
  }

  @Test func `prints a line for each party`() throws {
    try seed()

    let summary = try Script.parse(NomNomDatabase.file("checks/seed/summary.sql")).statements.flatMap {
      try db.rows(SQL(trusted: $0.text))
    }

    #expect(summary.allSatisfy { $0.columns == ["label", "value"] })
    #expect(summary.map { $0["label"] }.prefix(3) == ["recipes", "meals", "verdicts"])
    #expect(
      summary.dropFirst(3).map { "\($0["label"] ?? ""): \($0["value"] ?? "")" } == [
        "party Fromage et compagnie: 1 member, 1 meal",
        "party Lindqvists at home: 2 members, 4 meals",
        "party Desk lunch: 3 members, 3 meals",
        "party Supper club: 4 members, 4 meals",
        "party Street party: 7 members, 3 meals",
      ])
  }

  // MARK: - Loading and reading

  /// Loads all seed files in one transaction, told from the given day instead of today.
  private func seed(on day: String = "") throws {
    try db.run("select set_config('seed.today', \(day), false)")
    try db.transaction {
      for file in try NomNomDatabase.files(in: "seeds") { try db.run(script: file.text) }
    }
  }

  private func promises(on day: String = "") throws -> [NomNomDatabase.Verdict] {
    try db.run("select set_config('seed.today', \(day), false)")
    return try NomNomDatabase.verdicts(
      of: Script.parse(NomNomDatabase.file("checks/seed/verify.sql")), on: db)
  }

  private static let tables = [
    "auth.users", "auth.identities", "public.profiles", "public.eaters", "public.dishes", "public.recipes",
    "public.meals", "public.meal_invites", "public.meal_ratings", "public.notifications", "public.parties",
    "public.party_members", "public.party_invites", "public.meal_parties", "public.device_tokens",
  ]

  /// Every seeded row as text: those whose key begins with 5eed.
  private func contents() throws -> [String] { try rows(seeded: true) }
  /// Every row people made themselves.
  private func ownContents() throws -> [String] { try rows(seeded: false) }

  private func rows(seeded: Bool) throws -> [String] {
    try Self.tables.flatMap { table in
      try db.rows(
        """
        select \(table) || ' ' || t::text from \(trusted: table) t
        where (t::text ~ '^\\((00000000-0000-0000-0000-000000000000,)?5eed') = \(seeded) order by 1
        """
      ).compactMap { $0[0] }
    }
  }

  private func rowCounts() throws -> [String?] {
    try Self.tables.map { try db.value(SQL(trusted: "select count(*) from \($0)")) }
  }
}
