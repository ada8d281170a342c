import Gateway
import Postgres
import SQLSyntax
import Testing

@testable import REST

/// Whatever a client writes, the statement stays the one that was meant.
@Suite(.serialized) struct InjectionTests {
  private static let payloads = [
    "x\"; drop table loot; --", "x'; drop table loot; --", "x\\'; drop table loot; --", "x\"\"; select 1; --",
    "x) ; insert into loot values (1); --", "$1", "$$; drop table loot; $$", "x/*", "*/x", "--",
    "x\n; drop table loot",
    "\u{2019}; drop table loot", "x\u{0}\"; drop table loot", "\"", "\"\"", "'", "''", "\\",
    "%27; drop table loot",
    "1 union select tripwire()", "id, (select tripwire())", "(select tripwire())", "id=tripwire()",
    "E'\\'; drop table loot; --", "U&\"\\0022\"; drop table loot", "pg_sleep(10)", "books; drop table loot",
    "{\"a\",\"b\\\"}; drop table loot", "a b c", "null", "true", "now()", "current_user", "*", "count(*)",
    "id::text; drop table loot", "a->>b'; drop table loot; --", "b\u{FEFF}c\"; drop table loot",
  ]

  /// Where in a request the payload stands; `@` is its place.
  private static let readTargets = [
    "/@", "/books?select=@", "/books?select=a:@", "/books?select=@:title", "/books?select=title::@",
    "/books?select=data->@", "/books?select=data->>@::text", "/books?select=authors!@(name)",
    "/books?select=@(name)", "/books?select=authors(@)", "/books?select=...authors(@)",
    "/books?select=pages.@()", "/books?@=eq.1", "/books?title=eq.@", "/books?title=@", "/books?title=in.(@)",
    "/books?title=in.(\"@\")", "/books?title=like.@", "/books?title=eq(any).@", "/books?title=is.@",
    "/books?title=fts.@", "/books?title=fts(@).x", "/books?title=cs.@", "/books?tags=ov.@",
    "/books?data->@=eq.1", "/books?data->>@=eq.1", "/books?or=(@)", "/books?or=(@.eq.1,id.eq.1)",
    "/books?or=(title.eq.@,id.eq.1)", "/books?not.and=(title.in.(@),id.eq.1)", "/books?order=@",
    "/books?order=title.@", "/books?order=@.desc", "/books?order=authors(@)&select=*,authors(*)",
    "/books?limit=@", "/books?offset=@", "/books?select=*,authors(*)&authors.@=eq.1",
    "/books?select=*,authors(*)&@.name=eq.1", "/books?select=*,authors(*)&authors.order=@",
    "/books?on_conflict=@",
    "/books?columns=@", "/rpc/@", "/rpc/add?a=@", "/rpc/add?@=1", "/rpc/total?v=@&v=1",
    "/rpc/books_by?author=@&select=@",
  ]

  private static let headers = [
    "accept", "accept-profile", "content-profile", "prefer", "range", "authorization", "cookie",
    "content-type",
    "x-anything", "host", "origin",
  ]

  private static func escaped(_ text: String) -> String {
    QueryString.encode(text, isReserved: { _ in true })
  }

