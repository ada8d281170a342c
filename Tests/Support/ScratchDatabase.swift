import Cluster
import Platform
import Postgres
import Synchronization

/// A database of its own for a test: a fresh copy of the platform, dropped when the object goes.
///
/// All tests of a process share one throw-away cluster, started at the first use and gone with the process.
package final class ScratchDatabase: Sendable {
  package let name: String

  /// - Parameters:
  ///   - grants: What the API's roles get on objects made later.
  ///   - bare: A database without the platform's schemas. The platform's roles are there all the same.
  package init(grants: GrantProfile = .explicit, bare: Bool = false) throws {
    name = "scratch_\(Self.count.add(1, ordering: .relaxed).newValue)"
    let cluster = try Self.cluster()
    try cluster.createDatabase(name, copyOf: bare ? "template0" : "platform")
    if !bare { try Self.cluster().connect(database: name).run(script: Platform.grants(grants)) }
  }

  deinit { try? Self.cluster().dropDatabase(name) }

  package func connect(as user: String = "postgres") throws -> Connection {
    let session = try Self.cluster().connect(user: user, database: name)
    // The database goes with this object, which a test may have let go of already.
    session.owner = self
    return session
  }

  /// A URL for any client, over the cluster's socket.
  package func url(as user: String = "postgres") throws -> String {
    try Self.cluster().url(user: user, database: name)
  }

  private static let count = Atomic(0)
  private static let shared = Swift.Result {
    let cluster = try RunningCluster.ephemeral()
    try cluster.createDatabase("platform", copyOf: "postgres")
    return cluster
  }

  /// The cluster of this test process.
  package static func cluster() throws -> RunningCluster { try shared.get() }
}
