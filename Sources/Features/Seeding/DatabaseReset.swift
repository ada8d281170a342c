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
    try db.run("alter database \(identifier: name) with allow_connections false")
    do {
      try db.run(
        """
        select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where datname = \(name)
        """)
      try db.transaction {
        try db.run("alter database \(identifier: name) rename to \(identifier: old)")
        try db.run("alter database \(identifier: fresh) rename to \(identifier: name)")
      }
    } catch {
      _ = try? db.run("alter database \(identifier: name) with allow_connections true")
      throw error
    }
    try db.run("drop database \(identifier: old) with (force)")
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
        select split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)
        from pg_catalog.pg_db_role_setting s
        join pg_catalog.pg_database d on d.oid = s.setdatabase
        cross join unnest(s.setconfig) as setting
        where d.datname = \(name) and s.setrole = 0
        """)
      settings = stored.map { row in
        { new in
          // A list such as a search path is stored as the list; each entry keeps its quotes.
          let value = row[1] ?? ""
          let isList = (row[0] ?? "") == "search_path"
          return """
            alter database \(SQL.quoted(identifier: new)) set \(row[0] ?? "") to \
            \(isList ? value : SQL.quoted(literal: value))
            """
        }
      }
    }

    func creation(of name: String) -> String { creation(name) }
  }
}
