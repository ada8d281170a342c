import Processes

extension RunningCluster {
  /// What a throw-away cluster is to be like.
  package struct EphemeralOptions: Sendable {
    /// The TCP port on loopback to listen on; nil is the socket alone, 0 any free port.
    package var port: Int?
    /// Settings of the server beside nomdev's own.
    package var settings: [String: String]
    package var content: TemplateContent
    /// The folder of templates; nil is the user's own.
    package var cache: String?
    /// The folder for the data; nil is memory (`/dev/shm`) where there is enough, else the temporary folder.
    package var folder: String?

    package init(
      port: Int? = nil, settings: [String: String] = [:], content: TemplateContent = .platform,
      cache: String? = nil, folder: String? = nil
    ) {
      self.port = port
      self.settings = settings
      self.content = content
      self.cache = cache
      self.folder = folder
    }
  }

  /// Starts a throw-away platform cluster: a copy of the template, without durability, gone when the
  /// returned object is.
  ///
  /// It dies with this process however that ends (on Linux; elsewhere when this process ends by itself or
  /// by Ctrl-C). The data of a process that was killed are removed by the next start.
  ///
  /// - Throws: ``ClusterError``, ``SystemError``. Nothing is left behind then.
  package static func ephemeral(_ options: EphemeralOptions = .init()) throws -> RunningCluster {
    let account = try ServerAccount.current()
    let template = try TemplateCluster.ready(content: options.content, cache: options.cache)
    let base = try options.folder ?? ThrowAwayFolder.base()
    ThrowAwayFolder.sweep(base)
    let folder = try ThrowAwayFolder.make(in: base, account: account)
    do {
      return try start(template, in: folder, account: account, options)
    } catch {
      try? Files.remove(folder)
      throw CacheFolder.diskFull(error, folder)
    }
  }

  private static func start(
    _ template: TemplateCluster, in folder: String, account: SystemUser?, _ options: EphemeralOptions
  ) throws -> RunningCluster {
    let place = ServerProcess.Place(
      programs: template.programs, dataFolder: "\(folder)/data", logFile: "\(folder)/postgres.log",
      account: account)
    try Files.copyTree(template.data, to: place.dataFolder, owner: account)
    // A path too long for a socket gets a folder of its own.
    let fits = folder.utf8.count <= 80
    let sockets = fits ? folder : try SocketFolder.make(for: folder, account: account)
    var settings = ServerSettings(
      socketFolder: sockets, port: 5432, listens: options.port != nil, hasIPv6: false,
      token: RandomToken.hex(bytes: 16), isThrowAway: true, extra: options.settings)
    if let port = options.port {
      settings.hasIPv6 = LoopbackPort.hasIPv6
      guard let chosen = port == 0 ? LoopbackPort.free() : port, LoopbackPort.isFree(chosen) else {
        throw ClusterError.portInUse(port)
      }
      settings.port = chosen
    }
    let server = try ServerProcess.start(place, settings, outlives: false)
    let record = ClusterRecord(
      token: settings.token, server: server, port: settings.port, listens: settings.listens,
      socketFolder: sockets, dataFolder: place.dataFolder, logFile: place.logFile,
      template: template.folder, systemIdentifier: template.systemIdentifier)
    ThrowAwayFolder.note(server, in: folder)
    let cluster = RunningCluster(record: record, throwAwayFolder: folder)
    try ClusterRegistry.add(record)
    cluster.closeWithProcess()
    return cluster
  }
}

/// Folders of throw-away clusters. Their names say whose they are: `<pid>.<start time>.<random>`.
enum ThrowAwayFolder {
  /// Memory where there is enough of it, else the temporary folder.
  static func base() throws -> String {
    let name = "nomdev-\(SystemUser.currentID)"
    // A cluster takes 40 MB at once and grows with what the user's migrations and seeds put in.
    if let free = Files.freeBytes("/dev/shm"), free > 512 << 20,
      (try? SocketFolder.makeOwn("/dev/shm/\(name)")) == true
    {
      return "/dev/shm/\(name)"
    }
    let path = "\(Files.temporaryFolder)/\(name)-data"
    if try SocketFolder.makeOwn(path) { return path }
    return try Files.makeTemporaryFolder(in: Files.temporaryFolder, named: "nomdev-data-")
  }

  static func make(in base: String, account: SystemUser?) throws -> String {
    let me = ProcessIdentity.current
    let folder = try Files.makeTemporaryFolder(in: base, named: "\(me.pid).\(me.startTime).")
    if let account { try Files.give(folder, to: account) }
    return folder
  }

  /// Writes down the server of a folder, for whoever sweeps it up.
  static func note(_ server: ProcessIdentity, in folder: String) {
    try? Files.write("\(server.pid) \(server.startTime)\n", to: "\(folder)/server")
  }

  /// Removes what processes that are gone left, and ends servers of theirs that still run.
  static func sweep(_ base: String) {
    for name in Files.names(in: base) {
      let parts = name.split(separator: ".")
      guard parts.count == 3, let pid = Int32(parts[0]), let time = UInt64(parts[1]),
        !ProcessIdentity(pid: pid, startTime: time).isAlive
      else { continue }
      let folder = "\(base)/\(name)"
      let server = ((try? Files.read("\(folder)/server")) ?? "").split(whereSeparator: \.isWhitespace)
      if server.count == 2, let pid = Int32(server[0]), let time = UInt64(server[1]) {
        ServerProcess.stop(ProcessIdentity(pid: pid, startTime: time), .immediate)
      }
      try? Files.remove(folder)
    }
  }
}
