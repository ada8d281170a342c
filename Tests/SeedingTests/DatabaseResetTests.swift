import Diagnostics
import Postgres
import Seeding
import Support
import Targets
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct DatabaseResetTests {
  private let bed: SeedBed
  private var name: String { bed.database.name }

  init() throws { bed = try SeedBed() }

  /// A new admission: the database of that name is another one by then.
  private func target() throws -> LoopbackTarget {
    try LoopbackGuard(environment: [:]).admit(try bed.database.url(as: "supabase_admin"))
  }

  @Test func `makes the database new, twice the same, and puts out who is connected`() throws {
    try bed.db.run(script: "create sequence s; select nextval('s'); insert into a values (1)")

    for _ in 1...2 {
      try DatabaseReset(try target()).run()
      let db = try bed.database.connect(as: "supabase_admin")
      #expect(try db.value("select to_regclass('public.a')") == nil)
      try db.run(script: "create table a (id serial); insert into a default values")
      #expect(try db.value("select max(id) from a") == "1")
    }

    #expect(throws: PostgresError.self) { try bed.db.value("select 1") }
    let names = try bed.database.connect(as: "supabase_admin").rows(
      "select datname from pg_database where datname like \("\(name)%") order by 1")
    #expect(names.map { $0[0] } == [name])
  }

  @Test func `keeps the owner and the settings, each role's own among them`() throws {
    let admin = try ScratchDatabase.cluster().connect(user: "supabase_admin", database: "template1")
    try admin.run(
      script: """
        alter database \(name) owner to postgres;
        alter database \(name) set search_path to "$user", public, "odd name";
        alter database \(name) set statement_timeout to '9s';
        alter role postgres in database \(name) set work_mem to '7MB';
        """)
    let shape: SQL = """
      select pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datcollate,
        (select string_agg(coalesce(setrole::regrole::text, '') || setconfig::text, ' ' order by setrole)
         from pg_db_role_setting where setdatabase = d.oid)
      from pg_database d where datname = \(name)
      """
    let before = try admin.rows(shape)

    try DatabaseReset(try target()).run()

    #expect(try admin.rows(shape) == before)
    #expect(before[0][3]?.contains("odd name") == true)
  }

  @Test func `outlasts clients that come back at once`() throws {
    let url = try bed.database.url(as: "supabase_admin")
    let client = Reconnecting(url)
    defer { client.stop() }

    try DatabaseReset(try target()).run()

    #expect(try bed.database.connect(as: "supabase_admin").value("select to_regclass('public.a')") == nil)
  }

  @Test func `cleans up after a reset that was killed, and leaves the database open meanwhile`() throws {
    let admin = try ScratchDatabase.cluster().connect(user: "supabase_admin", database: "template1")
    // What a kill before and one after the exchange leave.
    try admin.run("create database \(identifier: "\(name)_nomdev_new") template template0")
    try admin.run("create database \(identifier: "\(name)_nomdev_old") template template0")
    #expect(try bed.db.value("select 1") == "1")

    try DatabaseReset(try target()).run()

    #expect(try admin.value("select count(*) from pg_database where datname like \("\(name)%")") == "1")
  }
}

/// A client that is back as soon as it was put out, as an application's pool is.
private final class Reconnecting: @unchecked Sendable {
  private let isStopped = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
  private var thread = pthread_t()

  init(_ url: String) {
    isStopped.initialize(to: false)
    let job = Unmanaged.passRetained(Job(url: url, isStopped: isStopped))
    pthread_create(
      &thread, nil,
      { raw in
        #if canImport(Glibc)
          let job = Unmanaged<Job>.fromOpaque(raw!).takeRetainedValue()
        #else
          let job = Unmanaged<Job>.fromOpaque(raw).takeRetainedValue()
        #endif
        while !job.isStopped.pointee {
          let session = try? Connection(job.url)
          while !job.isStopped.pointee, (try? session?.value("select 1")) != nil { usleep(2_000) }
          usleep(3_000)
        }
        return nil
      }, job.toOpaque())
  }

  func stop() {
    isStopped.pointee = true
    pthread_join(thread, nil)
  }

  private final class Job {
    let url: String
    let isStopped: UnsafeMutablePointer<Bool>
    init(url: String, isStopped: UnsafeMutablePointer<Bool>) {
      self.url = url
      self.isStopped = isStopped
    }
  }
}
