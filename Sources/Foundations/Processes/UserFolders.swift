/// Where nomdev keeps what belongs to the user rather than to a project, after the XDG base directories.
package enum UserFolders {
  /// What can be thrown away and made again: `$XDG_CACHE_HOME/nomdev`, else `~/.cache/nomdev`.
  package static var cache: String { folder("XDG_CACHE_HOME", orHome: ".cache") }

  /// What tells the state of this machine: `$XDG_STATE_HOME/nomdev`, else `~/.local/state/nomdev`.
  package static var state: String { folder("XDG_STATE_HOME", orHome: ".local/state") }

  /// The user's home: `$HOME`, else what the account database says, else the root folder.
  package static var home: String { ProcessEnvironment.value("HOME") ?? SystemUser.current?.home ?? "/" }

  /// The XDG rules: a relative path in a variable is ignored.
  private static func folder(_ variable: String, orHome fallback: String) -> String {
    if let path = ProcessEnvironment.value(variable), path.hasPrefix("/") { return "\(path)/nomdev" }
    return "\(home)/\(fallback)/nomdev"
  }
}
