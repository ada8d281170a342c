/// A five-character SQLSTATE; a two-character value stands for the whole class.
package struct SQLState: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package static let connectionException = SQLState(rawValue: "08")
  package static let integrityConstraintViolation = SQLState(rawValue: "23")
  package static let noActiveTransaction = SQLState(rawValue: "25P01")
  package static let activeTransaction = SQLState(rawValue: "25001")
  package static let insufficientPrivilege = SQLState(rawValue: "42501")
  package static let syntaxError = SQLState(rawValue: "42601")
  package static let undefinedTable = SQLState(rawValue: "42P01")
  package static let unsafeNewEnumValueUsage = SQLState(rawValue: "55P04")
  package static let lockNotAvailable = SQLState(rawValue: "55P03")
  package static let diskFull = SQLState(rawValue: "53100")
  package static let objectInUse = SQLState(rawValue: "55006")
  package static let queryCanceled = SQLState(rawValue: "57014")
  package static let duplicateDatabase = SQLState(rawValue: "42P04")

  /// Lets a class match its members: `catch SQLState.integrityConstraintViolation`.
  package static func ~= (pattern: SQLState, error: any Error) -> Bool {
    (error as? PostgresError)?.state.rawValue.hasPrefix(pattern.rawValue) ?? false
  }
}
