import Processes

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Starting and stopping the server's first process.
enum ServerProcess {
  /// The environment of every program of the server: nothing of the user's `PG…` variables.
  static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"]

  struct Place {
    var programs: String
    var dataFolder: String
    var logFile: String
    var account: SystemUser?
  }

  /// Starts a server and waits until it takes connections.
  ///
  /// - Parameter outlives: Whether it goes on when this process ends.
  /// - Throws: ``ClusterError`` with the server's last words. It is not running then.
  static func start(
    _ place: Place, _ settings: ServerSettings, outlives: Bool, limit: Duration = .seconds(120)
  ) throws -> ProcessIdentity {
    var launch = Launch("\(place.programs)/postgres", ["-D", place.dataFolder] + settings.arguments)
    launch.environment = environment
    launch.folder = "/"
    launch.output = .file(place.logFile)
    launch.error = .file(place.logFile)
    launch.group = outlives ? .ownSession : .own
    launch.user = place.account
    launch.deathSignal = outlives ? nil : SIGQUIT
    let logStart = Files.status(place.logFile)?.size ?? 0
    let child = try ChildProcess(launch)
    let clock = ContinuousClock()
    let end = clock.now + limit
    var rest = Duration.microseconds(500)
    while !isReady(place.dataFolder, pid: child.pid) {
      if child.poll() != nil {
        throw ClusterError.start(
          log: lastWords(place, since: logStart), logFile: place.logFile, folder: place.dataFolder,
          port: settings.port)
      }
      if clock.now >= end {
        child.send(signal: SIGQUIT)
        child.wait()
        throw ClusterError.notReady(
          within: limit, log: lastWords(place, since: logStart), logFile: place.logFile)
      }
      pause(rest)
      rest = min(rest * 3 / 2, .milliseconds(5))
    }
    // Where one of two addresses is taken, the server only warns, and clients would reach somebody else.
    let words = settings.listens ? lastWords(place, since: logStart) : []
    if words.contains(where: { $0.contains("could not create listen socket") }) {
      stop(child.identity, .fast)
      throw ClusterError.portInUse(settings.port)
    }
    return child.identity
  }

  /// Whether the server with this pid says in its pid file that it takes connections.
  static func isReady(_ dataFolder: String, pid: Int32) -> Bool {
    guard let file = PidFile(dataFolder: dataFolder) else { return false }
    return file.pid == pid && file.status == "ready"
  }

  /// How a server is asked to end.
  enum Stop: Int32 {
    /// Sessions are ended, data written.
    case fast = 2  // SIGINT
    /// At once; the next start recovers.
    case immediate = 3  // SIGQUIT
  }

  /// Ends a server and waits until it is gone; one that is gone already is no error. A server that does not
  /// go within 30 seconds is asked to end at once, and after 5 more is killed.
  static func stop(_ server: ProcessIdentity, _ how: Stop) {
    server.send(signal: how.rawValue)
    reap(server)
    if server.waitUntilGone(within: .seconds(how == .fast ? 30 : 5)) { return reap(server) }
    server.send(signal: SIGQUIT)
    if server.waitUntilGone(within: .seconds(5)) { return reap(server) }
    server.send(signal: SIGKILL)
    _ = server.waitUntilGone(within: .seconds(5))
    reap(server)
  }

  /// Takes the zombie away if the server was a child of this process; otherwise nothing happens.
  private static func reap(_ server: ProcessIdentity) {
    waitpid(server.pid, nil, WNOHANG)
  }

  private static func lastWords(_ place: Place, since start: Int) -> [String] {
    let lines = Files.lastLines(place.logFile, 12)
    // An old log says nothing about this start.
    return (Files.status(place.logFile)?.size ?? 0) > start ? lines : []
  }
}

/// `postmaster.pid`: what a running server says about itself.
struct PidFile {
  let pid: Int32
  let port: Int
  let socketFolder: String
  /// `starting`, `ready`, `stopping`; empty before the server got there.
  let status: String

  init?(dataFolder: String) {
    guard let text = try? Files.read("\(dataFolder)/postmaster.pid") else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 5, let pid = Int32(lines[0]), let port = Int(lines[3]) else { return nil }
    self.pid = pid
    self.port = port
    socketFolder = String(lines[4])
    status = lines.count > 7 ? String(lines[7].prefix { $0 != " " }) : ""
  }
}
