/// Which rows are part of a snapshot.
package enum RowScope: Sendable {
  case none
  /// The rows that are configuration (buckets, cron jobs, names of secrets) and those of the given tables.
  case chosen([RowTable])
  /// Every row of every table: for databases that migrations alone have filled.
  case all
}

/// A table whose rows are part of a state.
package struct RowTable: Sendable, Hashable {
  /// Qualified, quoted where it must be.
  package let name: String
  /// Whether a row that is not declared counts: in a lookup table it does, in a table users write to it doesn't.
  package let isComplete: Bool

  package init(_ name: String, isComplete: Bool) {
    self.name = name
    self.isComplete = isComplete
  }
}
