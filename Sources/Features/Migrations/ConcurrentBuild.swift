import Diagnostics
import Postgres
import SQLSyntax

/// The care a CREATE INDEX CONCURRENTLY needs: a broken try leaves an INVALID index behind, which enforces
/// nothing, answers nothing, and makes `if not exists` report success.
struct ConcurrentBuild {
  let db: Connection
  let index: ConcurrentIndex
  let location: SourceLocation

  /// The oids of the table's indexes, for an index without a name of its own: what is not among them later
  /// is this statement's work.
  func present() throws -> [String] {
    guard index.name == nil else { return [] }
    return try db.rows("select indexrelid from pg_catalog.pg_index where indrelid = to_regclass(\(table))")
      .map { $0[0] ?? "" }
  }

  private struct Found {
    let name: String
    let isValid: Bool
    let builder: String?
  }

  /// Whether the index is there and whole, so that nothing is left to do. An INVALID one is dropped first.
  ///
  /// - Parameters:
  ///   - byBrokenTry: Whether an earlier run had begun this very statement: then a valid index is its work.
  ///   - known: What ``present()`` said before that try.
  /// - Throws: ``Diagnostic`` `migrate.index-being-built` while another session is building it.
  func isBuilt(byBrokenTry: Bool, known: [String], onEvent: (Migrator.Event) -> Void) throws -> Bool {
    var isBuilt = false
    for found in try candidates(unnamed: byBrokenTry, known: known) {
      if found.isValid {
        isBuilt = isBuilt || byBrokenTry
        continue
      }
      if let builder = found.builder {
        throw Diagnostic(
          "migrate.index-being-built", "process \(builder) is still building the index \(found.name)",
          hint: "wait for it to end, then run the same command again", at: location)
      }
      try db.run("drop index concurrently \(trusted: found.name)")
      onEvent(.warning(Self.dropped(found.name, location)))
    }
    return isBuilt
  }

  /// After a refused build: takes the INVALID index away, so that the failed file leaves nothing behind.
  /// A failure here is not reported: the next run looks again.
  func dropBroken(known: [String]) {
    guard db.transactionStatus == .idle, let all = try? candidates(unnamed: true, known: known) else {
      return
    }
    for found in all where !found.isValid && found.builder == nil {
      _ = try? db.run("drop index concurrently \(trusted: found.name)")
    }
  }

  private var table: String {
    [index.schema, index.table].compactMap { $0 }.map(SQL.quoted(identifier:)).joined(separator: ".")
  }

  private func candidates(unnamed: Bool, known: [String]) throws -> [Found] {
    if index.name == nil, !unnamed { return [] }
    // An index without a name in the file is looked for among those its table did not have before.
    let rows = try db.rows(
      """
      select i.indexrelid::regclass::text, i.indisvalid,
        (select p.pid from pg_catalog.pg_stat_progress_create_index p where p.index_relid = i.indexrelid
          and p.pid <> pg_catalog.pg_backend_pid())
      from pg_catalog.pg_index i
      join pg_catalog.pg_class c on c.oid = i.indexrelid
      where i.indrelid = to_regclass(\(table))
        and case when \(index.name)::text is null then i.indexrelid <> all (\(known)::oid[])
          else c.relname = \(index.name) end
      """)
    return rows.map { Found(name: $0[0] ?? "", isValid: $0[1] == "t", builder: $0[2]) }
  }

  private static func dropped(_ name: String, _ location: SourceLocation) -> Diagnostic {
    Diagnostic(
      "migrate.invalid-index", "the index \(name) was INVALID, left by a broken try: dropped and built again",
      at: location, severity: .warning)
  }
}
