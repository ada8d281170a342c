import Cluster
import Diagnostics
import Platform
import Postgres
import Processes

/// The stack of one project: a platform database whose data stay in `.nomdev/`, and which goes on running
/// when nomdev ends.
///
/// Every operation takes the project's lock, so two at once are one after the other. A process that is
/// killed in the middle leaves what the next `up` mends.
package struct ProjectStack: Sendable {
  package var port: PortChoice
  /// For data that are made from now on; existing data keep theirs.
  package var grants: GrantProfile
  /// Asked for only where a template is made or compared: reading and digesting it is most of the time a
  /// command takes that finds the stack running.
  private let template: @Sendable () -> TemplateContent
  /// The folder of templates; nil is the user's own.
  package var cache: String?
  /// Settings of the server beside nomdev's own.
  package var settings: [String: String] = [:]

  private let folder: StackFolder
  private var content: TemplateContent { template() }

  /// - Parameter project: The folder that `.nomdev` is in or comes into.
  /// - Throws: ``ClusterError/noServerUser``. Nothing is made yet.
  package init(
    project: String, port: PortChoice = .preferred(54322), grants: GrantProfile = .explicit,
    content: @autoclosure @escaping @Sendable () -> TemplateContent = .platform, cache: String? = nil
  ) throws {
    self.port = port
    self.grants = grants
    template = content
    self.cache = cache
    folder = try StackFolder(project: project)
  }

  /// Starts the stack, or finds it running, and returns when it takes connections.
  ///
  /// - Throws: ``ClusterError``, ``SystemError``. Data that were there stay as they were.
  package func up() throws -> StackStatus {
    try locked {
      if let cluster = try find(nil) { return try status(cluster, wasRunning: true) }
      let template = try TemplateCluster.ready(content: content, cache: cache)
      try folder.data.mend()
      // Under data that mending put back, a server may run.
      if let cluster = try find(template) { return try status(cluster, wasRunning: true) }
      if !folder.data.exists { try folder.data.make(from: template) }
      return try status(start(template, port), wasRunning: false)
    }
  }

  /// Stops the stack. Its data stay.
  ///
  /// - Returns: Whether it was running.
  @discardableResult
  package func down() throws -> Bool {
    guard Files.exists(folder.path) else { return false }
    return try locked {
      let cluster = try find(nil)
      cluster?.close()
      try Files.remove(folder.stateFile)
      return cluster != nil
    }
  }

  /// What the stack tells about itself; nil when it does not run. Waits for who is starting it.
  package func status() throws -> StackStatus? {
    guard Files.exists(folder.path) else { return nil }
    return try locked {
      try find(nil).map { try status($0, wasRunning: true) }
    }
  }

  /// Makes the stack new: the platform, and nothing of what was in the database. It runs afterwards, on the
  /// port it had.
  ///
  /// Until the new data are complete the old ones stay in use; a kill leaves the one or the other.
  ///
  /// - Throws: ``ClusterError``, ``SystemError``.
  package func reset() throws -> StackStatus {
    try locked {
      let template = try TemplateCluster.ready(content: content, cache: cache)
      try folder.data.mend()
      let cluster = try find(template)
      try folder.data.prepareReplacement(from: template)
      cluster?.close(.immediate)
      try folder.data.putInPlace()
      var port = port
      if let cluster, case .preferred = port { port = .preferred(cluster.record.port) }
      let status = try status(start(template, port), wasRunning: cluster != nil)
      try folder.data.recycleReplaced(for: template)
      return status
    }
  }

  /// Whether there are data that a reset would delete.
  package var hasData: Bool { folder.data.exists }

  /// Opens a session with the stack that runs; nil when none does.
  package func connect(as user: String = "postgres") throws -> Connection? {
    try find(nil)?.connect(user: user)
  }

  package var logFile: String { folder.logFile }

  /// The server's last lines, oldest first.
  package func log(lines: Int) -> [String] { Files.lastLines(folder.logFile, lines) }

  // MARK: - Parts

  private func locked<T>(_ body: () throws -> T) throws -> T {
    try folder.make()
    let lock = try FileLock.take(folder.lockFile)
    return try withExtendedLifetime(lock) { try body() }
  }

  /// The server that runs on the data, written down again if it was not.
  private func find(_ template: TemplateCluster?) throws -> RunningCluster? {
    let noted = folder.record
    guard folder.data.exists else { return nil }
    let cluster = try RunningCluster.running(
      on: folder.data, record: noted, template: template?.folder ?? noted?.template ?? "",
      logFile: folder.logFile)
    guard let cluster else { return nil }
    if cluster.record != noted { try Files.write(cluster.record.text, to: folder.stateFile) }
    return cluster
  }

  private func start(_ template: TemplateCluster, _ port: PortChoice) throws -> RunningCluster {
    folder.rotateLog()
    let cluster = try RunningCluster.persistent(
      folder.data, template: template, port: port, logFile: folder.logFile, settings: settings)
    try Files.write(cluster.record.text, to: folder.stateFile)
    if folder.data.note == nil { try finish(cluster) }
    return cluster
  }

  /// What is done once to new data. The note that it was done comes last: after a kill it is done again.
  private func finish(_ cluster: RunningCluster) throws {
    try cluster.connect().run(script: Platform.grants(grants))
    try folder.data.write(note: "\(grants.rawValue)\n\(content.digest)\n")
  }

  private func status(_ cluster: RunningCluster, wasRunning: Bool) throws -> StackStatus {
    // A kill between the start and the note left a server whose data are not finished.
    if folder.data.note == nil { try finish(cluster) }
    let note = (folder.data.note ?? "").split(separator: "\n").map(String.init)
    return StackStatus(
      cluster: cluster, wasRunning: wasRunning, grants: note.first.flatMap { GrantProfile(rawValue: $0) },
      platform: note.count > 1 ? note[1] : "")
  }
}
