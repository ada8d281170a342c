import JSONValues
import Migrations

/// A plan as the lines and the JSON of `migrate status`.
struct MigrationListing {
  private let items: [MigrationPlan.Item]
  private let missing: [LedgerRow]

  init(_ plan: MigrationPlan, only states: [MigrationPlan.State]? = nil) {
    items = plan.items.filter { states?.contains($0.state) ?? true }
    missing = plan.missing
  }

  var count: Int { items.count + missing.count }

  /// One line per migration.
  var entries: [String] {
    let width = (items.map(\.file.fileName.count) + missing.map(Self.name).map(\.count)).max() ?? 0
    let rows = items.map { ($0.file.fileName, $0.state.word, $0.row?.appliedAt) }
    let lost = missing.map { (Self.name($0), "missing", $0.appliedAt) }
    return (rows + lost).map { name, state, date in
      let padded = name + String(repeating: " ", count: width - name.count)
      guard let date else { return "  \(padded)  \(state)" }
      return "  \(padded)  \(state)\(String(repeating: " ", count: 10 - state.count))  \(date)"
    }
  }

  /// The entries and the verdict with the counts.
  var lines: [String] {
    var counts: [(String, Int)] = []
    for word in items.map(\.state.word) + missing.map({ _ in "missing" }) {
      if let index = counts.firstIndex(where: { $0.0 == word }) {
        counts[index].1 += 1
      } else {
        counts.append((word, 1))
      }
    }
    let verdict = counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    return entries + [verdict.isEmpty ? "No migrations." : "\(verdict)."]
  }

  func json(database: String) -> [JSON.Member] {
    let files = items.map { item in
      JSON.object([
        .init("version", .string(item.file.version)), .init("name", .string(item.file.name)),
        .init("file", .string(item.file.source.path)), .init("state", .string(item.state.word)),
        .init("applied_at", item.row?.appliedAt.map { .string($0) } ?? .null),
      ])
    }
    let lost = missing.map { row in
      JSON.object([
        .init("version", .string(row.version)), .init("name", row.name.map { .string($0) } ?? .null),
        .init("file", .null), .init("state", "missing"),
        .init("applied_at", row.appliedAt.map { .string($0) } ?? .null),
      ])
    }
    return [.init("database", .string(database)), .init("migrations", .array(files + lost))]
  }

  private static func name(_ row: LedgerRow) -> String {
    row.name.map { "\(row.version)_\($0)" } ?? row.version
  }
}

extension MigrationPlan.State {
  var word: String {
    switch self {
    case .applied: "applied"
    case .edited: "edited"
    case .unverified: "unverified"
    case .pending: "pending"
    case .late: "late"
    }
  }
}
