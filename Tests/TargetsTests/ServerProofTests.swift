import Cluster
import Diagnostics
import Foundation
import Postgres
import Processes
import ProjectFile
import Support
import Testing

@testable import Targets

/// What a server on loopback must show, with real servers and real tunnels.
///
/// One server without any mark of a local stack serves all tests; what they set, they set in databases of
/// their own, except for nomdev's record of it: so they run one after the other.
@Suite(.serialized)
struct ServerProofTests {
  private let server: RunningCluster
  private let keeper = LoopbackGuard(environment: [:])
  private var record: ClusterRecord { server.record }

  init() throws {
    server = try Self.shared.get()
    ClusterRegistry.remove(token: server.record.token)
  }

  private static let shared = Swift.Result {
    let server = try RunningCluster.ephemeral(
      .init(
        port: 0, settings: ["log_statement": "all"],
        content: TemplateContent(scripts: [], digest: "targets-tests-bare")))
    try server.connect(user: "supabase_admin").run("alter role supabase_admin password 'secret'")
    return server
  }

  private func url(host: String, port: Int? = nil, database: String = "postgres") -> String {
    "postgres://supabase_admin:secret@\(host):\(port ?? record.port)/\(database)"
  }

  private var socketURL: String {
    "host=\(record.socketFolder) port=\(record.port) user=supabase_admin dbname=postgres"
  }

  private func refusal(_ conninfo: String, by keeper: LoopbackGuard? = nil) -> TargetError? {
    #expect(throws: TargetError.self) { try (keeper ?? self.keeper).admit(conninfo) }
  }

  // MARK: - Not ours

