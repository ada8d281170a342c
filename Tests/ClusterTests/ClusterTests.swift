import Cluster
import Postgres
import Support
import Testing

@Suite struct ScratchDatabaseTests {
  @Test func `a scratch database is a copy of the platform`() throws {
    let scratch = try ScratchDatabase()

    let roles = try scratch.connect().rows(
      "select rolname from pg_roles where rolname in ('anon', 'authenticated') order by 1")

    #expect(roles.map { $0[0] } == ["anon", "authenticated"])
  }
}
