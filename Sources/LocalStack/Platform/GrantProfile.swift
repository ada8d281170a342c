/// What the API's roles (`anon`, `authenticated`, `service_role`) get on objects that `postgres` makes in
/// `public` from now on.
package enum GrantProfile: String, Sendable, CaseIterable {
  /// The rule since 30 October 2026: nothing that a request could use, until it is granted. TRUNCATE,
  /// REFERENCES and TRIGGER on tables and UPDATE on sequences remain, and every new function stays callable
  /// through PUBLIC, as on the platform.
  case explicit
  /// Everything, as before: row level security alone protects a table.
  case legacy
}

extension Platform {
  /// SQL that gives a database its grant profile, run as `postgres` in a fresh copy of the platform. Objects
  /// that exist already keep what they have. Running it again changes nothing.
  package static func grants(_ profile: GrantProfile) -> String {
    switch profile {
    case .legacy: ""
    case .explicit:
      """
      alter default privileges for role postgres in schema public
        revoke select, insert, update, delete on tables from anon, authenticated, service_role;
      alter default privileges for role postgres in schema public
        revoke usage, select on sequences from anon, authenticated, service_role;
      alter default privileges for role postgres in schema public
        revoke execute on functions from anon, authenticated, service_role;
      """
    }
  }
}
