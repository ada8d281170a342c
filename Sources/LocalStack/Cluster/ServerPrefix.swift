import Processes

/// A private copy of a server's folders, in which extensions can be added without a write under /usr.
///
/// The server finds its shared files and libraries relative to its own program, so a copy of `postgres`
/// below `<prefix>/usr/lib/postgresql/15/bin` reads `<prefix>/usr/share/postgresql/15`. Only the programs
/// are copied, because the server resolves links to itself; everything else is links to the originals.
struct ServerPrefix {
  let folder: String
  let programs: String

  /// Makes the copy in a folder where there is nothing yet.
  static func make(
    of installation: ServerInstallation, major: Int, at folder: String, content: TemplateContent
  ) throws {
    let original = installation.folders(major: major)
    let mode: UInt32 = SystemUser.isRoot ? 0o755 : 0o700
    try Files.makeFolder(folder + installation.programs, mode: mode)
    try Files.copyFiles(
      ["postgres", "initdb"].map {
        ("\(installation.programs)/\($0)", "\(folder)\(installation.programs)/\($0)")
      }, mode: mode)
    if let above = Files.parent(of: original.libraries) {
      try Files.makeFolder(folder + above, mode: mode)
    }
    // Where the libraries are the folder above the programs, it was made just now: link what is in it.
    if Files.exists(folder + original.libraries) {
      try linkEach(in: original.libraries, into: folder + original.libraries)
    } else {
      try Files.link(folder + original.libraries, to: original.libraries)
    }
    let extensions = "\(original.share)/extension"
    try Files.makeFolder(folder + extensions, mode: mode)
    try linkEach(in: original.share, into: folder + original.share)
    try linkEach(in: extensions, into: folder + extensions)
    try addStandIns(content, to: folder + extensions, originals: extensions)
    try trust(content.trustedExtensions, in: folder + extensions)
  }

  private static func linkEach(in folder: String, into copy: String) throws {
    for name in Files.names(in: folder) where Files.status("\(copy)/\(name)") == nil {
      try Files.link("\(copy)/\(name)", to: "\(folder)/\(name)")
    }
  }

  /// Adds the files of extensions that are not installed. One that is installed is never replaced.
  private static func addStandIns(
    _ content: TemplateContent, to folder: String, originals: String
  ) throws {
    let mode: UInt32 = SystemUser.isRoot ? 0o644 : 0o600
    for file in content.extensionFiles {
      let name = file.name.prefix { $0 != "." }.split(separator: "--").first.map(String.init) ?? file.name
      if Files.exists("\(originals)/\(name).control") { continue }
      try Files.write(file.text, to: "\(folder)/\(file.name)", mode: mode)
    }
  }

  /// Lets who is not superuser create extensions, as the platform does for its `postgres`.
  private static func trust(_ names: [String], in folder: String) throws {
    let mode: UInt32 = SystemUser.isRoot ? 0o644 : 0o600
    for name in names {
      let path = "\(folder)/\(name).control"
      guard Files.exists(path) else { continue }
      let lines = try Files.read(path).split(separator: "\n", omittingEmptySubsequences: false)
      let kept = lines.filter { !$0.drop(while: { $0 == " " }).hasPrefix("trusted") }
      // Renamed over the link: the original stays as it is.
      try Files.write((kept + ["trusted = true", ""]).joined(separator: "\n"), to: path, mode: mode)
    }
  }
}
