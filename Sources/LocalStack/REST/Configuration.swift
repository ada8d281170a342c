import JSONValues
import Postgres
import Tokens

/// How the dialect is served. The defaults are PostgREST's own.
package struct RESTConfiguration: Sendable {
  /// How transactions end, and whether a request's `Prefer: tx=` may say otherwise.
  package enum TransactionEnd: String, Sendable, CaseIterable {
    case commit
    case commitAllowOverride = "commit-allow-override"
    case rollback
    case rollbackAllowOverride = "rollback-allow-override"

    var allowsOverride: Bool { self == .commitAllowOverride || self == .rollbackAllowOverride }
    var rollsBack: Bool { self == .rollback || self == .rollbackAllowOverride }
  }

  package enum OpenAPIMode: String, Sendable, CaseIterable {
    case followPrivileges = "follow-privileges"
    case ignorePrivileges = "ignore-privileges"
    case disabled
  }

  /// Connection string of the login that may become the roles.
  package var database: String
  /// The exposed schemas; the first is the default. Never empty.
  package var schemas: [String]
  package var extraSearchPath = ["public"]
  /// The role of requests without a token; nil refuses those.
  package var anonymousRole: String?
  /// The keys that tokens are verified with; nil refuses every token.
  package var keys: JWTKeySet?
  package var audience: String?
  /// Where in the claims the role stands: `.role`, `.app."user role"[0]`.
  package var roleClaim = ".role"
  package var preRequest: String?
  package var rootFunction: String?
  package var transactionEnd = TransactionEnd.commit
  package var maximumRows: Int?
  package var allowsAggregates = false
  package var allowsPlan = false
  /// Refuses an update or delete without any filter, as the platform's safeupdate does.
  package var refusesUnfilteredWrites = false
  package var hoistedSettings = [
    "statement_timeout", "plan_filter.statement_cost_limit", "default_transaction_isolation",
  ]
  /// `app.settings.*` and the like, made in every transaction.
  package var settings: [(name: String, value: String)] = []
  package var openAPIMode = OpenAPIMode.followPrivileges
  package var openAPISecurity = false
  package var openAPIProxy: String?
  package var tellsTimings = false
  package var allowedOrigins: [String]?
  /// The address the OpenAPI document names where there is no proxy.
  package var host = "127.0.0.1"
  package var port = 3000
  /// The channel whose notifications reload the schema cache; nil listens to none.
  package var channel: String? = "pgrst"

  package init(database: String, schemas: [String], anonymousRole: String?) {
    self.database = database
    self.schemas = schemas
    self.anonymousRole = anonymousRole
  }

  var preRequestName: QualifiedName? { preRequest.map(Self.qualified) }
  var rootFunctionName: String? { rootFunction.map { Self.qualified($0).name } }

  private static func qualified(_ text: String) -> QualifiedName {
    guard let dot = text.firstIndex(of: ".") else { return QualifiedName("", text) }
    return QualifiedName(String(text[..<dot]), String(text[text.index(after: dot)...]))
  }
}
