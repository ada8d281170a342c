import Diagnostics
import Postgres
import Processes

/// Every way a private PostgreSQL can fail to be there: one case, one code, one remedy.
package enum ClusterError: Diagnosable {
  /// No server binaries; the places that were looked at.
  case notFound(searched: [String])
  /// `NOMDEV_PG_BIN` names a folder without them.
  case notAServerFolder(String)
  case unsupportedVersion(String, folder: String)
  /// Root must not run a server, and there is no account to run it as.
  case noServerUser
  case initFailed(output: String)
  /// A script of the platform was refused while the template was made.
  case platformScript(name: String, PostgresError)
  /// The server ended, or did not get ready, and what it logged last.
  case startFailed(log: [String], logFile: String)
  case notReady(within: Duration, log: [String], logFile: String)
  case portInUse(Int)
  case diskFull(folder: String, detail: String)
  /// The data were made by another major version.
  case dataVersion(found: String, server: Int, folder: String)
  /// The data folder is there but is not a whole cluster.
  case dataIncomplete(folder: String, missing: String)

  package var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .notFound(let searched):
      Diagnostic(
        "cluster.not_found", "no PostgreSQL server was found on this machine",
        detail: "looked in \(searched.joined(separator: ", "))", hint: Self.installHint)
    case .notAServerFolder(let folder):
      Diagnostic(
        "cluster.not_found", "NOMDEV_PG_BIN names a folder without a PostgreSQL server",
        detail: "\(folder) has no programs postgres and initdb",
        hint: "set it to the folder of the server's programs, or unset it")
    case .unsupportedVersion(let version, let folder):
      Diagnostic(
        "cluster.unsupported_version", "PostgreSQL \(version) is not supported",
        detail: "found in \(folder); versions 15 to 18 are supported", hint: Self.installHint)
    case .noServerUser:
      Diagnostic(
        "cluster.no_server_user", "the server refuses to run as root, and no other account was found",
        detail: "looked for the accounts postgres and nobody", hint: "run nomdev as an ordinary user")
    case .initFailed(let output):
      Diagnostic("cluster.init", "initdb could not make a database cluster", detail: output)
    case .platformScript(let name, let error):
      Diagnostic(
        "cluster.platform", "the platform's \(name) was refused: \(error.message)",
        detail: error.detail ?? error.context, hint: "this is a fault of nomdev: please report it",
        sqlState: error.state.rawValue)
    case .startFailed(let log, let file):
      Diagnostic(
        "cluster.start", "the database server did not start", detail: log.joined(separator: "\n"),
        hint: "read \(file)")
    case .notReady(let limit, let log, let file):
      Diagnostic(
        "cluster.not_ready", "the database server was not ready within \(limit.components.seconds) seconds",
        detail: log.joined(separator: "\n"), hint: "read \(file)")
    case .portInUse(let port):
      Diagnostic(
        "cluster.port_in_use", "port \(port) is taken by another program",
        hint: "stop that program, or choose another port")
    case .diskFull(let folder, let detail):
      Diagnostic(
        "cluster.disk_full", "there is no space left for the database in \(folder)", detail: detail,
        hint: "free some space, then run the command again: nothing was lost")
    case .dataVersion(let found, let server, let folder):
      Diagnostic(
        "cluster.data_version", "the data in \(folder) belong to PostgreSQL \(found), not \(server)",
        hint: "run nomdev stack reset to start over with PostgreSQL \(server), "
          + "or point NOMDEV_PG_BIN at PostgreSQL \(found)")
    case .dataIncomplete(let folder, let missing):
      Diagnostic(
        "cluster.data_incomplete", "the data folder \(folder) is damaged", detail: "it has no \(missing)",
        hint: "run nomdev stack reset to start over")
    }
  }

  private static var installHint: String {
    #if os(macOS)
      "install one with: brew install postgresql@17"
    #else
      "install one with: apt-get install --no-install-recommends postgresql"
    #endif
  }

  /// The server's last words, sorted into what they mean.
  static func start(log: [String], logFile: String, folder: String, port: Int) -> ClusterError {
    if let line = log.last(where: { $0.contains("No space left on device") }) {
      return .diskFull(folder: folder, detail: line)
    }
    if log.contains(where: { $0.contains("could not create any TCP/IP sockets") }) {
      return .portInUse(port)
    }
    return .startFailed(log: log, logFile: logFile)
  }
}
