import Cluster
import Processes

/// `.nomdev` in a project: what the project's own stack keeps.
///
///     .nomdev/data          the cluster (for root in a closed folder a link into /var/lib/nomdev)
///     .nomdev/stack         which server runs on it
///     .nomdev/postgres.log  what that server says
///     .nomdev/lock          held by whoever starts, stops or resets it
struct StackFolder {
  let path: String
  let data: DataFolder

  var stateFile: String { "\(path)/stack" }
  var logFile: String { "\(path)/postgres.log" }
  var lockFile: String { "\(path)/lock" }

  /// Looks where things are, and makes nothing.
  init(project: String) throws {
    let project = Files.real(project) ?? project
    path = "\(project)/.nomdev"
    if let link = Files.destination(ofLink: "\(path)/data"), let home = Files.parent(of: link) {
      data = DataFolder(home: home)
    } else if let account = try ServerAccount.current(), !ServerAccount.canEnter(project, account) {
      // Root's own folders are closed to the account the server runs as.
      data = DataFolder(home: "/var/lib/nomdev/\(Self.name(project))")
    } else {
      data = DataFolder(home: path)
    }
  }

  /// Makes the folders.
  func make() throws {
    let mode: UInt32 = SystemUser.isRoot ? 0o711 : 0o700
    try Files.makeFolder(path, mode: mode)
    if !Files.exists("\(path)/.gitignore") { try Files.write("*\n", to: "\(path)/.gitignore", mode: 0o644) }
    guard data.home != path else { return }
    try Files.makeFolder(data.home, mode: mode)
    if Files.status("\(path)/data") == nil { try Files.link("\(path)/data", to: data.path) }
  }

  /// What was noted about the server that was started last; nil where nothing was, or it cannot be read.
  var record: ClusterRecord? {
    (try? Files.read(stateFile)).flatMap { ClusterRecord(text: $0) }
  }

  /// Keeps the log from growing without end: the last one stays beside it.
  func rotateLog() {
    if (Files.status(logFile)?.size ?? 0) > 10 << 20 { try? Files.rename(logFile, to: "\(logFile).1") }
  }

  /// A folder name that says which project it belongs to, the last part of its path for people.
  private static func name(_ project: String) -> String {
    let last = project.split(separator: "/").last.map(String.init) ?? "root"
    return "\(last)-\(PathDigest.hex(project))"
  }
}
