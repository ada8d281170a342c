import Catalog
import CatalogChanges

extension Entry {
  /// The entry in words: `column notes of table public.meals`, `grant to anon on table public.meals`.
  package func described(in state: Snapshot) -> String {
    guard let parent = state.ancestors(of: self).first else { return "\(kind.rawValue) \(name)".trimmedEnd }
    let whole =
      parent.parent == nil ? "\(parent.kind.rawValue) \(parent.name)".trimmedEnd : parent.described(in: state)
    switch kind {
    case .grant: return "grant to \(name) on \(whole)"
    case .membership: return "membership of \(parent.name) in \(name)"
    case .setting: return "setting \(name) of \(whole)"
    case .databaseSetting:
      return parent.kind == .role
        ? "setting \(name) of \(whole) in this database" : "setting \(name) of the database"
    case .publishedTable: return "table \(name) in \(whole)"
    case .publishedSchema: return "schema \(name) in \(whole)"
    case .row: return "row \(name) of \(whole)"
    case .userMapping: return "user mapping for \(name) of \(whole)"
    default: return "\(kind.rawValue) \(name) of \(whole)"
    }
  }
}

extension String {
  fileprivate var trimmedEnd: String { hasSuffix(" ") ? String(dropLast()) : self }
}

extension Difference {
  /// The object in words.
  package func described(in comparison: Comparison) -> String {
    entry.described(in: declared == nil ? comparison.actual : comparison.declared)
  }

  /// What there is on the side that has it, short enough for a line.
  package var content: String? {
    let lead: String? =
      switch entry.kind {
      case .grant: entry["privileges"]
      case .column, .attribute: entry["type"]
      case .constraint, .index, .domainConstraint: entry["definition"]
      case .setting, .databaseSetting: entry["value"]
      case .defaultPrivilege: entry["privileges"]
      case .policy:
        ["for \(entry["for"] ?? "all")", "to \(entry["to"] ?? "PUBLIC")"].joined(separator: " ")
      default: nil
      }
    return lead
  }
}
