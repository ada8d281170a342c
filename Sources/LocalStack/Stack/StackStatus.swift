import Cluster
import Platform
import Postgres
import Processes

/// What a stack that runs tells about itself, without being asked over a connection.
package struct StackStatus: Sendable {
  /// Whether it ran before it was asked for.
  package let wasRunning: Bool
  /// The profile its data were made with.
  package let grants: GrantProfile?

  private let cluster: RunningCluster
  /// The digest of the platform its data were made with.
  private let platform: String

  init(cluster: RunningCluster, wasRunning: Bool, grants: GrantProfile?, platform: String) {
    self.cluster = cluster
    self.wasRunning = wasRunning
    self.grants = grants
    self.platform = platform
  }

  package var record: ClusterRecord { cluster.record }
  /// For any client: `postgresql://postgres:postgres@127.0.0.1:54322/postgres`
  package var databaseURL: String { cluster.url() }
  /// The same database over the server's socket, where no password has to be proven: quicker.
  package var socketURL: String { cluster.socketURL() }
  package var port: Int { record.port }
  package var dataFolder: String { record.dataFolder }
  package var logFile: String { record.logFile }

  /// Opens a session over the socket.
  package func connect(as user: String = "postgres") throws -> Connection { try cluster.connect(user: user) }

  /// Whether its data were made with another platform than this. A reset brings them up to date.
  package func isOutdated(for content: TemplateContent = .platform) -> Bool { platform != content.digest }

  /// What only the server itself knows.
  package func details() throws -> Details {
    let session = try connect()
    let version = session.serverVersion
    return Details(
      version: "\(version / 10000).\(version % 10000)", standIns: try Self.standIns(session))
  }

  package struct Details: Sendable, Hashable {
    /// The server's version: `15.20`.
    package let version: String
    package let standIns: [StandIn]
  }

  /// An extension nomdev stands in for, because the machine does not have it: it can be created and its
  /// functions exist, but it does not do the work.
  package struct StandIn: Sendable, Hashable {
    package let name: String
    package let isInstalled: Bool
    /// What it says about itself.
    package let comment: String
  }

  /// What the comments of stand-ins begin with.
  static let standInMark = "nomdev stand-in:"

  /// The stand-ins a server offers, by name.
  static func standIns(_ session: Connection) throws -> [StandIn] {
    let rows = try session.rows(
      """
      select name, installed_version is not null, comment
      from pg_catalog.pg_available_extensions
      where pg_catalog.starts_with(comment, \(standInMark))
      order by name
      """)
    return rows.map { row in
      let comment = (row[2] ?? "").dropFirst(standInMark.count).drop { $0 == " " }
      return StandIn(name: row[0] ?? "", isInstalled: row[1] == "t", comment: String(comment))
    }
  }
}
