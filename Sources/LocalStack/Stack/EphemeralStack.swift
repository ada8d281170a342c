import Cluster
import Platform
import Postgres

/// A platform database that is gone when the object is: for commands that need one and find none running.
package final class EphemeralStack: Sendable {
  package let cluster: RunningCluster

  /// - Parameter port: The TCP port on loopback to listen on; nil is the socket alone, 0 any free port.
  /// - Throws: ``ClusterError``, ``SystemError``. Nothing is left behind then.
  /// - Complexity: About a tenth of a second, after the template was made once.
  package init(
    grants: GrantProfile = .explicit, port: Int? = nil, content: TemplateContent = .platform
  ) throws {
    cluster = try RunningCluster.ephemeral(.init(port: port, content: content))
    try connect().run(script: Platform.grants(grants))
  }

  /// A URL of the database `postgres` for any client.
  package var connectionURL: String { cluster.url() }

  package func connect(as user: String = "postgres") throws -> Connection {
    try cluster.connect(user: user)
  }

  /// The extensions its server stands in for, by name.
  package func standIns() throws -> [StackStatus.StandIn] { try StackStatus.standIns(connect()) }

  /// Stops the server and removes its data. The object's end does the same.
  package func close() { cluster.close() }
}
