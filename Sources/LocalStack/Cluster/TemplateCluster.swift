import Postgres
import Processes

/// A platform cluster that was made once on this machine and is copied for every use.
package struct TemplateCluster: Sendable {
  /// Holds `prefix`, `data` and `ready`.
  package let folder: String
  /// The server's version, as it says it: `15.20`.
  package let version: String
  package let systemIdentifier: String
  /// The private copy of the server's programs.
  package let programs: String

  package var major: Int { Int(version.prefix { $0.isNumber }) ?? 0 }
  var data: String { "\(folder)/data" }

  /// Changes when a template made by an older nomdev can no longer be used.
  private static let format = "1"

  /// Finds the template for a server and a platform, or makes it: half a second and more, the first time.
  ///
  /// Two processes may ask at once: one makes it, the other waits. One that is killed in the middle leaves
  /// only a folder that the next one removes.
  ///
  /// - Parameter cache: The folder of all templates; nil is the user's own.
  /// - Throws: ``ClusterError``, ``SystemError``.
  package static func ready(
    content: TemplateContent = .platform, cache: String? = nil, installation: ServerInstallation? = nil
  ) throws -> TemplateCluster {
    let installation = try installation ?? ServerInstallation.find()
    let cache = try cache ?? CacheFolder.path()
    let key = PathDigest.hex("\(format)\n\(installation.fingerprint)\n\(content.digest)")
    let folder = "\(cache)/template-\(key)"
    if let found = TemplateCluster(folder: folder) { return found }
    try CacheFolder.make(cache)
    let lock = try FileLock.take("\(cache)/lock")
    defer { withExtendedLifetime(lock) {} }
    if let found = TemplateCluster(folder: folder) { return found }
    CacheFolder.prune(cache, keeping: folder)
    let draft = try Files.makeTemporaryFolder(in: cache, named: CacheFolder.draftPrefix)
    do {
      try TemplateBuilder(installation: installation, content: content, folder: draft).build()
      try? Files.remove(folder)
      try Files.rename(draft, to: folder)
    } catch {
      try? Files.remove(draft)
      throw CacheFolder.diskFull(error, cache)
    }
    guard let made = TemplateCluster(folder: folder) else {
      throw ClusterError.initFailed(output: "\(folder) is not complete")
    }
    return made
  }

  /// Reads the note of a finished template; nil where there is none. Marks it as used.
  private init?(folder: String) {
    let note = "\(folder)/ready"
    guard let text = try? Files.read(note) else { return nil }
    let lines = text.split(separator: "\n").map(String.init)
    guard lines.count == 3 else { return nil }
    (self.folder, version, systemIdentifier) = (folder, lines[0], lines[1])
    programs = "\(folder)/prefix\(lines[2])"
    CacheFolder.markUsed(note)
  }

  static func note(version: String, systemIdentifier: String, programs: String) -> String {
    "\(version)\n\(systemIdentifier)\n\(programs)\n"
  }
}

/// Makes a template in a folder of its own.
struct TemplateBuilder {
  let installation: ServerInstallation
  let content: TemplateContent
  let folder: String

  func build() throws {
    let account = try ServerAccount.current()
    if account != nil { try Files.setMode(folder, 0o711) }
    let (version, major) = try installation.version()
    let prefix = "\(folder)/prefix"
    try ServerPrefix.make(of: installation, major: major, at: prefix, content: content)
    let place = ServerProcess.Place(
      programs: prefix + installation.programs, dataFolder: "\(folder)/data",
      logFile: "\(folder)/build.log", account: account)
    try initialise(place)
    let identifier = try loadPlatform(place)
    try Files.remove(place.logFile)
    try Files.write(
      TemplateCluster.note(
        version: version, systemIdentifier: identifier, programs: installation.programs),
      to: "\(folder)/ready")
  }

  private func initialise(_ place: ServerProcess.Place) throws {
    let password = "\(folder)/password"
    try Files.write("postgres\n", to: password)
    if let account = place.account { try Files.give(password, to: account) }
    var output = ""
    // Not every system has C.UTF-8; C sorts the same way and only knows less about letters.
    for locale in ["C.UTF-8", "C"] {
      try Files.makeFolder(place.dataFolder)
      if let account = place.account { try Files.give(place.dataFolder, to: account) }
      var launch = Launch(
        "\(place.programs)/initdb",
        [
          "-D", place.dataFolder, "-U", "supabase_admin", "-E", "UTF8", "--locale", locale,
          "--lc-messages", "C", "--wal-segsize", "1", "--no-sync", "--auth-local", "trust", "--auth-host",
          "scram-sha-256", "--pwfile", password,
        ])
      launch.environment = ServerProcess.environment
      launch.folder = "/"
      launch.user = place.account
      let finished = try ChildProcess.run(launch)
      if finished.status.isSuccess {
        return try Files.remove(password)
      }
      output = finished.errorText
      try Files.remove(place.dataFolder)
    }
    if output.contains("No space left on device") {
      throw ClusterError.diskFull(folder: folder, detail: output)
    }
    throw ClusterError.initFailed(output: output)
  }

  /// - Returns: The cluster's system identifier.
  private func loadPlatform(_ place: ServerProcess.Place) throws -> String {
    let sockets = try SocketFolder.make(for: folder, account: place.account)
    defer { try? Files.remove(sockets) }
    let settings = ServerSettings(
      socketFolder: sockets, port: 5432, listens: false, hasIPv6: false,
      token: RandomToken.hex(bytes: 16), isThrowAway: true)
    let server = try ServerProcess.start(place, settings, outlives: false)
    defer { ServerProcess.stop(server, .fast) }
    let session = try Connection(
      parameters: RunningCluster.parameters(
        host: sockets, port: 5432, user: "supabase_admin", database: "postgres"))
    for script in content.scripts {
      do {
        try session.run(script: script.sql)
      } catch let error as PostgresError {
        throw ClusterError.platformScript(name: script.name, error)
      }
    }
    return try session.value("select system_identifier from pg_catalog.pg_control_system()") ?? ""
  }
}
