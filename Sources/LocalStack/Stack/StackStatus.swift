import Platform
import Postgres
import Processes

/// What a stack that runs tells about itself.
package struct StackStatus: Sendable, Hashable {
  /// An extension nomdev stands in for, because the machine does not have it: it can be created and its
  /// functions exist, but it does not do the work.
  package struct StandIn: Sendable, Hashable {
    package let name: String
    package let isInstalled: Bool
    /// What it says about itself.
    package let comment: String
  }

  package let record: ClusterRecord
  /// Whether it ran before it was asked for.
  package let wasRunning: Bool
  /// `postgresql://postgres:postgres@127.0.0.1:54322/postgres`
  package let databaseURL: String
  /// The server's version: `15.20`.
  package let version: String
  /// The profile its data were made with.
  package let grants: GrantProfile?
  /// Whether its data were made with another version of the platform than this nomdev has. A reset brings
  /// them up to date.
  package let isOutdated: Bool
  package let standIns: [StandIn]

  package var port: Int { record.port }
  package var dataFolder: String { record.dataFolder }
  package var logFile: String { record.logFile }

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
