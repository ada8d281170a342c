import Diagnostics
import Postgres
import Targets

/// Makes one database of a local server new and empty, where it is not the project's stack, which is made
/// new as a whole.
package struct DatabaseReset {
  private let target: LoopbackTarget

  package init(_ target: LoopbackTarget) { self.target = target }

  /// Makes an empty database beside the old one, lets them change places in one transaction, and drops the
  /// old one. Killed anywhere, there is a database of that name, the old or the new.
  ///
  /// - Throws: `seed.reset-platform` where the database carries a platform that nomdev did not make, and the
  ///   server's refusals. The old database is then as it was.
  package func run() throws {
    let name = target.database
    try refusePlatform()
    let db = try target.connect(database: name == "postgres" ? "template1" : "postgres")
    let (fresh, old) = ("\(name)_nomdev_new", "\(name)_nomdev_old")
    try dropLeftovers([fresh, old], db)
    let shape = try Shape(of: name, db)
    try db.run(script: shape.creation(of: fresh))
    for setting in shape.settings { try db.run(script: setting(fresh)) }
    try exchange(name, with: fresh, keepingAs: old, db)
    try db.run("drop database \(identifier: old) with (force)")
  }

  /// Lets the new database take the old one's place, in one transaction.
  ///
  /// Who is connected is put out, and whoever comes back in between is put out again. The database is not
  /// closed to new sessions instead: a kill would leave it closed, to this command as well.
  private func exchange(_ name: String, with fresh: String, keepingAs old: String, _ db: Connection) throws {
    for attempt in 1... {
      try db.run(
        """
        select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
        where datname = \(name) and pid <> pg_catalog.pg_backend_pid()
        """)
      do {
        return try db.transaction {
          // The server itself waits five seconds for others to leave, and nobody would.
          try db.run("set local statement_timeout = '500ms'")
          try db.run("alter database \(identifier: name) rename to \(identifier: old)")
          try db.run("alter database \(identifier: fresh) rename to \(identifier: name)")
        }
      } catch let error as PostgresError where attempt < 10 && Self.isInUse(error) {
        continue
      }
    }
  }

  private static func isInUse(_ error: PostgresError) -> Bool {
    error.state == .queryCanceled || error.state == .objectInUse
  }

  private func refusePlatform() throws {
    let db = try target.connect()
    let isPlatform = try db.value("select to_regclass('auth.users') is not null") == "t"
    guard isPlatform, target.proof != .startedByNomdev else { return }
    throw Diagnostic(
      "seed.reset-platform", "this database carries a platform that another tool set up",
      detail: target.description,
      hint: "reset it with that tool (supabase db reset --no-seed), then run: nomdev seed --db-url …")
  }

  private func dropLeftovers(_ names: [String], _ db: Connection) throws {
    for name in names {
      let exists = try db.value("select 1 from pg_catalog.pg_database where datname = \(name)") != nil
      if exists { try db.run("drop database \(identifier: name) with (force)") }
    }
  }

  /// What a database is created with, and its own settings.
  private struct Shape {
    let creation: (String) -> String
    let settings: [(String) -> String]

    private static let lists: Set = [
      "search_path", "local_preload_libraries", "session_preload_libraries", "temp_tablespaces",
    ]

    init(of name: String, _ db: Connection) throws {
      guard
        let row = try db.rows(
          """
          select pg_catalog.pg_encoding_to_char(encoding), datcollate, datctype,
            pg_catalog.pg_get_userbyid(datdba)
          from pg_catalog.pg_database where datname = \(name)
          """
        ).first
      else { throw Diagnostic("seed.no-database", "there is no database \(name)") }
      let values = row.values.map { $0 ?? "" }
      creation = { new in
        """
        create database \(SQL.quoted(identifier: new)) owner \(SQL.quoted(identifier: values[3])) \
        template template0 encoding \(SQL.quoted(literal: values[0])) \
        lc_collate \(SQL.quoted(literal: values[1])) lc_ctype \(SQL.quoted(literal: values[2]))
        """
      }
      let stored = try db.rows(
        """
        select split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1), r.rolname
        from pg_catalog.pg_db_role_setting s
        join pg_catalog.pg_database d on d.oid = s.setdatabase
        left join pg_catalog.pg_roles r on r.oid = s.setrole
        cross join unnest(s.setconfig) as setting
        where d.datname = \(name)
        """)
      settings = stored.map { row in
        { new in
          // A list such as a search path is stored as the list; each entry keeps its quotes.
          let (setting, value) = (row[0] ?? "", row[1] ?? "")
          let database = "database \(SQL.quoted(identifier: new))"
          let place = row[2].map { "role \(SQL.quoted(identifier: $0)) in \(database)" } ?? database
          let text = Self.lists.contains(setting) ? value : SQL.quoted(literal: value)
          let name = setting.split(separator: ".").map { SQL.quoted(identifier: String($0)) }.joined(
            separator: ".")
          return "alter \(place) set \(name) to \(text.isEmpty ? "''" : text)"
        }
      }
    }

    func creation(of name: String) -> String { creation(name) }
  }
}
