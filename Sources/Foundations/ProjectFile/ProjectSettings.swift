import Diagnostics

/// What a project says about its database and API, typed. The initial values are the defaults: the same as
/// the Supabase CLI's, and this file is the only place that knows them.
package struct ProjectSettings: Sendable, Hashable {
  package var ports = Ports()
  package var api = API()
  package var database = Database()
  package var seed = Seed()
  package var storage = Storage()
  package var auth = Auth()

  package init() {}

  package struct Ports: Sendable, Hashable {
    package var api = 54321
    package var database = 54322
    package var mail = 54324

    package init() {}
  }

  package struct API: Sendable, Hashable {
    package var isEnabled = true
    package var schemas = ["public", "graphql_public"]
    package var extraSearchPath = ["public", "extensions"]
    /// The most rows one answer holds.
    package var maxRows = 1000
    /// Whether new tables are reachable through the API without a grant.
    package var grants = Grants.explicit

    package init() {}
  }

  /// Who may use a new table through the API without being granted it.
  package enum Grants: String, Sendable, Hashable, CaseIterable {
    /// Nobody: the rule for all projects since 30 October 2026.
    case explicit
    /// `anon`, `authenticated` and `service_role`, as it was before.
    case legacy
  }

  package struct Database: Sendable, Hashable {
    /// What the project asks for. The server may be another: 17 is the CLI's default, and a server of
    /// version 15 serves it as far as it can.
    package var majorVersion = 17
    /// Secrets to put into the vault, by name.
    package var vault: [String: String] = [:]
    /// Server settings, by name.
    package var settings: [String: String] = [:]

    package init() {}
  }

  package struct Seed: Sendable, Hashable {
    package var isEnabled = true
    /// Globs relative to `supabase/`. Nil where the project doesn't say: then `./seed.sql`, if it exists.
    package var paths: [String]?

    package init() {}
  }

  package struct Storage: Sendable, Hashable {
    package var isEnabled = true
    /// In bytes.
    package var fileSizeLimit = 50 << 20
    /// In the order of the file.
    package var buckets: [Bucket] = []

    package init() {}

    package struct Bucket: Sendable, Hashable {
      package let name: String
      package var isPublic = false
      /// In bytes; nil is the storage's own limit.
      package var fileSizeLimit: Int?
      package var allowedMIMETypes: [String] = []
      /// A folder, relative to `supabase/`, whose files are uploaded when seeding.
      package var objectsPath: String?

      package init(name: String) { self.name = name }
    }
  }

  package struct Auth: Sendable, Hashable {
    /// The secret every local stack of the Supabase CLI signs with unless told otherwise. It is public
    /// knowledge, and so a server that holds it is nobody's production.
    package static let developmentSecret = "super-secret-jwt-token-with-at-least-32-characters-long"

    package var isEnabled = true
    package var siteURL = "http://127.0.0.1:3000"
    package var additionalRedirectURLs = ["https://127.0.0.1:3000"]
    package var jwtSecret = developmentSecret
    /// Nil is the API's own address.
    package var jwtIssuer: String?
    package var jwtLifetime = Duration.seconds(3600)
    package var signingKeysPath: String?
    package var rotatesRefreshTokens = true
    package var refreshTokenReuseInterval = Duration.seconds(10)
    package var allowsSignup = true
    package var allowsAnonymousSignIns = false
    package var allowsManualLinking = false
    package var minimumPasswordLength = 6
    package var passwordRequirements = ""
    package var email = Email()
    package var sessionTimebox: Duration?
    package var sessionInactivityTimeout: Duration?

    package init() {}

    package struct Email: Sendable, Hashable {
      package var isEnabled = true
      package var doubleConfirmsChanges = true
      package var needsConfirmation = false
      package var securePasswordChange = false
      package var maximumFrequency = Duration.seconds(1)
      package var codeLength = 6
      package var codeLifetime = Duration.seconds(3600)

      package init() {}
    }
  }
}

/// A `[target.NAME]` of nomdev.toml: a database and API under a name.
package struct TargetDeclaration: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable { case embedded, local, hosted }

  package let name: String
  package let kind: Kind
  package let apiURL: String?
  package let key: String?
  /// May hold a password: show it only through `Targets`' redaction.
  package let databaseURL: String?
  /// The `env:NAME` values whose variable isn't set. Throw them when the target is used, not before: most
  /// commands don't.
  package let unset: [Diagnostic]

  package init(
    name: String, kind: Kind, apiURL: String? = nil, key: String? = nil, databaseURL: String? = nil,
    unset: [Diagnostic] = []
  ) {
    self.name = name
    self.kind = kind
    self.apiURL = apiURL
    self.key = key
    self.databaseURL = databaseURL
    self.unset = unset
  }
}
