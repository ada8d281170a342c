/// A kind of statement that the platform lets `postgres` run and stock PostgreSQL keeps for superusers
/// whatever is granted. On a database nomdev made, a call takes its place in the same session and the same
/// transaction; elsewhere the statement is sent as it is.
///
/// This list is all there is: everything else works, or is refused, by the database's own rules.
package enum PrivilegedStatement: String, Sendable, CaseIterable {
  /// `create event trigger …`
  case createEventTrigger = "create_event_trigger"
  /// `create publication … for all tables`, `… for tables in schema …` and
  /// `alter publication … {add|set|drop} tables in schema …`
  case publicationForAll = "change_publication"
  /// `create foreign data wrapper …`
  case createForeignDataWrapper = "create_foreign_data_wrapper"
  /// `create role … bypassrls` or `… replication`. From PostgreSQL 16 on `postgres` can do that itself.
  case createPowerfulRole = "create_role"

  /// The database function that runs such a statement. It takes the statement's text, returns nothing, and
  /// refuses with 42601 (a role: 42501) what is not exactly of its kind. What it makes belongs to `postgres`.
  package var function: String { "nomdev_platform.\(rawValue)" }

  /// The kind of a statement, told by its first words; nil for every other statement.
  ///
  /// - Parameter statement: One statement, without what stands before it: neither comments nor blanks.
  package init?(_ statement: some StringProtocol) {
    let words = statement.lowercased().split { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }
    func has(_ sequence: String...) -> Bool {
      words.indices.contains { words[$0...].starts(with: sequence, by: { $0 == $1 }) }
    }
    let head = words.prefix(3).joined(separator: " ")
    if head == "create event trigger" {
      self = .createEventTrigger
    } else if head == "create foreign data" {
      self = .createForeignDataWrapper
    } else if head.hasPrefix("create publication "), has("for", "all") || has("for", "tables", "in") {
      self = .publicationForAll
    } else if head.hasPrefix("alter publication "), has("tables", "in", "schema") {
      self = .publicationForAll
    } else if head.hasPrefix("create role ") || head.hasPrefix("create user "), head != "create user mapping",
      words.contains(where: { ["bypassrls", "replication"].contains($0.filter { $0 != ";" }) })
    {
      self = .createPowerfulRole
    } else {
      return nil
    }
  }
}
