/// What the `Prefer` headers ask for. The first of a kind counts.
struct Preferences: Sendable {
  enum Resolution: String, Sendable, CaseIterable {
    case mergeDuplicates = "resolution=merge-duplicates"
    case ignoreDuplicates = "resolution=ignore-duplicates"
  }

  enum Representation: String, Sendable, CaseIterable {
    case full = "return=representation"
    case minimal = "return=minimal"
    case headersOnly = "return=headers-only"
  }

  enum Count: String, Sendable, CaseIterable {
    case exact = "count=exact"
    case planned = "count=planned"
    case estimated = "count=estimated"
  }

  enum Transaction: String, Sendable, CaseIterable {
    case commit = "tx=commit"
    case rollback = "tx=rollback"
  }

  enum Missing: String, Sendable, CaseIterable {
    case defaults = "missing=default"
    case nulls = "missing=null"
  }

  enum Handling: String, Sendable, CaseIterable {
    case strict = "handling=strict"
    case lenient = "handling=lenient"
  }

  var resolution: Resolution?
  var representation: Representation?
  var count: Count?
  var transaction: Transaction?
  var missing: Missing?
  var handling: Handling?
  var timezone: String?
  var maxAffected: Int?
  /// What no server of this kind knows.
  var unknown: [String] = []

  /// - Parameters:
  ///   - values: Those of all `Prefer` headers, in order.
  ///   - allowsTransactionEnd: Whether a request may say how its transaction ends.
  ///   - timezones: The names the server knows.
  init(_ values: [String], allowsTransactionEnd: Bool, timezones: Set<String>) {
    guard !values.isEmpty else { return }
    let tokens = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { String($0).trimmedBlanks }
    resolution = tokens.firstCase()
    representation = tokens.firstCase()
    count = tokens.firstCase()
    let end: Transaction? = tokens.firstCase()
    transaction = allowsTransactionEnd ? end : nil
    missing = tokens.firstCase()
    handling = tokens.firstCase()
    let zone = tokens.first { $0.hasPrefix("timezone=") }.map { String($0.dropFirst(9)) }
    timezone = zone.flatMap { timezones.contains($0) ? $0 : nil }
    maxAffected = tokens.first { $0.hasPrefix("max-affected=") }.flatMap { Int($0.dropFirst(13)) }
    let known = Set(
      Resolution.allCases.map(\.rawValue) + Representation.allCases.map(\.rawValue)
        + Count.allCases.map(\.rawValue) + Transaction.allCases.map(\.rawValue)
        + Missing.allCases.map(\.rawValue) + Handling.allCases.map(\.rawValue))
    unknown = tokens.filter { token in
      !known.contains(token) && !(token.hasPrefix("timezone=") && timezone != nil)
        && !token.hasPrefix("max-affected=")
    }
  }

  /// The value of `Preference-Applied`; nil where nothing was applied.
  var applied: String? {
    var parts = [
      resolution?.rawValue, missing?.rawValue, representation?.rawValue, count?.rawValue,
      transaction?.rawValue, handling?.rawValue, timezone.map { "timezone=" + $0 },
    ].compactMap { $0 }
    if handling == .strict, let maxAffected { parts.append("max-affected=\(maxAffected)") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// - Throws: PGRST122 where the request wants to be strict and something is unknown.
  func check() throws {
    if handling == .strict, !unknown.isEmpty { throw RESTError.invalidPreferences(unknown) }
  }

  var countsRows: Bool { count == .exact || count == .estimated }
  var explainsCount: Bool { count == .planned || count == .estimated }
}

extension [String] {
  fileprivate func firstCase<Token: RawRepresentable<String>>() -> Token? {
    for token in self {
      if let found = Token(rawValue: token) { return found }
    }
    return nil
  }
}
