import Catalog

/// Finds values in rows that are others each time the migrations run, by running them twice.
package enum VolatileRows {
  /// Whether a second run is worth its time: only defaults make such values without anybody writing them.
  package static func mayHold(_ state: Snapshot) -> Bool {
    state.entries.contains { entry in
      guard entry.kind == .row, let parent = entry.parent else { return false }
      let columns = state.children(of: parent, .column)
      return columns.isEmpty
        || columns.contains { column in
          let text = column["default"] ?? ""
          return text.contains("now()") || text.contains("CURRENT_") || text.contains("random")
            || text.contains("uuid")
            || text.contains("clock_timestamp") || text.contains("timeofday")
            || ["LOCAL"].contains { text.contains($0) }
        } || entry.attributes.contains { looksLikeTime($0.value) }
    }
  }

  private static func looksLikeTime(_ value: String) -> Bool {
    value.utf8.count >= 19 && value.utf8.prefix(5).last == UInt8(ascii: "-") && value.contains(":")
  }

  /// - Parameter other: The same from a second run.
  /// - Returns: The state with ``Entry/anyValue`` where the two differ. A row whose key differs can't be told
  ///   from any other and is left out.
  package static func marked(_ state: Snapshot, other: Snapshot) -> Snapshot {
    state.with(
      state.entries.compactMap { entry in
        guard entry.kind == .row else { return entry }
        guard let twin = other[entry.path] else { return nil }
        var marked = entry
        marked.attributes = entry.attributes.map { attribute in
          twin[attribute.name] == attribute.value ? attribute : .init(attribute.name, Entry.anyValue)
        }
        return marked
      })
  }
}
