// A stand-in until the platform's SQL is merged.

package struct PlatformScript: Sendable {
  package let name: String
  package let sql: String
}

package struct ExtensionFile: Sendable {
  package let name: String
  package let text: String
}

package enum GrantProfile: String, Sendable { case explicit, legacy }

package enum Platform {
  package static let scripts = [
    PlatformScript(
      name: "roles.sql",
      sql: """
        create role postgres login createdb createrole bypassrls replication password 'postgres';
        alter database postgres owner to postgres;
        create role anon nologin noinherit;
        create role authenticated nologin noinherit;
        create role service_role nologin noinherit bypassrls;
        create role authenticator login noinherit password 'postgres';
        grant anon, authenticated, service_role to authenticator;
        grant anon, authenticated, service_role to postgres with admin option;
        create schema extensions authorization postgres;
        create schema auth;
        create schema storage;
        grant all on schema public to postgres;
        """)
  ]
  package static let extensionFiles: [ExtensionFile] = []
  package static let trustedExtensions: [String] = []
  package static let digest = "stub"
  package static func grants(_ profile: GrantProfile) -> String {
    profile == .legacy
      ? "alter default privileges in schema public grant all on tables to anon, authenticated, service_role"
      : ""
  }
}
