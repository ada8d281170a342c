import Postgres

/// Puts the rows of all queries together: finds parents by address, hangs comments and dependencies on what they
/// are about.
struct Assembly {
  private struct Address: Hashable {
    let type: String
    let oid: String
    let sub: String
  }

  private struct Draft {
    let kind: ObjectKind
    let name: String
    let schema: String?
    let address: Address?
    let parent: Address?
    let position: Int?
    let `extension`: String?
    var attributes: [Entry.Attribute]
  }

  var notCovered: [String] = []
  private var drafts: [Draft] = []
  private var byAddress: [Address: Int] = [:]
  private var remarks: [Address: [Entry.Attribute]] = [:]
  private var dependencies: [(Address, Address)] = []

  /// How many columns every query begins with: class, oid, sub, kind, schema, name, the parent's address,
  /// position, extension. The others are attributes, named as the column is.
  private static let fixed = 11

  mutating func add(_ rows: [Row]) {
    guard let columns = rows.first?.columns else { return }
    for row in rows {
      guard let kind = ObjectKind(rawValue: row[3] ?? "") else { continue }
      var attributes: [Entry.Attribute] = []
      for index in Self.fixed..<columns.count {
        if let value = row[index], !value.isEmpty || columns[index] == "value" {
          attributes.append(.init(columns[index], value))
        }
      }
      let address = row[1].map { Address(type: row[0] ?? "", oid: $0, sub: row[2] ?? "0") }
      let parent = row[7].map { Address(type: row[6] ?? "", oid: $0, sub: row[8] ?? "0") }
      if let address { byAddress[address] = drafts.count }
      drafts.append(
        Draft(
          kind: kind, name: row[5] ?? "", schema: row[4], address: address, parent: parent,
          position: row[9].flatMap { Int($0) }, extension: row[10], attributes: attributes))
    }
  }

  mutating func addRemarks(_ rows: [Row]) {
    for row in rows {
      let address = Address(type: Self.short(row[0]), oid: row[1] ?? "", sub: row[2] ?? "0")
      let provider = row[3] ?? ""
      let name = provider.isEmpty ? "comment" : "label of \(provider)"
      remarks[address, default: []].append(.init(name, row[4] ?? ""))
    }
  }

  mutating func addDependencies(_ rows: [Row]) {
    for row in rows {
      dependencies.append(
        (
          Address(type: Self.short(row[0]), oid: row[1] ?? "", sub: row[2] ?? "0"),
          Address(type: Self.short(row[3]), oid: row[4] ?? "", sub: row[5] ?? "0")
        ))
    }
  }

  /// The catalog's name without its schema, which an empty search path adds.
  private static func short(_ name: String?) -> String {
    guard let name else { return "" }
    return name.hasPrefix("pg_catalog.") ? String(name.dropFirst(11)) : name
  }

  func entries() -> [Entry] {
    var made = [Entry?](repeating: nil, count: drafts.count)
    var isDone = [Bool](repeating: false, count: drafts.count)
    func entry(_ index: Int) -> Entry? {
      if isDone[index] { return made[index] }
      isDone[index] = true
      let draft = drafts[index]
      var parent: String?
      var schema = draft.schema
      if let address = draft.parent {
        // A part of something that is left out is left out.
        guard let found = byAddress[address], let above = entry(found) else { return nil }
        parent = above.path
        schema = above.schema
      }
      var all = draft.attributes
      if let name = draft.extension {
        all = [.init("of extension", name)]
      } else if let address = draft.address, let told = remarks[address] {
        all += told.sorted { $0.name < $1.name }
      }
      var entry = Entry(draft.kind, draft.name, schema: schema, parent: parent, attributes: all)
      entry.position = draft.position
      made[index] = entry
      return entry
    }
    for index in drafts.indices { _ = entry(index) }
    connect(&made)
    let parents = Set(made.lazy.compactMap { $0?.parent })
    // An extension's own objects are told only where something of the project's is part of them.
    return made.compactMap { entry in
      guard let entry else { return nil }
      return entry.says("of extension") && !parents.contains(entry.path) ? nil : entry
    }
  }

  private func connect(_ made: inout [Entry?]) {
    var needs: [Int: Set<String>] = [:]
    for (from, to) in dependencies {
      guard let index = byAddress[from] ?? byAddress[Address(type: from.type, oid: from.oid, sub: "0")],
        let other = byAddress[to] ?? byAddress[Address(type: to.type, oid: to.oid, sub: "0")],
        index != other, let path = made[other]?.path
      else { continue }
      needs[index, default: []].insert(path)
    }
    for (index, paths) in needs { made[index]?.needs = paths.sorted() }
  }
}
