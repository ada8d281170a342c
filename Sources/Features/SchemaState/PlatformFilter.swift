import Catalog

/// Tells what is the project's from what the platform brings along, by comparing with a database in which nothing
/// was done yet.
package struct PlatformFilter: Sendable {
  private let pristine: Snapshot
  /// Roles that own what the platform made, other than the one migrations run as.
  private let platformOwners: Set<String>
  private let platformSchemas: Set<String>

  /// - Parameter pristine: The platform before the first migration, rows included.
  package init(pristine: Snapshot, migrationRole: String = "postgres") {
    self.pristine = pristine
    platformOwners = Set(pristine.entries.compactMap { $0["owner"] })
      .subtracting([migrationRole, "pg_database_owner"])
    platformSchemas = Set(pristine.entries.filter { $0.kind == .schema }.map(\.name))
  }

  /// Whether a database is one of the platform at all: a bare one lacks all its schemas.
  package func applies(to live: Snapshot) -> Bool {
    platformSchemas.contains { $0 != "public" && live["schema \($0)"] != nil }
  }

  /// What the project made or changed; what it took away is told as absent.
  ///
  /// - Parameter isHosted: The platform there may be of another version: what it owns itself is its own affair,
  ///   but for the policies, triggers and rights a project can put on it.
  package func project(_ live: Snapshot, isHosted: Bool = false) -> Snapshot {
    guard applies(to: live) else { return live }
    var kept: [String: Entry] = [:]
    for entry in live.entries {
      if let origin = pristine[entry.path] {
        if origin.attributes == entry.attributes { continue }
        if isHosted, isPlatformAffair(entry, in: live) || Self.isServerAffair(entry.kind) { continue }
      } else if isPlatformAffair(entry, in: live) {
        continue
      }
      kept[entry.path] = entry
    }
    for entry in pristine.entries where live[entry.path] == nil {
      // What was part of something that is gone is not worth an entry of its own.
      if let parent = entry.parent, live[parent] == nil { continue }
      // Of most tables the rows are not read.
      if entry.kind == .row, let parent = entry.parent, live.children(of: parent, .row).isEmpty { continue }
      if isHosted, isPlatformAffair(entry, in: pristine) || Self.isServerAffair(entry.kind) { continue }
      var gone = entry
      gone.isAbsent = true
      kept[entry.path] = gone
    }
    for entry in Array(kept.values) { addContext(of: entry, live, &kept) }
    return live.with(Array(kept.values))
  }

  /// Whose objects they are told to belong to: parents that are the platform's own stand there without content.
  private func addContext(of entry: Entry, _ live: Snapshot, _ kept: inout [String: Entry]) {
    for ancestor in live.ancestors(of: entry) where kept[ancestor.path] == nil {
      var context = Entry(ancestor.kind, ancestor.name, schema: ancestor.schema, parent: ancestor.parent)
      context.attributes = [.init("of platform", "yes")]
      context.position = ancestor.position
      kept[context.path] = context
    }
  }

  /// Whether it is part of an object the platform owns, and not of the kinds a project puts there.
  private func isPlatformAffair(_ entry: Entry, in state: Snapshot) -> Bool {
    let whole = state.ancestors(of: entry).last ?? entry
    guard let owner = whole["owner"], platformOwners.contains(owner),
      let schema = whole.schema, platformSchemas.contains(schema), schema != "public"
    else { return false }
    switch entry.kind {
    case .policy, .publishedTable, .row: return false
    case .grant: return pristine[whole.path] == nil
    case .trigger:
      let function = entry["function"].flatMap { QuotedNames.parts($0).first } ?? ""
      return platformSchemas.contains(function) && function != "public"
    default: return true
    }
  }

  /// What differs from server to server without anybody's doing.
  private static func isServerAffair(_ kind: ObjectKind) -> Bool {
    switch kind {
    case .role, .membership, .setting, .databaseSetting, .database, .extension, .eventTrigger, .row: true
    default: false
    }
  }
}
