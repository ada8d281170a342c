/// What nomdev wrote down about a PostgreSQL server it started on this machine.
package struct ClusterRecord: Sendable, Hashable {
  /// The random value this server was started with as `nomdev.instance`. Who reads the same value from a
  /// server they reached has reached this one, and not another behind a tunnel.
  package var token: String
  package var server: ProcessIdentity
  /// The port in the socket's name, and of TCP where ``listens``.
  package var port: Int
  /// Whether it listens on TCP, on loopback only.
  package var listens: Bool
  package var socketFolder: String
  package var dataFolder: String
  package var logFile: String
  /// The template its data are a copy of and its programs come from.
  package var template: String
  /// `system_identifier` of the control file: the same for every copy of one template, so it tells kinds of
  /// clusters apart, not clusters.
  package var systemIdentifier: String

  package init(
    token: String, server: ProcessIdentity, port: Int, listens: Bool, socketFolder: String,
    dataFolder: String, logFile: String, template: String, systemIdentifier: String
  ) {
    self.token = token
    self.server = server
    self.port = port
    self.listens = listens
    self.socketFolder = socketFolder
    self.dataFolder = dataFolder
    self.logFile = logFile
    self.template = template
    self.systemIdentifier = systemIdentifier
  }

  /// One `key=value` a line: written and read without a document parser.
  package var text: String {
    """
    token=\(token)
    pid=\(server.pid)
    start_time=\(server.startTime)
    port=\(port)
    listens=\(listens)
    socket_folder=\(socketFolder)
    data_folder=\(dataFolder)
    log_file=\(logFile)
    template=\(template)
    system_identifier=\(systemIdentifier)

    """
  }

  /// Reads what ``text`` wrote; nil when it is anything else, or a part of it.
  package init?(text: String) {
    var values: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { return nil }
      values[line[..<equals]] = String(line[line.index(after: equals)...])
    }
    guard let token = values["token"], !token.isEmpty, let pid = values["pid"].flatMap({ Int32($0) }),
      let time = values["start_time"].flatMap({ UInt64($0) }),
      let port = values["port"].flatMap({ Int($0) }), let listens = values["listens"],
      let socketFolder = values["socket_folder"], let dataFolder = values["data_folder"],
      let logFile = values["log_file"], let template = values["template"],
      let systemIdentifier = values["system_identifier"]
    else { return nil }
    self.init(
      token: token, server: ProcessIdentity(pid: pid, startTime: time), port: port,
      listens: listens == "true", socketFolder: socketFolder, dataFolder: dataFolder, logFile: logFile,
      template: template, systemIdentifier: systemIdentifier)
  }
}

/// The servers nomdev started for this user on this machine: one private file each, in the user's state
/// folder. The guard of targets asks it whether a server on loopback is one of them.
package enum ClusterRegistry {
  static var folder: String { "\(UserFolders.state)/clusters" }

  /// Those that run now. Records of servers that are gone are removed.
  package static func running() -> [ClusterRecord] {
    Files.names(in: folder).sorted().compactMap { name in
      guard name.hasSuffix(".cluster") else { return nil }
      let path = "\(folder)/\(name)"
      guard isPrivate(path), let record = (try? Files.read(path)).flatMap({ ClusterRecord(text: $0) }),
        record.server.isAlive
      else {
        try? Files.remove(path)
        return nil
      }
      return record
    }
  }

  /// Writes a server down. A second time with the same token replaces the record.
  package static func add(_ record: ClusterRecord) throws {
    try Files.makeFolder(folder)
    try Files.write(record.text, to: path(record.token))
  }

  /// Strikes a server out. One that is not written down is no error.
  package static func remove(token: String) {
    try? Files.remove(path(token))
  }

  private static func path(_ token: String) -> String { "\(folder)/\(token).cluster" }

  /// A record somebody else could have written proves nothing.
  private static func isPrivate(_ path: String) -> Bool {
    guard let status = Files.status(path) else { return false }
    return status.kind == .file && status.mode & 0o077 == 0
      && (status.owner == SystemUser.currentID || status.owner == 0)
  }
}
