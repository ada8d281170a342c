import Postgres
import Processes

/// Which TCP port a cluster listens on.
package enum PortChoice: Sendable, Hashable {
  /// This one if it is free, else another.
  case preferred(Int)
  /// This one or none.
  case exactly(Int)

  var number: Int {
    switch self {
    case .preferred(let port), .exactly(let port): port
    }
  }
}

extension RunningCluster {
  /// Starts a server on data that stay. It goes on when this process ends, and recovers by itself after a
  /// kill.
  ///
  /// The caller holds a lock on the data and has found no server running on them.
  ///
  /// - Throws: ``ClusterError``, ``SystemError``. No server is running then, and the data are untouched.
  package static func persistent(
    _ data: DataFolder, template: TemplateCluster, port: PortChoice, logFile: String,
    settings extra: [String: String] = [:]
  ) throws -> RunningCluster {
    try data.check(major: template.major)
    let account = try ServerAccount.current()
    let folder = Files.real(data.path) ?? data.path
    stopOrphans(of: folder)
    try removeStalePidFile(folder)
    var settings = ServerSettings(
      socketFolder: try SocketFolder.make(for: folder, account: account), port: port.number, listens: true,
      hasIPv6: LoopbackPort.hasIPv6, token: RandomToken.hex(bytes: 16), isThrowAway: false, extra: extra)
    let place = ServerProcess.Place(
      programs: template.programs, dataFolder: folder, logFile: logFile, account: account)
    do {
      let server = try start(place, &settings, port)
      let record = ClusterRecord(
        token: settings.token, server: server, port: settings.port, listens: true,
        socketFolder: settings.socketFolder, dataFolder: folder, logFile: logFile,
        template: template.folder, systemIdentifier: template.systemIdentifier)
      try ClusterRegistry.add(record)
      return RunningCluster(record: record, throwAwayFolder: nil)
    } catch {
      try? Files.remove(settings.socketFolder)
      throw error
    }
  }

  private static func start(
    _ place: ServerProcess.Place, _ settings: inout ServerSettings, _ choice: PortChoice
  ) throws -> ProcessIdentity {
    if LoopbackPort.isFree(settings.port) {
      do {
        return try ServerProcess.start(place, settings, outlives: true)
      } catch ClusterError.portInUse where choice != .exactly(settings.port) {
        // Taken between the look and the start: as if it had been taken before.
      }
    }
    guard case .preferred = choice, let other = LoopbackPort.free() else {
      throw ClusterError.portInUse(settings.port)
    }
    settings.port = other
    return try ServerProcess.start(place, settings, outlives: true)
  }

  /// The server that runs on these data, whoever started it and whether or not it was written down: nomdev
  /// may have been killed between the start and the note.
  ///
  /// - Parameter record: What was noted when it was started.
  /// - Returns: nil when none runs.
  /// - Throws: ``ClusterError`` when one runs and does not get ready.
  package static func running(
    on data: DataFolder, record: ClusterRecord?, template: String, logFile: String
  ) throws -> RunningCluster? {
    let folder = Files.real(data.path) ?? data.path
    if let record, record.server.isAlive, record.dataFolder == folder,
      ServerProcess.isReady(folder, pid: record.server.pid)
    {
      return RunningCluster(record: record, throwAwayFolder: nil)
    }
    guard let server = server(on: folder) else { return nil }
    let limit = Duration.seconds(60)
    let clock = ContinuousClock()
    let end = clock.now + limit
    while !ServerProcess.isReady(folder, pid: server.pid) {
      if !server.isAlive { return nil }
      if clock.now >= end {
        throw ClusterError.notReady(
          within: limit, log: Files.lastLines(logFile, 12), logFile: logFile)
      }
      pause(.milliseconds(2))
    }
    guard let file = PidFile(dataFolder: folder) else { return nil }
    return try adopt(server, file, folder: folder, template: template, logFile: logFile)
  }

  /// Takes up a server that nobody wrote down: it says itself what its record would have said.
  private static func adopt(
    _ server: ProcessIdentity, _ file: PidFile, folder: String, template: String, logFile: String
  ) throws -> RunningCluster {
    let session = try Connection(
      parameters: parameters(
        host: file.socketFolder, port: file.port, user: superuser, database: "template1"))
    let row = try session.rows(
      """
      select pg_catalog.current_setting('nomdev.instance', true),
        pg_catalog.current_setting('listen_addresses'), system_identifier
      from pg_catalog.pg_control_system()
      """
    ).first
    let record = ClusterRecord(
      token: row?[0] ?? "", server: server, port: file.port, listens: row?[1]?.isEmpty == false,
      socketFolder: file.socketFolder, dataFolder: folder, logFile: logFile, template: template,
      systemIdentifier: row?[2] ?? "")
    if !record.token.isEmpty { try ClusterRegistry.add(record) }
    return RunningCluster(record: record, throwAwayFolder: nil)
  }

  /// The process that runs a server on a data folder, ready or not.
  private static func server(on folder: String) -> ProcessIdentity? {
    guard let file = PidFile(dataFolder: folder), let process = ProcessIdentity(pid: file.pid) else {
      return nil
    }
    // The number may be another process's by now. A server works in its data folder; where the system does
    // not tell, the pid file is believed.
    if let place = Files.destination(ofLink: "/proc/\(file.pid)/cwd"), place != folder { return nil }
    return process
  }

  /// Ends servers whose data somebody removed under them: they would keep the port.
  private static func stopOrphans(of folder: String) {
    for record in ClusterRegistry.running() where record.dataFolder == folder {
      RunningCluster(record: record, throwAwayFolder: nil).close()
    }
  }

  /// Removes the pid file of a server that is gone: the next one would take a process with the same number
  /// for it, and refuse to start.
  private static func removeStalePidFile(_ folder: String) throws {
    if server(on: folder) == nil { try Files.remove("\(folder)/postmaster.pid") }
  }
}
