import Postgres
import ProjectFile

/// Why a server on loopback counts as local.
package enum LocalProof: Sendable, Hashable {
  /// It is a cluster nomdev started, reached directly.
  case startedByNomdev
  /// It carries the secret every local stack of the Supabase CLI has.
  case developmentSecret
  /// The project file or the user vouches for its system identifier.
  case trusted
}

/// What a server says about itself.
struct ServerEvidence {
  /// `nomdev.instance`, which nomdev starts its servers with.
  let instance: String?
  let hasDevelopmentSecret: Bool
  let backendPID: Int32
  /// Nil where the server doesn't let this user ask.
  let systemIdentifier: String?

  /// Asks within read-only transactions. The settings of the database come from the catalog, where a
  /// session can't put them; the secret is compared there, so that a server's own never leaves it.
  init(of session: Connection) throws {
    let secret = "app.settings.jwt_secret=\(ProjectSettings.Auth.developmentSecret)"
    let answer = try Self.ask(
      session,
      """
      select pg_catalog.current_setting('nomdev.instance', true), pg_catalog.pg_backend_pid(), exists (
        select from pg_catalog.pg_db_role_setting s
        join pg_catalog.pg_database d on d.oid = s.setdatabase
        where s.setrole = 0 and d.datname in ('postgres', pg_catalog.current_database())
          and \(secret) = any (s.setconfig))
      """)
    instance = answer?[0].flatMap { $0.isEmpty ? nil : $0 }
    backendPID = answer?[1].flatMap { Int32($0) } ?? 0
    hasDevelopmentSecret = answer?[2] == "t"
    do {
      systemIdentifier = try Self.ask(
        session, "select system_identifier from pg_catalog.pg_control_system()")?[0]
    } catch SQLState.insufficientPrivilege {
      try session.run("rollback")
      systemIdentifier = nil
    }
  }

  /// One round trip. After an error the transaction is still open, and failed.
  private static func ask(_ session: Connection, _ question: SQL) throws -> Row? {
    try session.pipeline(["begin transaction read only", question, "commit"])[1].first
  }
}
