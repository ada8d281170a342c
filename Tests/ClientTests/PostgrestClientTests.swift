import Gateway
import JSONValues
import Postgres
import Processes
import REST
import Support
import Testing
import Tokens

/// Supabase's own Python client, from PyPI and unmodified, against the gateway.
@Suite struct PostgrestClientTests {
  @Test func `supabase's python client works on Nom Nom's tables`() throws {
    let database = try ScratchDatabase()
    let ada = "00000000-0000-4000-8000-00000000000a"
    let bob = "00000000-0000-4000-8000-00000000000b"
    try prepare(database, users: [(ada, "Ada"), (bob, "Bob")])
    let keys = APIKeys.development()
    let service = try service(over: database, keys)
    let configuration = GatewayConfiguration(
      keys: keys, routes: GatewayRoute.rest { service.responder() })
    let server = try HTTPServer(port: 0, workers: 2) { GatewayResponder(configuration) }
    defer { server.stop() }

    var launch = Launch(
      try python(),
      [
        "\(folder)/Scripts/postgrest_client.py", "http://127.0.0.1:\(server.port)/rest/v1", keys.publishable,
        keys.secret, token(ada), ada, token(bob), bob,
      ])
    launch.environment = Nomdev.launch([]).environment
    let finished = try ChildProcess.run(launch)

    #expect(finished.status == .exited(0), "\(finished.outputText)\(finished.errorText)")
    #expect(finished.outputText.hasSuffix("checks passed\n"))
  }

  private let folder = Files.parent(of: #filePath) ?? "."

  private func token(_ user: String) -> String {
    JWTSigner(secret: Array(APIKeys.wellKnownSecret.utf8)).token([
      "sub": .string(user), "role": "authenticated", "aud": "authenticated",
    ]) ?? ""
  }

  private func service(over database: ScratchDatabase, _ keys: APIKeys) throws -> RESTService {
    var configuration = RESTConfiguration(
      database: try database.url(as: "authenticator"), schemas: ["public", "graphql_public"],
      anonymousRole: "anon")
    configuration.extraSearchPath = ["public", "extensions"]
    configuration.maximumRows = 1000
    configuration.keys = keys.verification
    configuration.refusesUnfilteredWrites = true
    return try RESTService(configuration)
  }

  private func prepare(_ database: ScratchDatabase, users: [(id: String, name: String)]) throws {
    let connection = try database.connect()
    let migrations = "\(folder)/../../migrations"
    for file in Files.names(in: migrations).sorted() where file.hasSuffix(".sql") {
      try connection.run(script: try Files.read("\(migrations)/\(file)"))
    }
    for user in users {
      try connection.run(
        """
        insert into auth.users (id, email, raw_user_meta_data)
        values (\(user.id), \(user.name.lowercased() + "@foodlog.test"),
          json_build_object('full_name', \(user.name)::text))
        """)
    }
    try connection.run(
      script: """
        create function public.greet(name text) returns text language sql stable as $$ select 'hello ' || name $$;
        create function public.my_dishes() returns setof public.dishes language sql stable as
          $$ select * from public.dishes $$;
        grant execute on function public.greet(text), public.my_dishes() to authenticated;
        """)
  }

  /// A Python with the client installed, made once and kept in the cache folder.
  private func python() throws -> String {
    if let given = ProcessEnvironment.value("NOMDEV_CLIENT_PYTHON") { return given }
    let home = ProcessEnvironment.value("HOME") ?? "/tmp"
    let place =
      "\(ProcessEnvironment.value("XDG_CACHE_HOME") ?? "\(home)/.cache")/nomdev-tests/postgrest-2.34.1"
    let python = "\(place)/bin/python"
    if Files.exists("\(place)/ready") { return python }
    for arguments in [
      ["/usr/bin/env", "python3", "-m", "venv", place],
      [python, "-m", "pip", "install", "--quiet", "-r", "\(folder)/Scripts/requirements.txt"],
    ] {
      var launch = Launch(arguments[0], Array(arguments.dropFirst()))
      launch.environment = Nomdev.launch([]).environment
      let finished = try ChildProcess.run(launch)
      try #require(finished.status == .exited(0), "\(finished.outputText)\(finished.errorText)")
    }
    try Files.write("", to: "\(place)/ready")
    return python
  }
}
