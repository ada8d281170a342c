import Arguments
import Diagnostics
import Dispatch
import Gateway
import Processes
import REST
import Tokens

extension RESTConfiguration.TransactionEnd: ArgumentValue {}
extension RESTConfiguration.OpenAPIMode: ArgumentValue {}

extension CommandTable {
  static let stackRest = Command(
    "rest", abstract: "Serve the REST dialect alone over an existing database.",
    discussion: """
      Answers as PostgREST 14 does, on this machine only. The login of the database URL must be a member of the \
      roles that requests are made for. Ends by Ctrl-C, after the requests that came in are answered.
      """,
    options: [
      RESTOptions.port, RESTOptions.database, RESTOptions.schemas, RESTOptions.extraSearchPath,
      RESTOptions.anonymousRole, RESTOptions.secret, RESTOptions.audience, RESTOptions.roleClaim,
      RESTOptions.preRequest, RESTOptions.rootFunction, RESTOptions.transactionEnd, RESTOptions.maximumRows,
      RESTOptions.aggregates, RESTOptions.plan, RESTOptions.safeUpdate, RESTOptions.setting,
      RESTOptions.openAPIMode, RESTOptions.openAPISecurity, RESTOptions.openAPIProxy,
      RESTOptions.serverTiming, RESTOptions.allowedOrigins, RESTOptions.sessions,
    ],
    examples: [
      Example(
        "nomdev stack rest --db-url postgres://authenticator@localhost/app --anon-role anon",
        "Serve schema public on port 3000.")
    ]
  ) { arguments, console in
    let configuration = try RESTOptions.configuration(arguments)
    let service = try RESTService(configuration)
    service.startListening()
    defer { service.stop() }
    let log = console.verbosity == .verbose ? console.requestLog : nil
    let server = try HTTPServer(
      port: UInt16(clamping: configuration.port), workers: arguments[RESTOptions.sessions]
    ) { LoopbackResponder(service.responder(), log: log) }
    try console.print("Serving http://127.0.0.1:\(server.port) (Ctrl-C ends it)")
    Interruption().wait()
    server.stop()
    return .success
  }
}

/// The options of `stack rest`, named like PostgREST's settings.
enum RESTOptions {
  static let port = DefaultedOption<Int>(
    "port", short: "p", value: "port", default: 3000,
    help: "Listen on this port of 127.0.0.1; 0 is any free one.")
  static let database = Option<String>(
    "db-url", value: "url", environment: "NOMDEV_DB_URL", help: "Serve this database, as this login.")
  static let schemas = DefaultedOption<String>(
    "schemas", value: "names", default: "public",
    help: "Expose these schemas, comma separated; the first is the default.")
  static let extraSearchPath = DefaultedOption<String>(
    "extra-search-path", value: "names", default: "public",
    help: "Also search these schemas, comma separated.")
  static let anonymousRole = Option<String>(
    "anon-role", value: "role",
    help: "Answer requests without a token as this role. Without it they are refused.")
  static let secret = Option<String>(
    "jwt-secret", value: "secret", environment: "PGRST_JWT_SECRET",
    help: "Verify tokens with this secret, JWK or JWK set.")
  static let audience = Option<String>("jwt-aud", value: "name", help: "Refuse tokens made for others.")
  static let roleClaim = DefaultedOption<String>(
    "jwt-role-claim", value: "path", default: ".role", help: "Find the role here in a token's claims.")
  static let preRequest = Option<String>(
    "pre-request", value: "function", help: "Call this function before each request's statement.")
  static let rootFunction = Option<String>(
    "root-function", value: "function", help: "Answer the root path by this function.")
  static let transactionEnd = DefaultedOption<RESTConfiguration.TransactionEnd>(
    "tx-end", value: "end", default: .commit,
    help: "How transactions end, and whether a request may say otherwise.")
  static let maximumRows = Option<Int>("max-rows", value: "count", help: "Give no more rows than this.")
  static let aggregates = Flag("aggregates", help: "Allow aggregate functions.")
  static let plan = Flag("plan", help: "Allow asking for the execution plan.")
  static let safeUpdate = Flag("safe-update", help: "Refuse updates and deletes without a filter.")
  static let setting = RepeatedOption<String>(
    "setting", value: "name=value", help: "Make this setting in every transaction.")
  static let openAPIMode = DefaultedOption<RESTConfiguration.OpenAPIMode>(
    "openapi-mode", value: "mode", default: .followPrivileges,
    help: "What the description of the root path shows.")
  static let openAPISecurity = Flag("openapi-security", help: "Describe the use of tokens, too.")
  static let openAPIProxy = Option<String>(
    "openapi-proxy", value: "url", help: "The address that the description gives.")
  static let serverTiming = Flag("server-timing", help: "Tell how long the parts of a request took.")
  static let allowedOrigins = Option<String>(
    "cors-origins", value: "origins", help: "Allow these origins alone, comma separated.")
  static let sessions = DefaultedOption<Int>(
    "sessions", value: "count", default: 6, help: "Open so many sessions with the database.")

  static func configuration(_ arguments: ParsedArguments) throws -> RESTConfiguration {
    guard let database = arguments[database] else {
      throw UsageError(
        "missing-option", "'\(arguments.commandName)' needs a database", hint: "give it with --db-url",
        in: arguments)
    }
    func list(_ text: String) -> [String] { text.isEmpty ? [] : text.split(separator: ",").map(String.init) }
    let schemas = list(arguments[schemas])
    var configuration = RESTConfiguration(
      database: database, schemas: schemas.isEmpty ? ["public"] : schemas,
      anonymousRole: arguments[anonymousRole])
    configuration.port = arguments[port]
    configuration.extraSearchPath = list(arguments[extraSearchPath])
    configuration.keys = try arguments[secret].map { secret in
      do { return try JWTKeySet(setting: secret) } catch JWTKeyError.shortSecret {
        throw UsageError(
          "short-secret", "the JWT secret is shorter than 32 bytes", hint: "use a longer one", in: arguments)
      }
    }
    configuration.audience = arguments[audience]
    configuration.roleClaim = arguments[roleClaim]
    configuration.preRequest = arguments[preRequest]
    configuration.rootFunction = arguments[rootFunction]
    configuration.transactionEnd = arguments[transactionEnd]
    configuration.maximumRows = arguments[maximumRows]
    configuration.allowsAggregates = arguments[aggregates]
    configuration.allowsPlan = arguments[plan]
    configuration.refusesUnfilteredWrites = arguments[safeUpdate]
    configuration.settings = try arguments[setting].map { text in
      guard let equals = text.firstIndex(of: "=") else {
        throw UsageError(
          "setting-form", "'\(text)' is no setting", hint: "write it as name=value", in: arguments)
      }
      return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
    configuration.openAPIMode = arguments[openAPIMode]
    configuration.openAPISecurity = arguments[openAPISecurity]
    configuration.openAPIProxy = arguments[openAPIProxy]
    configuration.tellsTimings = arguments[serverTiming]
    configuration.allowedOrigins = arguments[allowedOrigins].map(list)
    return configuration
  }
}

extension Console {
  /// Prints a line for every request, for `--verbose`.
  var requestLog: @Sendable (RequestLogEntry) -> Void {
    { [self] entry in note(entry.text) }
  }
}

/// Waits for Ctrl-C or a polite end from outside.
private struct Interruption {
  private let answered = DispatchSemaphore(value: 0)
  private let registration: Interrupts.Registration

  init() {
    let answered = answered
    registration = Interrupts.onInterrupt { answered.signal() }
  }

  func wait() { withExtendedLifetime(registration) { answered.wait() } }
}
