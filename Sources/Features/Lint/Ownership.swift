/// Schemas that belong to the platform: a project writes rows and policies there, and the platform's own
/// updates do, too.
enum PlatformNames {
  static let schemas: Set<String> = [
    "auth", "cron", "extensions", "graphql", "graphql_public", "net", "pgbouncer", "pgmq", "pgsodium",
    "realtime", "storage", "supabase_functions", "supabase_migrations", "vault",
  ]

  /// The roles requests from outside run as.
  static let apiRoles: Set<String> = ["anon", "authenticated", "public"]
}

extension Chain {
  /// Whether a table belongs to somebody else: it is in a schema this chain did not create and that is not
  /// `public`.
  func isForeign(_ name: ObjectName) -> Bool {
    guard let schema = name.schema, schema != "public" else { return false }
    return PlatformNames.schemas.contains(schema) || !createdSchemas.contains(schema)
  }
}
