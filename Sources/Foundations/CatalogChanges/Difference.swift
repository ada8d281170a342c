import Catalog

/// One thing that is not the same on both sides, reported once.
package struct Difference: Sendable, Hashable {
  package enum Change: String, Sendable, Hashable {
    /// Declared, and not there.
    case missing
    /// There, and not declared.
    case extra
    /// There, and not as declared.
    case different
  }

  package struct Value: Sendable, Hashable {
    package let name: String
    /// Nil where that side does not tell it.
    package let declared: String?
    package let actual: String?
  }

  package let change: Change
  package let declared: Entry?
  package let actual: Entry?
  /// What differs, for ``Change/different``.
  package let values: [Value]
  /// The path of the missing or extra object this one is part of: it is not worth a report of its own.
  package let partOf: String?

  /// The side that has it; the declared one where both do.
  package var entry: Entry { (declared ?? actual)! }
  package var path: String { entry.path }
}

/// What two states have not in common.
package struct Comparison: Sendable {
  package let declared: Snapshot
  package let actual: Snapshot
  /// In the order of the entries; every difference, those that are part of another one included.
  package let differences: [Difference]

  /// - Parameter openTables: Paths of tables in which rows that are not declared don't count.
  package init(declared: Snapshot, actual: Snapshot, openTables: Set<String> = []) {
    self.declared = declared
    self.actual = actual
    var all: [Difference] = []
    var absentOnSide: Set<String> = []
    for entry in declared.entries {
      if let other = actual[entry.path] {
        let values = Self.values(entry, other)
        if !values.isEmpty {
          all.append(.init(change: .different, declared: entry, actual: other, values: values, partOf: nil))
        }
      } else if !entry.isContext {
        let partOf = entry.parent.flatMap { absentOnSide.contains($0) ? $0 : nil }
        absentOnSide.insert(entry.path)
        all.append(.init(change: .missing, declared: entry, actual: nil, values: [], partOf: partOf))
      }
    }
    absentOnSide = []
    for entry in actual.entries where declared[entry.path] == nil && !entry.isContext {
      if entry.kind == .row, let parent = entry.parent, openTables.contains(parent) { continue }
      let partOf = entry.parent.flatMap { absentOnSide.contains($0) ? $0 : nil }
      absentOnSide.insert(entry.path)
      all.append(.init(change: .extra, declared: nil, actual: entry, values: [], partOf: partOf))
    }
    differences = all + Self.orderDifferences(declared, actual)
  }

  /// Without those that are part of another one.
  package var reported: [Difference] { differences.filter { $0.partOf == nil } }

  package var isEqual: Bool { differences.isEmpty }

  private static func values(_ declared: Entry, _ actual: Entry) -> [Difference.Value] {
    if declared.isContext || actual.isContext { return [] }
    if declared.isAbsent != actual.isAbsent {
      let words = [declared, actual].map { $0.isAbsent ? "gone" : "there" }
      return [.init(name: "presence", declared: words[0], actual: words[1])]
    }
    if declared.attributes == actual.attributes { return [] }
    let first = declared.attributes.map { attribute in
      Difference.Value(name: attribute.name, declared: attribute.value, actual: actual[attribute.name])
    }
    let second = actual.attributes.filter { declared[$0.name] == nil }.map {
      Difference.Value(name: $0.name, declared: nil, actual: $0.value)
    }
    return (first + second).filter {
      $0.declared != $0.actual && !($0.declared == Entry.anyValue && $0.actual != nil)
        && !($0.actual == Entry.anyValue && $0.declared != nil)
    }
  }

  /// Columns that both sides have, in another order: one difference a table.
  private static func orderDifferences(_ declared: Snapshot, _ actual: Snapshot) -> [Difference] {
    declared.entries.compactMap { entry in
      guard entry.kind == .table || entry.kind == .foreignTable || entry.kind == .compositeType,
        let other = actual[entry.path]
      else { return nil }
      let names = declared.children(of: entry.path).filter(\.kind.isColumn).map(\.name)
      let others = actual.children(of: entry.path).filter(\.kind.isColumn).map(\.name)
      if names == others { return nil }
      let (shared, sharedOthers) = (Set(others), Set(names))
      let (ours, theirs) = (names.filter(shared.contains), others.filter(sharedOthers.contains))
      if ours == theirs { return nil }
      return Difference(
        change: .different, declared: entry, actual: other,
        values: [
          .init(
            name: "column order", declared: ours.joined(separator: ", "),
            actual: theirs.joined(separator: ", "))
        ],
        partOf: nil)
    }
  }
}

extension Entry {
  /// Whether it only says where what is part of it belongs: the object itself is the platform's or an
  /// extension's.
  package var isContext: Bool { says("of platform") || says("of extension") }
}

extension ObjectKind {
  var isColumn: Bool { self == .column || self == .attribute }
}
