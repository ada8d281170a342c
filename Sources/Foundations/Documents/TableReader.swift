import Diagnostics

/// Reads the keys of a table, remembers which were asked for, and collects every problem instead of
/// stopping at the first.
///
///     let root = TableReader(try Node(toml: file))
///     let port = root.int("port", in: 1...65535) ?? 54322
///     try root.finish(unknownKeys: .error)
///
/// A key of the wrong kind is recorded as a problem and read as nil, so that reading goes on.
package final class TableReader {
  /// The keys and their values; empty where the document had something else than a table here.
  package let members: [Node.Member]
  package let location: SourceLocation
  /// The keys that lead here, joined with dots; empty for the document itself.
  package let path: String
  private let problems: Problems
  private var known: [String] = []
  private var children: [TableReader] = []

  /// What all readers of one document share.
  private final class Problems {
    var diagnostics: [Diagnostic] = []
    let resolve: (_ path: String, _ node: Node?, _ reader: TableReader) -> Node?

    init(_ resolve: @escaping (String, Node?, TableReader) -> Node?) { self.resolve = resolve }
  }

  /// - Parameters:
  ///   - root: The whole document. An empty one is read as a table without keys.
  ///   - resolve: Called for each key that is read, present or not, and may put another value in its
  ///     place: how the environment gets a say. It may ``report(_:)`` to the reader it is given.
  package convenience init(
    _ root: Node,
    resolve: @escaping (_ path: String, _ node: Node?, _ reader: TableReader) -> Node? = { _, node, _ in node
    }
  ) {
    self.init(root, path: "", problems: Problems(resolve))
  }

  private init(_ node: Node, path: String, problems: Problems) {
    self.path = path
    self.problems = problems
    location = node.location
    do {
      members = node.isNull ? [] : try node.members()
    } catch {
      members = []
      problems.diagnostics += (error as? any Diagnosable)?.diagnostics ?? []
    }
  }

  // MARK: - Keys

  /// The value of a key as it is; nil where the key is missing or null.
  package func node(_ key: String) -> Node? {
    known.append(key)
    let written = members.first { $0.key == key }?.node
    guard let node = problems.resolve(path(of: key), written, self), !node.isNull else { return nil }
    return node
  }

  private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Reads a key with any of ``Node``'s reading functions; what they throw becomes a problem.
  package func read<T>(_ key: String, _ body: (Node) throws -> T) -> T? {
    guard let node = node(key) else { return nil }
    return record { try body(node) }
  }

  /// Reads with a body that may throw diagnostics; they are recorded, and nil is returned.
  package func record<T>(_ body: () throws -> T) -> T? {
    do {
      return try body()
    } catch let error as any Diagnosable {
      problems.diagnostics += error.diagnostics
    } catch {
      problems.diagnostics.append(Diagnostic("internal.unexpected", "\(error)", at: location))
    }
    return nil
  }

  /// Adds a problem found by the caller.
  package func report(_ problem: Diagnostic) { problems.diagnostics.append(problem) }

  package func string(_ key: String) -> String? { read(key) { try $0.string() } }
  package func strings(_ key: String) -> [String]? { read(key) { try $0.strings() } }
  package func bool(_ key: String) -> Bool? { read(key) { try $0.bool() } }
  package func double(_ key: String) -> Double? { read(key) { try $0.double() } }
  package func int(_ key: String, in range: ClosedRange<Int> = Int.min...Int.max) -> Int? {
    read(key) { try $0.int(in: range) }
  }
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of type: Choice.Type = Choice.self
  ) -> Choice? where Choice.RawValue == String {
    read(key) { try $0.choice(type) }
  }

  /// The value of a key that must be there; a missing one is a problem of the table.
  package func required<T>(_ key: String, _ value: T?) -> T? {
    if value == nil, !members.contains(where: { $0.key == key && !$0.node.isNull }) {
      let place = path.isEmpty ? "the document" : "[\(path)]"
      report(Diagnostic("document.missing-key", "\(place) needs the key `\(key)`", at: location))
    }
    return value
  }

  // MARK: - Tables below

  /// The table under a key; one without keys where it is missing, so that defaults apply.
  package func table(_ key: String) -> TableReader {
    let missing = Node(.table([]), at: location)
    return child(node(key) ?? missing, key: key)
  }

  /// The tables under a key whose names are the user's own: `[target.NAME]`.
  package func namedTables(_ key: String) -> [(name: String, table: TableReader)] {
    let parent = table(key)
    return parent.members.map { member in
      parent.known.append(member.key)
      return (member.key, parent.child(member.node, key: member.key))
    }
  }

  /// Every key under a key as name and text: `[db.vault]`.
  package func namedValues(_ key: String) -> [Node.Member] {
    let parent = table(key)
    return parent.members.compactMap { member in
      parent.node(member.key).map { .init(member.key, at: member.keyLocation, $0) }
    }
  }

  /// Tells that these keys are known, though nobody reads them here.
  package func ignore(_ keys: String...) { known += keys }

  /// Tells that keys of this table which nobody asked for are fine.
  package func ignoreRest() { known += members.map(\.key) }

  private func child(_ node: Node, key: String) -> TableReader {
    let reader = TableReader(node, path: path(of: key), problems: problems)
    children.append(reader)
    return reader
  }

  // MARK: - The end

  /// Ends the reading: throws every error found, in the order of the document.
  ///
  /// - Parameter unknownKeys: Whether a key nobody asked for stops the work or is only told.
  /// - Returns: The warnings.
  @discardableResult
  package func finish(unknownKeys: Severity) throws -> [Diagnostic] {
    let all = (problems.diagnostics + unknown(unknownKeys)).sorted { place($0) < place($1) }
    let errors = all.filter { $0.severity == .error }
    if !errors.isEmpty { throw DiagnosticList(errors) }
    return all
  }

  private func unknown(_ severity: Severity) -> [Diagnostic] {
    let own = members.filter { !known.contains($0.key) }.map { member in
      let place = path.isEmpty ? "" : " in [\(path)]"
      let near = nearestNames(to: member.key, among: known).first.map { "perhaps you meant `\($0)`" }
      return Diagnostic(
        "document.unknown-key", "unknown key `\(member.key)`\(place)", hint: near, at: member.keyLocation,
        severity: severity)
    }
    return own + children.flatMap { $0.unknown(severity) }
  }

  private func place(_ diagnostic: Diagnostic) -> (Int, Int) {
    (diagnostic.location?.line ?? 0, diagnostic.location?.column ?? 0)
  }
}
