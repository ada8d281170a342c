import Catalog

/// The statements that take a database from what it is to what a state declares, in an order that works.
package struct ChangePlan: Sendable {
  package struct Options: Sendable {
    /// The role that will run them.
    package var creator = "postgres"
    /// Whether a table's keys and checks are written into its own statement where nothing stands against it.
    package var isCompact = false
    /// What the database has in full, the platform included: default privileges are looked up there.
    package var base: Snapshot?

    package init(creator: String = "postgres", isCompact: Bool = false, base: Snapshot? = nil) {
      self.creator = creator
      self.isCompact = isCompact
      self.base = base
    }
  }

  package let steps: [Step]
  /// What no statement can mend: the order of columns, an enum's label too many, values of secrets.
  package let unmendable: [Difference]

  package init(_ comparison: Comparison, _ options: Options = Options()) {
    var builder = PlanBuilder(comparison, options)
    builder.build()
    steps = StepOrder.sorted(builder.removals) + StepOrder.sorted(builder.steps)
    unmendable = builder.unmendable
  }

  /// Everything, one statement after the other.
  package var texts: [String] { steps.flatMap(\.texts).filter { !$0.isEmpty } }
}

/// Decides for every difference what has to be done.
struct PlanBuilder {
  let declared: Snapshot
  let actual: Snapshot
  let options: ChangePlan.Options
  let comparison: Comparison
  let creation: Creation
  var steps: [Step] = []
  var removals: [Step] = []
  var unmendable: [Difference] = []

  /// Paths of declared entries that are made, again or for the first time.
  private(set) var made: Set<String> = []
  private var removed: Set<String> = []
  private var altered: [(Difference, [String])] = []
  private var touchedRights: Set<String> = []
  private var dependents: [String: [String]] = [:]

  init(_ comparison: Comparison, _ options: ChangePlan.Options) {
    self.comparison = comparison
    declared = comparison.declared
    actual = comparison.actual
    self.options = options
    creation = Creation(comparison.declared, creator: options.creator)
  }

  mutating func build() {
    for entry in actual.entries {
      for need in entry.needs { dependents[need, default: []].append(entry.path) }
    }
    for difference in comparison.differences { decide(difference) }
    removals.removeAll { step in
      // It goes with the table whose column owns it.
      guard step.entry.kind == .sequence, let owner = step.entry["owned by"] else { return false }
      return removed.contains("table \(QuotedNames.parts(owner).dropLast().joined(separator: "."))")
    }
    addCreations()
    for (difference, texts) in altered where !made.contains(difference.path) {
      add(difference.entry, texts, needs: Set(difference.declared?.needs ?? []))
    }
    addRights()
  }

  // MARK: - Deciding

  private mutating func decide(_ difference: Difference) {
    let entry = difference.entry
    if entry.kind == .grant {
      if let parent = entry.parent { touchedRights.insert(parent) }
      return
    }
    let isGone = difference.declared?.isAbsent == true
    switch difference.change {
    case .missing where isGone: remove(entry, in: declared)
    case .missing: make(entry)
    case .extra where entry.isAbsent: add(entry, Creation(actual, creator: options.creator).statements(entry))
    case .extra:
      if difference.partOf == nil { remove(entry, in: actual) }
    case .different where isGone: remove(difference.actual ?? entry, in: actual)
    case .different where difference.actual?.isAbsent == true: make(entry)
    case .different: alter(difference)
    }
  }

  private mutating func make(_ entry: Entry) {
    guard made.insert(entry.path).inserted else { return }
    for child in declared.children(of: entry.path) where !child.isAbsent {
      if child.kind == .grant { touchedRights.insert(entry.path) } else { make(child) }
    }
  }

