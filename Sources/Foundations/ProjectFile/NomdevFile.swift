import Diagnostics
import Documents

extension Project {
  /// Reads `nomdev.toml`, if there is one, over what `supabase/config.toml` said. A key it doesn't know is
  /// an error: a misspelt one would silently do nothing.
  ///
  /// - Returns: The folder of seeds it names.
  mutating func readOwnFile(in folder: Folder) throws -> String? {
    guard let file = try folder.read("nomdev.toml") else { return nil }
    let root = TableReader(try Node(toml: file))
    let project = root.table("project")
    project.assign(&name, "name")
    let seedFolder = Self.folder(project, "seeds", in: folder)
    if let path = Self.folder(project, "migrations", in: folder) { migrations = folder.path(path) }
    if let path = project.string("checks") { checks = folder.path(path) }
    if let path = project.string("roles") { roles = folder.path(path) }
    settings.api.grants = project.choice("grants") ?? settings.api.grants
    project.assign(&stateRows, "state_rows")
    let ports = root.table("ports")
    ports.assign(&settings.ports.database, "database", in: Self.port)
    ports.assign(&settings.ports.api, "api", in: Self.port)
    ports.assign(&settings.ports.mail, "mail", in: Self.port)
    trustedSystemIdentifiers = root.table("trust").read("system_identifiers", Self.identifiers) ?? []
    targets = root.namedTables("target").compactMap { target($0.name, $0.table) }
    warnings += try root.finish(unknownKeys: .error)
    return seedFolder
  }

  /// A folder that is named must exist; a misspelt one must not read as an empty project.
  private static func folder(_ table: TableReader, _ key: String, in folder: Folder) -> String? {
    table.read(key) { node in
      let path = try node.string()
      guard folder.hasFolder(path) else {
        throw node.problem(
          "project.folder-missing", "there is no folder \(path)", hint: "make it, or correct the path")
      }
      return path
    }
  }

  /// As texts: they pass the largest whole number that some TOML readers hold.
  private static func identifiers(_ node: Node) throws -> [String] {
    try node.array().map { item in
      let text = try item.string()
      guard let number = UInt64(text), String(number) == text else {
        throw item.problem(
          "project.system-identifier", "not a system identifier",
          hint: "copy the number from the refusal, in quotes")
      }
      return text
    }
  }

  private func target(_ name: String, _ table: TableReader) -> TargetDeclaration? {
    var unset: [Diagnostic] = []
    let kind = table.required("kind", table.choice("kind", of: TargetDeclaration.Kind.self))
    let apiURL = secret(table, "api_url", &unset)
    let key = secret(table, "key", &unset)
    let databaseURL = secret(table, "db_url", &unset)
    guard let kind else { return nil }
    return TargetDeclaration(
      name: name, kind: kind, apiURL: apiURL, key: key, databaseURL: databaseURL, unset: unset)
  }

  /// A text, or the variable that `env:NAME` names.
  private func secret(_ table: TableReader, _ key: String, _ unset: inout [Diagnostic]) -> String? {
    guard let node = table.node(key), let text = table.record({ try node.string() }) else { return nil }
    guard text.hasPrefix("env:") else { return text }
    let variable = String(text.dropFirst(4))
    if let value = environment[variable], !value.isEmpty { return value }
    unset.append(
      node.problem(
        "project.variable-missing", "the environment variable \(variable) is not set", hint: "set it"))
    return nil
  }
}
