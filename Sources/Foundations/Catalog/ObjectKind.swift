/// Every kind of thing a database's state is made of. The order of the cases is the order they are shown in and,
/// where no dependency says otherwise, the order they are made in.
package enum ObjectKind: String, CaseIterable, Sendable, Hashable {
  case role
  case membership = "member of"
  case setting
  case databaseSetting = "database setting"
  case database
  case parameter
  case schema
  case `extension`
  case defaultPrivilege = "default privilege"
  case collation
  case `enum`
  case compositeType = "composite type"
  case attribute
  case rangeType = "range type"
  case domain
  case domainConstraint = "domain constraint"
  case sequence
  case function
  case procedure
  case aggregate
  case `operator`
  case cast
  case textSearchParser = "text search parser"
  case textSearchTemplate = "text search template"
  case textSearchDictionary = "text search dictionary"
  case textSearchConfiguration = "text search configuration"
  case wrapper = "foreign data wrapper"
  case server
  case userMapping = "user mapping"
  case table
  case foreignTable = "foreign table"
  case column
  case identitySequence = "identity sequence"
  case row
  case bucket
  case cronJob = "cron job"
  case secret
  case constraint
  case index
  case view
  case materializedView = "materialized view"
  case rule
  case statistics
  case trigger
  case policy
  case grant
  case publication
  case publishedTable = "published table"
  case publishedSchema = "published schema"
  case subscription
  case eventTrigger = "event trigger"

  /// The place in the order of the cases.
  package var rank: Int { Self.ranks[self] ?? 0 }

  private static let ranks = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($0.element, $0.offset) })

  /// What SQL calls it in `drop`, `comment on`, `alter … owner to`.
  package var sqlName: String {
    switch self {
    case .enum, .compositeType, .rangeType: "type"
    case .identitySequence: "sequence"
    default: rawValue
    }
  }

  /// `1 policy`, `3 policies`, `2 tables`.
  package func counted(_ count: Int) -> String {
    if count == 1 { return "1 \(rawValue)" }
    switch self {
    case .membership: return "\(count) memberships"
    case .statistics: return "\(count) statistics"
    case .index: return "\(count) indexes"
    default:
      let isY = rawValue.hasSuffix("y") && !rawValue.hasSuffix("ey")
      return "\(count) \(isY ? "\(rawValue.dropLast())ies" : "\(rawValue)s")"
    }
  }
}