  private mutating func remove(_ entry: Entry, in state: Snapshot) {
    guard removed.insert(entry.path).inserted else { return }
    let texts = Removal(state: state).statements(entry)
    // What new objects get stays as it is until all are made.
    if entry.kind == .defaultPrivilege { return steps.append(Step(entry, texts, rank: 10_000)) }
    if texts.isEmpty {
      if entry.kind == .secret {
        unmendable.append(.init(change: .extra, declared: nil, actual: entry, values: [], partOf: nil))
      }
      return
    }
    // What needs it goes first: the order of removals is the order of creation turned round.
    let waiting = Set((dependents[entry.path] ?? []).map { "\($0) removed" })
    removals.append(
      Step(entry, texts, suffix: " removed", rank: -entry.kind.rank * 10, needs: waiting, isRemoval: true))
  }

  private mutating func alter(_ difference: Difference) {
    guard let entry = difference.declared, let old = difference.actual else { return }
    if difference.values.contains(where: { $0.name == "column order" }) {
      return unmendable.append(difference)
    }
    guard let texts = Alteration(creation).statements(entry, difference.values, was: old) else {
      return remake(entry)
    }
    let isRetyped =
      entry.kind == .column && difference.values.contains { ["type", "collation"].contains($0.name) }
    if isRetyped {
      for path in dependents[entry.path] ?? [] {
        if let other = actual[path],
          [.view, .materializedView, .rule, .policy, .trigger].contains(other.kind)
        {
          remakeDependent(path)
        }
      }
    }
    altered.append((difference, texts))
  }

  /// Drops and makes again, and with it all that could not stay without it.
  private mutating func remake(_ entry: Entry) {
    if entry.kind == .secret || entry.kind == .table && actual[entry.path] != nil && !options.isCompact {
      unmendable.append(
        .init(change: .different, declared: entry, actual: actual[entry.path], values: [], partOf: nil))
      return
    }
    guard made.insert(entry.path).inserted else { return }
    made.remove(entry.path)
    for child in [entry] + actual.children(of: entry.path) {
      for path in dependents[child.path] ?? [] where path != entry.path && !isInside(path, entry.path) {
        remakeDependent(path)
      }
    }
    if let old = actual[entry.path] { remove(old, in: actual) }
    make(entry)
    touchedRights.insert(entry.path)
  }

  private func isInside(_ path: String, _ outer: String) -> Bool {
    guard let entry = actual[path] else { return false }
    return actual.ancestors(of: entry).contains { $0.path == outer }
  }

  private mutating func remakeDependent(_ path: String) {
    guard let old = actual[path], !removed.contains(path) else { return }
    switch old.kind {
    case .column:
      // A default that calls what is made anew is taken off for the moment.
      let alter = "\(actual.alterParent(of: old)) alter column \(old.name)"
      removals.append(Step(old, ["\(alter) drop default"], suffix: " removed", rank: -1_000, isRemoval: true))
      removed.insert(path)
      if let expression = declared[path]?["default"] {
        steps.append(
          Step(old, ["\(alter) set default \(expression)"], suffix: " default", needs: Set(old.needs)))
      }
    case .table, .foreignTable, .identitySequence, .sequence, .row, .schema, .extension: break
    default:
      if let entry = declared[path] {
        remake(entry)
      } else {
        remove(old, in: actual)
      }
    }
  }

  // MARK: - Making