  @Test func `a tunnel to a server that is not ours is refused before anything is changed`() throws {
    let observer = try server.connect(user: "supabase_admin")
    let newestTransaction: SQL = "select pg_snapshot_xmax(pg_current_snapshot())"
    let before = try observer.value(newestTransaction)
    let logged = try Files.read(record.logFile).utf8.count
    let tunnel = try Forwarder(to: "\(record.socketFolder)/.s.PGSQL.\(record.port)")

    let error = refusal(url(host: "127.0.0.1", port: tunnel.port))

    let identifier = try observer.value("select system_identifier from pg_control_system()")
    #expect(
      error == .unproven(place: "127.0.0.1:\(tunnel.port)", systemIdentifier: identifier, forwardedFrom: nil))
    #expect(try observer.value(newestTransaction) == before)
    let statements = try Files.read(record.logFile).utf8.dropFirst(logged)
    let texts = String(Substring(statements)).split(separator: "\n")
      .compactMap { line in
        line.range(of: "execute <unnamed>: ").map { range in String(line[range.upperBound...]) }
      }
    let guarded = texts.filter {
      !$0.contains("pg_snapshot_xmax") && !$0.contains("select system_identifier from pg_control_system()")
    }
    #expect(!guarded.isEmpty)
    for text in guarded {
      #expect(
        ["begin transaction read only", "select", "commit", "rollback"].contains { text.hasPrefix($0) })
    }
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func `a server nobody vouches for is refused though it is here`(host: String) throws {
    #expect(refusal(url(host: host))?.diagnostics.first?.code == "target.unproven")
    #expect(refusal(socketURL)?.diagnostics.first?.code == "target.unproven")
  }

  @Test func `the refusal says how to vouch for the server, and doing so works`() throws {
    let error = try #require(refusal(socketURL)?.diagnostics.first)
    let observer = try server.connect(user: "supabase_admin")
    let identifier = try #require(try observer.value("select system_identifier from pg_control_system()"))

    #expect(
      error.hint
        == "if its data may be lost, add to nomdev.toml:\n[trust]\nsystem_identifiers = [\"\(identifier)\"]")
    let trusting = LoopbackGuard(environment: [:], trustedSystemIdentifiers: ["1", identifier])
    #expect(try trusting.admit(socketURL).proof == .trusted)
    #expect(refusal(socketURL, by: .init(environment: [:], trustedSystemIdentifiers: ["1"])) != nil)
  }

  @Test func `options from the environment can't imitate nomdev's own server`() throws {
    try ClusterRegistry.add(record)
    let token = "-c nomdev.instance=\(record.token)"
    let other = try ScratchDatabase.cluster()
    let conninfo =
      "host=\(other.record.socketFolder) port=\(other.record.port) user=supabase_admin dbname=postgres"

    let session = try LoopbackGuard(environment: ["PGOPTIONS": token]).admit(conninfo).connect()

    #expect(try session.value("show nomdev.instance") == other.record.token)
  }

  // MARK: - Ours

  @Test func `nomdev's own server passes by socket and by every loopback address`() throws {
    try ClusterRegistry.add(record)
    let hosts = ["localhost", "127.0.0.1"] + (LoopbackPort.hasIPv6 ? ["[::1]"] : [])

    for conninfo in hosts.map({ url(host: $0) }) + [socketURL] {
      let target = try keeper.admit(conninfo)
      #expect(target.proof == .startedByNomdev)
      #expect(try target.connect(database: "template1").database == "template1")
    }
  }

  @Test func `a tunnel in front of nomdev's own server is told apart and the way around it named`() throws {
    try ClusterRegistry.add(record)
    let place = "127.0.0.1:\(record.port)"
    let destination = "\(record.socketFolder)/.s.PGSQL.\(record.port)"
    let tunnel = try Forwarder(to: destination)
    let folder = try ScratchFolder()
    let socketTunnel = try Forwarder(to: destination, listeningIn: folder.path)

    for conninfo in [
      url(host: "127.0.0.1", port: tunnel.port),
      "host=\(folder.path) port=\(socketTunnel.port) user=supabase_admin dbname=postgres",
    ] {
      let error = refusal(conninfo)
      guard case .unproven(_, _, forwardedFrom: place) = error else {
        Issue.record("not told apart: \(String(describing: error))")
        continue
      }
    }
    #expect(try keeper.admit(url(host: "127.0.0.1")).proof == .startedByNomdev)
    #expect(place.hasSuffix(String(record.port)))
  }

  @Test func `every session is proven anew`() throws {
    try ClusterRegistry.add(record)
    let target = try keeper.admit(socketURL)
    // The first is the one the proof was asked for over.
    let first = try target.connect()
    ClusterRegistry.remove(token: record.token)

    #expect(try first.value("select 1") == "1")
    #expect(throws: TargetError.self) { try target.connect() }
  }

  @Test func `a record of a server at another place proves nothing`() throws {
    var moved = record
    moved.port += 1
    try ClusterRegistry.add(moved)

    #expect(refusal(url(host: "127.0.0.1")) != nil)
    #expect(refusal(socketURL) != nil)
  }

  @Test func `a record with another process proves nothing`() throws {
    var changed = record
    changed.server = .current
    try ClusterRegistry.add(changed)

    #expect(refusal(url(host: "127.0.0.1")) != nil)
    #expect(refusal(socketURL) != nil)
  }

  // MARK: - The development secret

  @Test func `the local stack's secret counts as a setting of the database alone`() throws {
    let secret = "super-secret-jwt-token-with-at-least-32-characters-long"
    let session = try server.connect(user: "supabase_admin")
    try session.run("create database marked")
    try session.run("create database unmarked")
    try session.run(
      script: """
        create role marked superuser login password 'secret';
        alter role marked set app.settings.jwt_secret = '\(secret)';
        alter role marked in database marked set app.settings.jwt_secret = '\(secret)';
        """)
    defer {
      _ = try? session.run(script: "drop database marked")
      _ = try? session.run(script: "drop database unmarked")
      _ = try? session.run(script: "drop role marked")
    }

    try session.run(script: "alter database unmarked set app.settings.jwt_secret = '\(secret)x'")
    #expect(refusal(url(host: "127.0.0.1", database: "marked")) != nil)
    #expect(refusal(url(host: "127.0.0.1", database: "unmarked")) != nil)
    #expect(refusal("postgres://marked:secret@127.0.0.1:\(record.port)/marked") != nil)
    try session.run(script: "alter database marked set app.settings.jwt_secret = '\(secret)'")
    #expect(try keeper.admit(url(host: "127.0.0.1", database: "marked")).proof == .developmentSecret)
    #expect(refusal(url(host: "127.0.0.1", database: "unmarked")) != nil)
  }

  @Test func `a user who may not ask for the identifier is told so`() throws {
    let session = try server.connect(user: "supabase_admin")
    try session.run(
      script:
        "create role lowly login password 'secret'; revoke execute on function pg_control_system() from public;"
    )
    defer {
      _ = try? session.run(script: "grant execute on function pg_control_system() to public; drop role lowly")
    }

    let error = refusal("postgres://lowly:secret@127.0.0.1:\(record.port)/postgres")

    #expect(error?.diagnostics.first?.detail?.contains("which it won't tell") == true)
  }

  // MARK: - Elsewhere

  @Test func `a database elsewhere is a hosted target and is not contacted`() throws {
    let listener = try Listener()
    let conninfo = "postgres://ada:hunter2@db.example.com:\(listener.port)/shop"

    let target = try DatabaseTarget.named(conninfo, guardedBy: keeper)

    #expect(!target.isLoopback)
    #expect(target.description == "postgres://ada@db.example.com:\(listener.port)/shop")
    #expect(listener.connections() == 0)
    #expect(throws: TargetError.service) {
      try DatabaseTarget.named("service=x", guardedBy: keeper)
    }
  }

  @Test func `a target that is declared hosted stays hosted though its server is nomdev's own`() throws {
    try ClusterRegistry.add(record)
    let local = TargetDeclaration(name: "here", kind: .local, databaseURL: socketURL)
    let hosted = TargetDeclaration(name: "prod", kind: .hosted, databaseURL: socketURL)

    #expect(try keeper.admit(local).proof == .startedByNomdev)
    #expect(throws: TargetError.declaredHosted("prod")) { try keeper.admit(hosted) }
    #expect(try DatabaseTarget.named(local, guardedBy: keeper).isLoopback)
    #expect(try !DatabaseTarget.named(hosted, guardedBy: keeper).isLoopback)
    #expect(throws: Diagnostic.self) { try keeper.admit(TargetDeclaration(name: "x", kind: .local)) }
  }

  @Test func `an unproven server here can be migrated when that is confirmed`() throws {
    let target = try DatabaseTarget.named(socketURL, guardedBy: keeper)

    guard case .hosted(let hosted) = target else {
      Issue.record("it passed as local")
      return
    }
    #expect(hosted.reason.diagnostics.first?.code == "target.unproven")
    #expect(try target.connect().database == "postgres")
  }

  // MARK: - The environment of the process

  @Test func `nothing in the process's environment changes where a session goes`() async throws {
    try ClusterRegistry.add(record)
    let conninfo = socketURL
    await #expect(processExitsWith: .success) { [conninfo = conninfo as String] in
      for (name, value) in [
        "PGHOST": "evil.test", "PGHOSTADDR": "192.0.2.1", "PGPORT": "1", "PGDATABASE": "evil",
        "PGUSER": "evil",
        "PGOPTIONS": "-c search_path=evil", "PGAPPNAME": "evil", "PGPASSFILE": "/evil",
        "PGSSLROOTCERT": "/evil",
      ] {
        setVariable(name, value)
      }
      let session = try LoopbackGuard(environment: [:]).admit(conninfo).connect()
      let seen = try session.value(
        "select current_setting('search_path') || current_setting('application_name')")
      precondition(session.database == "postgres" && seen?.contains("evil") == false)
      setVariable("PGSERVICE", "evil")
      do {
        _ = try LoopbackGuard(environment: [:]).admit(conninfo)
        preconditionFailure("PGSERVICE was passed over")
      } catch TargetError.service {}
    }
  }
}