  @Test func `no request runs another statement than its own`() throws {
    let library = try Library {
      $0.allowsAggregates = true
      $0.transactionEnd = .rollbackAllowOverride
    }
    let owner = try library.database.connect()
    try owner.run(
      script: """
        create table loot (n int);
        create function tripwire() returns int language plpgsql security definer as
          $$ begin raise exception 'tripwire' using errcode = 'TRIP1'; end $$;
        grant all on loot to public;
        """)
    let before = try state(owner)
    let responder = library.service.responder()
    let token = "Bearer " + library.token(["role": "service_role"])
    func ask(_ method: String, _ target: String, _ fields: [HTTPHeader] = [], _ body: String = "") throws {
      let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
      var headers = [HTTPHeader("prefer", "tx=rollback, return=representation")]
      if !fields.contains(where: { $0.name == "authorization" }) {
        headers.append(HTTPHeader("authorization", token))
      }
      let answer = Answered(
        responder.respond(
          to: HTTPRequest(
            method: method, path: parts[0], query: parts.count > 1 ? parts[1] : "",
            headers: headers + fields, body: Array(body.utf8))))
      // The tripwire is never reached, and the server never breaks.
      #expect(answer.code != "TRIP1", "\(method) \(target)")
      #expect(answer.code != "PGRSTX00", "\(method) \(target)")
    }
    for payload in Self.payloads {
      for target in Self.readTargets {
        try ask(
          "GET",
          target.split(separator: "@", omittingEmptySubsequences: false).joined(
            separator: Self.escaped(payload)))
      }
      for header in Self.headers { try ask("GET", "/books?limit=1", [HTTPHeader(header, payload)]) }
      let quoted =
        "\""
        + payload.unicodeScalars.map {
          $0 == "\"" || $0 == "\\"
            ? "\\\($0)"
            : $0.value < 32 ? "\\u00\($0.value < 16 ? "0" : "")\(String($0.value, radix: 16))" : String($0)
        }.joined() + "\""
      for body in ["{\"title\":\(quoted)}", "{\(quoted):1}", "[{\(quoted):1}]", quoted, payload] {
        try ask("POST", "/books", [], body)
        try ask("POST", "/books?columns=title,\(Self.escaped(payload))", [], body)
        try ask("PATCH", "/books?id=eq.0&title=eq.\(Self.escaped(payload))", [], body)
        try ask("POST", "/rpc/add", [], body)
        try ask("POST", "/rpc/whole", [], body)
      }
      try ask(
        "POST", "/books?on_conflict=\(Self.escaped(payload))",
        [HTTPHeader("prefer", "resolution=merge-duplicates")], "{\"title\":\"x\",\"pages\":1}")
      try ask("DELETE", "/books?\(Self.escaped(payload))=eq.1")
      try ask("POST", "/readers", [HTTPHeader("content-type", "text/csv")], "id,\(payload)\n1,2")
      try ask(
        "POST", "/readers", [HTTPHeader("content-type", "application/x-www-form-urlencoded")],
        "\(Self.escaped(payload))=1")
    }

    #expect(try state(owner) == before)
  }

  /// Tables, their rows, functions and roles: what an injected statement would change.
  private func state(_ connection: Connection) throws -> [String] {
    try connection.rows(
      """
      select 'loot ' || count(*) from loot union all
      select 'book ' || md5(string_agg(b::text, ',' order by id)) from books b union all
      select 'rel ' || string_agg(relname || relkind::text, ',' order by relname) from pg_class
        where relnamespace = 'public'::regnamespace union all
      select 'fn ' || string_agg(proname, ',' order by proname) from pg_proc
        where pronamespace = 'public'::regnamespace
      """
    ).compactMap { $0[0] }
  }

  @Test func `in the statement's text a client's word only ever stands inside quotes`() throws {
    let library = try Library { $0.allowsAggregates = true }
    let cache = try #require(library.service.cache)
    for target in Self.readTargets where target.hasPrefix("/books?") {
      // The shape of the statement with a harmless word, and with each payload.
      for payload in Self.payloads {
        let harmless = shape(target, "harmless", library, cache)
        guard let hostile = shape(target, payload, library, cache) else { continue }
        // A payload that means something (`*`, a list) may change the shape; it must then consist of
        // nothing but names, parameters and the words the builder itself writes.
        if hostile.kinds != harmless?.kinds {
          #expect(!hostile.text.contains(";"), "\(target) with \(payload)")
        }
        #expect(!hostile.hasLooseText, "\(target) with \(payload): \(hostile.text)")
      }
    }
  }

  private struct Shape {
    var kinds: [Token.Kind]
    var text: String
    /// Whether there is a comment, a dollar quotation, an open quote or a second statement.
    var hasLooseText: Bool
  }

  private func shape(_ target: String, _ word: String, _ library: Library, _ cache: SchemaCache) -> Shape? {
    let query = target.dropFirst("/books?".count).split(separator: "@", omittingEmptySubsequences: false)
      .joined(separator: Self.escaped(word))
    let http = HTTPRequest(method: "GET", path: "/books", query: query)
    guard let request = try? APIRequest(http, library.service.configuration, timezones: []),
      let node = try? ReadPlanner(
        cache: cache, configuration: library.service.configuration, request: request,
        root: QualifiedName("public", "books")
      ).plan()
    else { return nil }
    let text = MainStatement.read(node, .json, count: .exact, maximumRows: nil).text
    let source = SourceBytes(text)
    var lexer = Lexer(source)
    var kinds: [Token.Kind] = []
    var isLoose = false
    while let token = lexer.next() {
      kinds.append(token.kind)
      switch token.kind {
      case .lineComment, .blockComment, .dollarString, .unterminated: isLoose = true
      case .symbol(UInt8(ascii: ";")): isLoose = true
      default: break
      }
    }
    return Shape(
      kinds: kinds,
      text: text.split(separator: "\"").enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined(),
      hasLooseText: isLoose)
  }
}