  private mutating func addCreations() {
    var rows: [String: [Entry]] = [:]
    let circles = Circles(declared, made)
    for entry in declared.entries where made.contains(entry.path) && !entry.isContext {
      let isInMadeParent = entry.parent.map(made.contains) ?? false
      switch entry.kind {
      case .column, .attribute, .domainConstraint:
        if isInMadeParent, declared.parent(of: entry)?.kind.holdsColumns == true { continue }
        add(entry, creation.statements(entry) + creation.common(entry), needs: needs(of: entry))
      case .identitySequence, .grant, .secret, .subscription: continue
      case .row:
        if let parent = entry.parent { rows[parent, default: []].append(entry) }
      case .defaultPrivilege:
        steps.append(Step(entry, DefaultPrivilege.statements(from: nil, to: entry), rank: 10_000))
      case .table, .foreignTable: addTable(entry, circles)
      case .constraint:
        if options.isCompact, isInMadeParent, isInline(entry, circles) { continue }
        add(entry, creation.statements(entry) + creation.common(entry), needs: needs(of: entry))
      case .sequence:
        add(entry, creation.statements(entry) + creation.common(entry), needs: needs(of: entry))
        if entry.says("owned by") {
          let table = entry["owned by"].map {
            "table \(QuotedNames.parts($0).dropLast().joined(separator: "."))"
          }
          steps.append(
            Step(
              entry, [Alteration(creation).ownedBy(entry)], suffix: " owned",
              rank: ObjectKind.table.rank * 10 + 5,
              needs: Set([entry.path] + [table].compactMap { $0 })))
        }
      default:
        var all = needs(of: entry)
        for child in declared.children(of: entry.path)
        where child.kind.isColumn || child.kind == .domainConstraint {
          all.formUnion(needs(of: child))
        }
        let inner = declared.children(of: entry.path).filter {
          $0.kind.isColumn || $0.kind == .domainConstraint
        }
        add(
          entry, creation.statements(entry) + creation.common(entry) + inner.flatMap(creation.remarks),
          needs: all)
      }
    }
    for (path, list) in rows.sorted(by: { $0.key < $1.key }) {
      guard let table = declared[path], let first = list.first else { continue }
      add(first, [Rows.insertion(list, into: table, in: declared)], needs: [path, "\(path) attached"])
    }
  }

  private mutating func addTable(_ entry: Entry, _ circles: Circles) {
    let columns = declared.children(of: entry.path, .column)
    let late = columns.filter { $0.says("default") && circles.closes($0, at: entry.path) }
    var state = declared
    if !late.isEmpty {
      let paths = Set(late.map(\.path))
      state = declared.with(
        declared.entries.map { column in
          guard paths.contains(column.path) else { return column }
          var bare = column
          bare.attributes.removeAll { $0.name == "default" }
          return bare
        })
    }
    let inline =
      options.isCompact ? declared.children(of: entry.path, .constraint).filter { isInline($0, circles) } : []
    var all = needs(of: entry)
    for part in columns.filter({ column in !late.contains { $0.path == column.path } }) + inline {
      all.formUnion(needs(of: part))
    }
    let remarks = (columns + inline).flatMap(creation.remarks)
    let own = Creation(state, creator: options.creator).table(entry, constraints: inline)
    add(entry, own + creation.common(entry) + remarks, needs: all)
    for column in late {
      let text =
        "\(declared.alterParent(of: column)) alter column \(column.name) set default \(column["default"] ?? "null")"
      steps.append(Step(column, [text], suffix: " default", needs: needs(of: column).union([entry.path])))
    }
    let attachment = creation.attachment(entry)
    if !attachment.isEmpty {
      let parent = "table \(entry["partition of"] ?? "")"
      // A key that is there is taken as the parent's; one that isn't would be made under a name of its own.
      let keys = declared.children(of: entry.path, .constraint).filter { $0.says("attached to") }.map(\.path)
      steps.append(
        Step(
          entry, attachment, suffix: " attached", rank: ObjectKind.table.rank * 10 + 5,
          needs: Set([entry.path, parent, "\(parent) attached"] + keys)))
    }
    let extras = creation.tableExtras(entry)
    if !extras.isEmpty {
      let indexes = declared.children(of: entry.path).filter { $0.kind == .index || $0.kind == .constraint }
        .map(\.path)
      steps.append(
        Step(
          entry, extras, suffix: " finished", rank: ObjectKind.policy.rank * 10 - 5,
          needs: Set(indexes + [entry.path])))
    }
  }

