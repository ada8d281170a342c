import SQLSyntax
import Testing

struct StatementKindTests {
  @Test(arguments: [
    ("begin", TransactionControl.begin), ("start transaction read only", .begin), ("BEGIN work", .begin),
    ("commit", .commit), ("end", .commit), ("commit and chain", .commit), ("abort", .rollback),
    ("rollback", .rollback), ("rollback work to savepoint a", .rollbackToSavepoint),
    ("rollback to a", .rollbackToSavepoint), ("savepoint a", .savepoint), ("release a", .releaseSavepoint),
    ("prepare transaction 'x'", .prepareTransaction),
  ])
  func `knows what controls a transaction`(text: String, control: TransactionControl) {
    #expect(script(text).statements[0].kind == .transaction(control))
  }

  @Test(arguments: [
    "vacuum", "vacuum (analyze) t", "/* x */ VACUUM FULL", "reindex database d", "reindex (verbose) system d",
    "reindex schema s", "reindex table concurrently t", "reindex (concurrently) index i",
    "drop index concurrently if exists i", "alter system set work_mem = '1MB'", "create database d",
    "drop database if exists d", "create tablespace t location '/x'", "drop tablespace t",
    "alter database d set tablespace t", "cluster", "cluster verbose", "discard all",
    "alter table only a.b detach partition a.c concurrently", "alter table b detach partition c finalize",
    "create subscription s connection 'x' publication p", "drop subscription s",
    "alter subscription s refresh publication", "commit prepared 'x'", "rollback prepared 'x'",
  ])
  func `knows what a transaction block refuses`(text: String) {
    #expect(script(text).statements[0].outsideTransaction != nil)
    #expect(script(text).usesGrammar)
  }

  @Test(arguments: [
    "analyze", "cluster t", "cluster t using i", "cluster verbose t", "reindex table t", "reindex index i",
    "refresh materialized view concurrently v", "alter type a add value 'b'", "create index i on t (a)",
    "alter table t detach partition c", "alter database d set work_mem = '1MB'", "discard plans",
    "create subscription s connection 'x' publication p with (connect = false)",
    "create subscription s connection 'x' publication p with (create_slot = off, slot_name = none)",
    "drop index i", "prepare p as select 1", "select 'vacuum'", "create table vacuum_log (id int)",
    "create table t (concurrently_built int)",
  ])
  func `leaves alone what a transaction block allows`(text: String) {
    #expect(script(text).statements[0].kind == .ordinary)
    #expect(script(text).usesGrammar)
  }

  @Test func `names the index a broken build would leave behind`() {
    func index(_ text: String) -> ConcurrentIndex? {
      guard case .createIndexConcurrently(let index) = script(text).statements[0].outsideTransaction else {
        return nil
      }
      return index
    }

    #expect(
      index("create unique index concurrently if not exists \"Big\"\"One\" on only App.Big (owner)")
        == ConcurrentIndex(name: "Big\"One", schema: "app", table: "big", ifNotExists: true))
    #expect(
      index("create index concurrently on big (owner)")
        == ConcurrentIndex(name: nil, schema: nil, table: "big", ifNotExists: false))
    #expect(
      index("CREATE INDEX CONCURRENTLY big_owner ON big USING gin (owner)")
        == ConcurrentIndex(name: "big_owner", schema: nil, table: "big", ifNotExists: false))
    #expect(index("create index concurrently_x on big (owner)") == nil)
  }

  @Test func `tells a transaction around the whole file from any other`() {
    #expect(script("begin; create table a (b int); commit;").isWrappedInTransaction)
    #expect(script("-- x\nBEGIN;\nsavepoint a; release a; end").isWrappedInTransaction)
    #expect(!script("begin; select 1; commit; select 2").isWrappedInTransaction)
    #expect(!script("begin; select 1; rollback").isWrappedInTransaction)
    #expect(!script("begin; select 1; commit; begin; select 2; commit").isWrappedInTransaction)
    #expect(!script("begin; select 1; commit and chain").isWrappedInTransaction)
    #expect(script("begin; select 1; commit and no chain").isWrappedInTransaction)
    #expect(!script("create table a (b int); commit; select 1").isWrappedInTransaction)
    #expect(script("select 1; commit; select 2").transactionBoundaries.map(\.location.column) == [11])
  }
}
