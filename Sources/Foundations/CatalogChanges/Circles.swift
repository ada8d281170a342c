import Catalog

/// Finds what would need its own table: a default that calls a function which takes the table's rows.
struct Circles {
  private let state: Snapshot
  private let made: Set<String>

  init(_ state: Snapshot, _ made: Set<String>) {
    self.state = state
    self.made = made
  }

  /// Whether a part of a table needs, by whatever way, the table it is part of.
  func closes(_ part: Entry, at table: String) -> Bool {
    var seen: Set<String> = []
    var open = part.needs.filter { outermost($0) != table }
    while let path = open.popLast() {
      let whole = outermost(path)
      if whole == table { return true }
      guard seen.insert(whole).inserted, made.contains(whole) else { continue }
      guard let entry = state[whole] else { continue }
      open += entry.needs
      for child in state.children(of: whole) where child.kind.isColumn || child.kind == .domainConstraint {
        open += child.needs
      }
    }
    return false
  }

  /// The object whose statement makes it.
  private func outermost(_ path: String) -> String {
    guard let entry = state[path] else { return path }
    return state.ancestors(of: entry).last?.path ?? path
  }
}