  /// A foreign key waits for the rows, and so does what some row may violate.
  private func isInline(_ entry: Entry, _ circles: Circles) -> Bool {
    let definition = entry["definition"] ?? ""
    guard !definition.hasPrefix("FOREIGN KEY"), !definition.hasSuffix("NOT VALID"), let parent = entry.parent
    else { return false }
    return !circles.closes(entry, at: parent)
  }

  private func needs(of entry: Entry) -> Set<String> {
    var all = Set(entry.needs)
    // What is written into its table is there when the table is.
    for path in entry.needs {
      guard let other = declared[path] else { continue }
      for ancestor in declared.ancestors(of: other) { all.insert(ancestor.path) }
    }
    if let parent = entry.parent { all.insert(parent) }
    all.remove(entry.path)
    return all
  }

  private mutating func add(_ entry: Entry, _ texts: [String], needs: Set<String> = []) {
    let kept = texts.filter { !$0.isEmpty }
    if !kept.isEmpty { steps.append(Step(entry, kept, needs: needs)) }
  }

  // MARK: - Rights

  private mutating func addRights() {
    let paths = touchedRights.union(
      made.filter { path in declared[path].map { declared.grantTarget($0) != nil && !$0.isContext } ?? false }
    )
    let base = options.base ?? actual
    for entry in declared.entries where paths.contains(entry.path) {
      if let name = entry["of extension"], made.contains("extension \(name)") { continue }
      var has =
        made.contains(entry.path)
        ? base.rightsOfNew(entry, creator: options.creator) : actual.rights(on: entry.path)
      let wants = declared.rights(on: entry.path)
      guard let target = declared.grantTarget(entry) ?? databaseTarget(entry) else { continue }
      let plan = GrantPlan(object: target.object, column: target.column)
      has = has.completed(with: wants, entry)
      let texts = plan.statements(
        from: has, to: wants.completed(with: has, entry), all: entry.kind.privilegeCount)
      if texts.isEmpty { continue }
      let made = entry.kind == .database ? texts.map { Creation.onDatabaseGrant($0) } : texts
      steps.append(
        Step(
          entry, made, suffix: " rights", rank: ObjectKind.grant.rank * 10,
          needs: needs(of: entry).union([entry.path])))
    }
  }

  private func databaseTarget(_ entry: Entry) -> (object: String, column: String?)? {
    entry.kind == .database ? ("database %I", nil) : nil
  }
}

extension ObjectKind {
  /// Whether its own statement writes its columns, attributes or checks.
  var holdsColumns: Bool {
    switch self {
    case .table, .foreignTable, .compositeType, .domain, .view, .materializedView: true
    default: false
    }
  }
}

extension Rights {
  /// Where one side tells an owner's or PUBLIC's rights and the other doesn't, the other has the usual ones.
  func completed(with other: Rights, _ entry: Entry) -> Rights {
    var all = self
    for grantee in other.byGrantee.keys where all.byGrantee[grantee] == nil {
      if grantee == "PUBLIC" {
        all.byGrantee[grantee] = entry.kind.usualRightsOfPublic
      } else if grantee == entry["owner"] {
        all.byGrantee[grantee] = entry.kind.allRights
      }
    }
    return all
  }
}

extension ObjectKind {
  var allRights: Set<String> {
    switch self {
    case .table, .foreignTable, .view, .materializedView:
      ["DELETE", "INSERT", "REFERENCES", "SELECT", "TRIGGER", "TRUNCATE", "UPDATE"]
    case .sequence, .identitySequence: ["SELECT", "UPDATE", "USAGE"]
    case .function, .procedure, .aggregate: ["EXECUTE"]
    case .schema: ["CREATE", "USAGE"]
    case .database: ["CONNECT", "CREATE", "TEMPORARY"]
    case .parameter: ["ALTER SYSTEM", "SET"]
    default: ["USAGE"]
    }
  }
}

extension Creation {
  static func onDatabaseGrant(_ text: String) -> String {
    "do $$ begin execute format(\(Text.literal(text)), current_database()); end $$"
  }
}
