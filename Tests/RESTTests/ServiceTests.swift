import Gateway
import JSONValues
import Postgres
import Testing

@testable import REST

@Suite(.serialized) struct ServiceTests {
  private let library: Library

  init() throws { library = try Library() }

  // MARK: - Reading

  @Test func `rows come as the server writes them, columns first and embeds after`() {
    let answer = library.ask("GET", "/books?select=id,authors(name),title&order=id&limit=2")

    #expect(answer.status == 200)
    #expect(
      answer.text == """
        [{"id":1,"title":"Engines","authors":{"name": "Ada"}}, 
         {"id":2,"title":"Notes","authors":{"name": "Ada"}}]
        """)
    #expect(answer[header: "Content-Range"] == "0-1/*")
    #expect(answer[header: "Content-Type"] == "application/json; charset=utf-8")
  }

  @Test func `relationships are found forwards, backwards, over a junction and through a view`() {
    func names(_ target: String) -> String { library.ask("GET", target).text }
    #expect(names("/authors?id=eq.2&select=books(title)") == #"[{"books":[{"title": "Sailing"}]}]"#)
    #expect(names("/books?id=eq.3&select=readers(name)") == #"[{"readers":[{"name": "Cy"}]}]"#)
    #expect(names("/old_books?id=eq.3&select=authors(name)") == #"[{"authors":{"name": "Bob"}}]"#)
    #expect(names("/authors?id=eq.2&select=initials") == #"[{"initials":"B"}]"#)
    #expect(
      names("/books?id=eq.3&select=title,...authors(author:name)") == #"[{"title":"Sailing","author":"Bob"}]"#
    )
    #expect(names("/authors?select=name&books.title=eq.Sailing&select=name") != "")
    #expect(names("/authors?select=name,books!inner()&books.title=eq.Sailing") == #"[{"name":"Bob"}]"#)
  }

  @Test func `counts, ranges and their statuses`() {
    let exact = library.ask("GET", "/books?limit=2", ["prefer": "count=exact"])
    #expect(exact.status == 206)
    #expect(exact[header: "Content-Range"] == "0-1/3")
    #expect(exact[header: "Preference-Applied"] == "count=exact")
    #expect(library.ask("GET", "/books?offset=9", ["prefer": "count=exact"]).status == 416)
    #expect(library.ask("GET", "/books?limit=-1").code == "PGRST103")
    #expect(library.ask("GET", "/books?select=id", ["range": "1-1"]).json?.array?.count == 1)
  }

  @Test func `other forms of the body`() {
    #expect(
      library.ask("GET", "/readers?order=id", ["accept": "text/csv"]).text == "id,name\n1,Cy\n2,Di")
    let object = ["accept": "application/vnd.pgrst.object+json"]
    #expect(library.ask("GET", "/readers?id=eq.1", object).text == #"{"id":1,"name":"Cy"}"#)
    #expect(library.ask("GET", "/readers", object).code == "PGRST116")
    #expect(library.ask("GET", "/readers", ["accept": "image/png"]).code == "PGRST107")
  }

  // MARK: - Writing

  @Test func `an insert gives back what was asked for`() {
    let row = #"{"title":"Kites","pages":7}"#
    let full = library.ask(
      "POST", "/books?select=title,pages", ["prefer": "return=representation"], row, as: "authenticated")
    #expect(full.status == 201)
    #expect(full.text == #"[{"title":"Kites","pages":7}]"#)
    let twice = library.ask("POST", "/books", [:], row, as: "authenticated")
    #expect(twice.status == 409)
    #expect(twice.code == "23505")
    let located = library.ask(
      "POST", "/authors", ["prefer": "return=headers-only"], #"{"name":"Eve"}"#, as: "service_role")
    #expect(located[header: "Location"] == "/authors?id=eq.3")
  }

  @Test func `upserts merge or ignore`() {
    func upsert(_ resolution: String, _ body: String) -> Answered {
      library.ask(
        "POST", "/readers", ["prefer": "resolution=\(resolution),return=representation"], body,
        as: "service_role")
    }
    let body = #"[{"id":1,"name":"Cyd"},{"id":9,"name":"Flo"}]"#
    #expect(upsert("merge-duplicates", body).status == 201)
    #expect(upsert("merge-duplicates", body).status == 200)
    #expect(upsert("ignore-duplicates", body).text == "[]")
    #expect(
      library.ask("PUT", "/readers?id=eq.9", [:], #"{"id":8,"name":"x"}"#, as: "service_role").code
        == "PGRST115")
    #expect(
      library.ask("PUT", "/readers?id=eq.9", [:], #"{"id":9,"name":"x"}"#, as: "service_role").status == 204)
  }

  @Test func `what a check refuses is undone`() {
    let object = ["accept": "application/vnd.pgrst.object+json", "prefer": "return=representation"]
    let many = library.ask("PATCH", "/books?id=gt.0", object, #"{"pages":1}"#, as: "service_role")
    #expect(many.code == "PGRST116")
    let strict = ["prefer": "handling=strict,max-affected=1"]
    #expect(library.ask("DELETE", "/loans?book_id=gt.0", strict, as: "service_role").code == "PGRST124")
    #expect(library.ask("GET", "/books?pages=eq.1").text == "[]")
    #expect(library.ask("GET", "/loans?select=count").text == #"[{"count":3}]"#)
  }

  @Test func `a write without a filter is refused where that is asked for`() throws {
    let careful = try Library { $0.refusesUnfilteredWrites = true }
    #expect(careful.ask("DELETE", "/loans", as: "service_role").code == "21000")
    #expect(careful.ask("PATCH", "/loans", [:], #"{"book_id":1}"#, as: "service_role").status == 400)
    #expect(careful.ask("DELETE", "/loans?book_id=eq.3", as: "service_role").status == 204)
  }

  // MARK: - Calling

  @Test func `functions are found by their arguments`() {
    #expect(library.ask("GET", "/rpc/add?a=1", as: "service_role").text == "11")
    #expect(library.ask("POST", "/rpc/add", [:], #"{"a":1,"b":2}"#, as: "service_role").text == "3")
    #expect(library.ask("GET", "/rpc/total?v=1&v=2&v=3", as: "service_role").text == "6")
    #expect(library.ask("POST", "/rpc/whole", [:], #"{"x":[1]}"#, as: "service_role").text == #"{"x":[1]}"#)
    #expect(
      library.ask("GET", "/rpc/books_by?author=Ada&select=title&pages=gt.150", as: "service_role").text
        == #"[{"title":"Engines"}]"#)
    let missing = library.ask("GET", "/rpc/ad?a=1")
    #expect(missing.code == "PGRST202")
    #expect(library.ask("PATCH", "/rpc/add").code == "PGRST101")
  }

  @Test func `functions can answer for themselves`() {
    let refused = library.ask("POST", "/rpc/refuse", as: "service_role")
    #expect(refused.status == 402)
    #expect(refused.text == #"{"code":"PT402","details":"d","hint":"h","message":"Payment required"}"#)
    let told = library.ask("POST", "/rpc/tell", as: "service_role")
    #expect(told.status == 418)
    #expect(told[header: "x-tea"] == "green")
  }

  // MARK: - Callers

  @Test func `the token's role and claims reach the database`() {
    let claims = library.ask("GET", "/rpc/claims", as: "authenticated").json
    #expect(claims?["role"]?.string == "authenticated")
    #expect(library.ask("GET", "/rpc/claims").text == #"{"role":"anon"}"#)
  }

  @Test func `a refusal is 401 for anon and 403 for the signed in`() {
    let anonymous = library.ask("POST", "/readers", [:], #"{"id":5,"name":"x"}"#)
    #expect(anonymous.status == 401)
    #expect(anonymous.code == "42501")
    #expect(anonymous[header: "WWW-Authenticate"] == "Bearer")
    let forbidden = library.ask(
      "POST", "/books", [:], #"{"title":"x","owner":"00000000-0000-0000-0000-00000000000b"}"#,
      as: "authenticated")
    #expect(forbidden.status == 403)
    #expect(library.ask("GET", "/books", as: "nobody_at_all").status == 401)
    #expect(library.ask("GET", "/books", ["authorization": "Bearer x"]).code == "PGRST301")
    let old = library.token(["role": "anon", "exp": 1])
    #expect(library.ask("GET", "/books", ["authorization": "Bearer \(old)"]).code == "PGRST303")
  }

  @Test func `unknown names are refused with the nearest one`() {
    let answer = library.ask("GET", "/bookz")
    #expect(answer.status == 404)
    #expect(answer.json?["hint"]?.string == "Perhaps you meant the table 'public.books'")
    #expect(library.ask("GET", "/books/").code == "PGRST125")
    #expect(library.ask("GET", "/books", ["accept-profile": "auth"]).code == "PGRST106")
    #expect(library.ask("POST", "/books", [:], #"{"nope":1}"#, as: "service_role").code == "PGRST204")
  }

  // MARK: - Together

  @Test func `reads that are answered together are answered as each by itself`() throws {
    let responder = library.service.responder()
    func request(_ query: String, _ path: String = "/books") -> HTTPRequest {
      HTTPRequest(method: "GET", path: path, query: query, headers: [HTTPHeader("prefer", "count=exact")])
    }
    let requests = [
      request("select=title&order=id"), request("select=nope"), request("id=eq.2&select=authors(name)"),
      request("", "/nowhere"), request("title=eq.%00"), request("select=title&order=id"),
    ]
    let alone = requests.map { Answered(responder.respond(to: $0)) }

    let together = responder.respond(toAll: requests).map { Answered($0) }

    #expect(together.map(\.status) == alone.map(\.status))
    #expect(together.map(\.text) == alone.map(\.text))
    #expect(together.map { $0[header: "Content-Range"] } == alone.map { $0[header: "Content-Range"] })
    #expect(alone.map(\.status) == [200, 400, 200, 404, 400, 200])
  }

  @Test func `answers given together keep callers apart`() throws {
    let responder = library.service.responder()
    func request(_ role: String) -> HTTPRequest {
      HTTPRequest(
        method: "GET", path: "/rpc/claims",
        headers: [HTTPHeader("authorization", "Bearer " + library.token(["role": .string(role)]))])
    }
    let own = HTTPRequest(method: "GET", path: "/books", query: "select=id&owner=not.is.null")
    var requests = [own, request("authenticated"), own]
    requests[2].headers = [
      HTTPHeader("authorization", "Bearer " + library.token(["role": "authenticated", "exp": 1]))
    ]
    _ = responder.respond(to: own)

    let answers = responder.respond(toAll: requests).map { Answered($0) }

    #expect(answers.map(\.status) == [200, 200, 401])
    #expect(answers[1].json?["role"]?.string == "authenticated")
  }

  // MARK: - Changes

  @Test func `a table made later is served after a notification`() throws {
    library.service.startListening()
    defer { library.service.stop() }
    #expect(library.ask("GET", "/later", as: "service_role").code == "PGRST205")

    try library.database.connect().run(
      script: "create table later (id int); grant select on later to service_role; notify pgrst")

    let patience = ContinuousClock.now + .seconds(10)
    while library.ask("GET", "/later", as: "service_role").status != 200, ContinuousClock.now < patience {}
    #expect(library.ask("GET", "/later", as: "service_role").text == "[]")
  }

  @Test func `a changed table does not trip over statements prepared before`() throws {
    let responder = library.service.responder()
    func ask() -> Int {
      Answered(responder.respond(to: .init(method: "GET", path: "/readers", query: "order=id"))).status
    }
    #expect(ask() == 200)

    try library.database.connect().run(script: "alter table readers add column age int")
    try library.service.reload()

    #expect(ask() == 200)
  }

  @Test func `a session that was lost while idle is opened again`() throws {
    let responder = library.service.responder()
    func ask() -> Int {
      Answered(responder.respond(to: .init(method: "GET", path: "/readers", query: ""))).status
    }
    #expect(ask() == 200)

    try library.database.connect(as: "supabase_admin").run(
      script: "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator'")

    #expect(ask() == 200)
  }
}
