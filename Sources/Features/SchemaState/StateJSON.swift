import Catalog
import JSONValues

/// A state as JSON, for other tools.
package enum StateJSON {
  package static func members(_ state: Snapshot) -> [JSON.Member] {
    [
      .init("entries", .array(state.entries.map(entry))),
      .init("not_covered", .array(state.notCovered.map { .string($0) })),
      .init("unseen", .array(state.unseen.map { .string($0) })),
    ]
  }

  private static func entry(_ entry: Entry) -> JSON {
    var members: [JSON.Member] = [
      .init("kind", .string(entry.kind.rawValue)), .init("name", .string(entry.name)),
      .init("schema", entry.schema.map { .string($0) } ?? .null),
      .init("part_of", entry.parent.map { .string($0) } ?? .null),
      .init("attributes", .object(entry.attributes.map { .init($0.name, .string($0.value)) })),
    ]
    if entry.isAbsent { members.append(.init("absent", true)) }
    return .object(members)
  }
}
