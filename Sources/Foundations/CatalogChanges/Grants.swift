import Catalog

/// Rights on one object: by grantee, privilege and whether it may be passed on.
struct Rights: Equatable {
  /// `SELECT`, `SELECT grantable`, by grantee.
  var byGrantee: [String: Set<String>] = [:]

  mutating func set(_ grantee: String, _ text: String) {
    byGrantee[grantee] = Self.items(text)
  }

  static func items(_ text: String) -> Set<String> {
    guard text != "nothing" else { return [] }
    return Set(Text.split(text, by: ", ").map(Self.withoutGrantor))
  }

  /// Who granted it can't be said in a statement without becoming that role.
  private static func withoutGrantor(_ item: String) -> String {
    guard let found = item.ranges(of: " by ").first else { return item }
    return String(item[..<found.lowerBound])
  }
}

/// The statements that take an object from the rights it has to those it must have.
struct GrantPlan {
  /// `table public.t`, `function public.f(integer)`: what `grant … on` says.
  let object: String
  /// For columns: the column in brackets after each privilege.
  let column: String?

  /// - Parameter all: How many privileges the kind of object has, to write `all` for all of them.
  func statements(from has: Rights, to wants: Rights, all: Int?) -> [String] {
    var revokes: [String] = []
    var grants: [String] = []
    for grantee in Set(has.byGrantee.keys).union(wants.byGrantee.keys).sorted() {
      let before = has.byGrantee[grantee] ?? []
      let after = wants.byGrantee[grantee] ?? []
      if before == after { continue }
      let (beforeNames, afterNames) = (Self.names(before), Self.names(after))
      let gone = beforeNames.subtracting(afterNames)
      if !gone.isEmpty {
        let list = afterNames.isEmpty && gone.count == all ? "all" : self.list(gone)
        revokes.append("revoke \(list) on \(object) from \(grantee)")
      }
      let unpassable = afterNames.filter { name in
        before.contains("\(name) grantable") && !after.contains("\(name) grantable")
      }
      if !unpassable.isEmpty {
        revokes.append("revoke grant option for \(list(Set(unpassable))) on \(object) from \(grantee)")
      }
      let passable = after.subtracting(before).filter { $0.hasSuffix(" grantable") }
      let plain = after.subtracting(before).filter {
        !$0.hasSuffix(" grantable") && !before.contains("\($0) grantable")
      }
      if !plain.isEmpty {
        let list = plain.count == all ? "all" : self.list(Set(plain))
        grants.append("grant \(list) on \(object) to \(grantee)")
      }
      if !passable.isEmpty {
        grants.append("grant \(list(Self.names(Set(passable)))) on \(object) to \(grantee) with grant option")
      }
    }
    return revokes + grants
  }

  private static func names(_ items: Set<String>) -> Set<String> {
    Set(items.map { $0.hasSuffix(" grantable") ? String($0.dropLast(10)) : $0 })
  }

  private func list(_ names: Set<String>) -> String {
    names.sorted().map { name in
      let word = name.lowercased()
      return column.map { "\(word) (\($0))" } ?? word
    }.joined(separator: ", ")
  }
}

extension Snapshot {
  /// What `grant … on` calls an object; nil for what has no rights.
  func grantTarget(_ entry: Entry) -> (object: String, column: String?)? {
    switch entry.kind {
    case .table, .foreignTable, .view, .materializedView: ("table \(entry.name)", nil)
    case .column: ("table \(parentName(of: entry))", entry.name)
    case .sequence, .identitySequence: ("sequence \(entry.name)", nil)
    case .function, .aggregate: ("function \(entry.name)", nil)
    case .procedure: ("procedure \(entry.name)", nil)
    case .schema: ("schema \(entry.name)", nil)
    case .enum, .compositeType, .rangeType: ("type \(entry.name)", nil)
    case .domain: ("domain \(entry.name)", nil)
    case .wrapper: ("foreign data wrapper \(entry.name)", nil)
    case .server: ("foreign server \(entry.name)", nil)
    case .parameter: ("parameter \(entry.name)", nil)
    default: nil
    }
  }

  /// The rights an object has, its owner's own only where they are not the usual ones.
  func rights(on path: String) -> Rights {
    var rights = Rights()
    for grant in children(of: path, .grant) where !grant.isAbsent {
      rights.set(grant.name, grant["privileges"] ?? "nothing")
    }
    return rights
  }

  /// The rights an object of this kind gets when `creator` makes it: PostgreSQL's own and the default
  /// privileges that hold in this state.
  func rightsOfNew(_ entry: Entry, creator: String) -> Rights {
    var rights = Rights()
    let objects: String
    switch entry.kind {
    case .table, .foreignTable, .view, .materializedView: objects = "tables"
    case .sequence, .identitySequence: objects = "sequences"
    case .function, .procedure, .aggregate:
      objects = "functions"
      rights.set("PUBLIC", "EXECUTE")
    case .enum, .compositeType, .rangeType, .domain: objects = "types"
    case .schema: objects = "schemas"
    default: return rights
    }
    let schema = entry.kind == .schema ? nil : entry.schema
    let defaults = entries.filter {
      $0.kind == .defaultPrivilege && !$0.isAbsent && $0["maker"] == creator && $0["objects"] == objects
    }
    // Those of all schemas replace what PostgreSQL gives, those of one schema add to it.
    for entry in defaults where entry["place"] == nil {
      rights.set(entry["grantee"] ?? "", entry["privileges"] ?? "nothing")
    }
    for entry in defaults where entry["place"] != nil && entry["place"] == schema {
      let grantee = entry["grantee"] ?? ""
      let added = Rights.items(entry["privileges"] ?? "nothing")
      rights.byGrantee[grantee, default: []].formUnion(added)
    }
    rights.byGrantee[creator] = nil
    if objects == "types", rights.byGrantee["PUBLIC"] == nil { rights.byGrantee["PUBLIC"] = nil }
    return rights
  }
}

extension ObjectKind {
  /// How many privileges there are on it.
  var privilegeCount: Int? {
    switch self {
    case .table, .foreignTable, .view, .materializedView: 7
    case .sequence, .identitySequence: 3
    case .schema: 2
    default: nil
    }
  }

  /// Which of PUBLIC's rights are not told because PostgreSQL gives them by itself.
  var usualRightsOfPublic: Set<String> {
    switch self {
    case .enum, .compositeType, .rangeType, .domain: ["USAGE"]
    default: []
    }
  }
}
