import Diagnostics
import Processes

/// The programs of a PostgreSQL server on this machine, found and never bundled.
package struct ServerInstallation: Sendable, Hashable {
  /// The folder of `postgres` and `initdb`, without links.
  package let programs: String

  /// What changes when the server is updated or another one is found, cheap to ask for.
  var fingerprint: String {
    let status = Files.status("\(programs)/postgres")
    return "\(programs) \(status?.size ?? 0) \(status?.modified ?? 0)"
  }

  /// Looks for a server: `NOMDEV_PG_BIN`, which alone counts if it is set, the `pg_config` of `PATH`, then
  /// the folders of Debian, Homebrew and Postgres.app, newest version first.
  ///
  /// - Throws: ``ClusterError/notFound(searched:)`` or ``ClusterError/notAServerFolder(_:)``.
  package static func find(
    environment: [String: String] = ProcessEnvironment.all, roots: [Root] = Root.wellKnown
  ) throws -> ServerInstallation {
    if let named = environment["NOMDEV_PG_BIN"], !named.isEmpty {
      guard let found = at(named) else { throw ClusterError.notAServerFolder(named) }
      return found
    }
    var searched: [String] = []
    for folder in (environment["PATH"] ?? "").split(separator: ":") {
      // Debian's own pg_config in /usr/bin is a script about the newest folder, which is looked at below.
      guard folder != "/usr/bin", folder != "/bin", Files.isExecutable("\(folder)/pg_config") else {
        continue
      }
      searched.append("\(folder)/pg_config")
      if let programs = try? output("\(folder)/pg_config", "--bindir"), let found = at(programs) {
        return found
      }
    }
    for root in roots {
      searched.append("\(root.folder)/\(root.prefix)*/\(root.suffix)")
      for version in root.versions {
        if let found = at("\(root.folder)/\(root.prefix)\(version)/\(root.suffix)") { return found }
      }
    }
    throw ClusterError.notFound(searched: searched)
  }

  /// A folder with one folder per version in it.
  package struct Root: Sendable {
    let folder: String
    var prefix = ""
    var suffix = "bin"

    package init(folder: String, prefix: String = "", suffix: String = "bin") {
      self.folder = folder
      self.prefix = prefix
      self.suffix = suffix
    }

    package static let wellKnown = [
      Root(folder: "/usr/lib/postgresql"),
      Root(folder: "/opt/homebrew/opt", prefix: "postgresql@"),
      Root(folder: "/usr/local/opt", prefix: "postgresql@"),
      Root(folder: "/home/linuxbrew/.linuxbrew/opt", prefix: "postgresql@"),
      Root(folder: "/Applications/Postgres.app/Contents/Versions"),
      Root(folder: "/usr", prefix: "pgsql-"),
    ]

    /// The supported versions that are there, newest first.
    var versions: [Int] {
      Files.names(in: folder).compactMap { name in
        name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
      }.filter { ServerInstallation.supported.contains($0) }.sorted(by: >)
    }
  }

  static let supported = 15...18

  private static func at(_ folder: String) -> ServerInstallation? {
    guard let real = Files.real("\(folder)/postgres"), Files.isExecutable(real),
      let programs = Files.parent(of: real), Files.isExecutable("\(programs)/initdb")
    else { return nil }
    return ServerInstallation(programs: programs)
  }

  // MARK: - What only the making of a template needs to know

  /// `15.20`, as the server says it.
  ///
  /// - Throws: ``ClusterError/unsupportedVersion(_:folder:)``.
  package func version() throws -> (text: String, major: Int) {
    // "postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)", "postgres (PostgreSQL) 18beta1"
    let words = try Self.output("\(programs)/postgres", "--version").split(separator: " ")
    let text = words.count > 2 ? String(words[2]) : "of an unknown version"
    guard let major = Int(text.prefix { $0.isNumber }), Self.supported.contains(major) else {
      throw ClusterError.unsupportedVersion(text, folder: programs)
    }
    return (text, major)
  }

  /// The folders the server was built to read its shared files and its libraries from.
  func folders(major: Int) -> (share: String, libraries: String) {
    let tool = "\(programs)/pg_config"
    if Files.isExecutable(tool), let share = try? Self.output(tool, "--sharedir"),
      let libraries = try? Self.output(tool, "--pkglibdir")
    {
      return (Files.real(share) ?? share, Files.real(libraries) ?? libraries)
    }
    let above = Files.parent(of: programs) ?? "/"
    let debian = "/usr/share/postgresql/\(major)"
    let share = [debian, "\(above)/share/postgresql", "\(above)/share"].first {
      Files.exists("\($0)/postgres.bki")
    }
    let libraries = ["\(above)/lib/postgresql", "\(above)/lib"].first { Files.exists("\($0)/plpgsql.so") }
    return (share ?? debian, libraries ?? "\(above)/lib")
  }

  private static func output(_ program: String, _ argument: String) throws -> String {
    let finished = try ChildProcess.run(Launch(program, [argument]))
    var text = Substring(finished.outputText)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
