/// The rows a request asks for: from one offset to another, both included.
struct RowRange: Hashable, Sendable {
  /// Nil: nothing below.
  var lower: Int
  /// Nil: no upper bound. Below `lower` the range is empty.
  var upper: Int?

  static let all = RowRange(lower: 0, upper: nil)
  /// What `limit=0` asks for: no rows, and yet a fine request.
  static let none = RowRange(lower: 0, upper: -1)

  var isEmpty: Bool { upper.map { $0 < lower } ?? false }
  var limit: Int? { upper.map { 1 + $0 - lower } }
  /// Whether it comes from `limit=0`.
  var isNoneRequested: Bool { upper == -1 }

  func intersection(_ other: RowRange) -> RowRange? {
    if isEmpty || other.isEmpty { return nil }
    let upper: Int? =
      switch (upper, other.upper) {
      case (let one?, let two?): min(one, two)
      case (let one?, nil): one
      case (nil, let two): two
      }
    let range = RowRange(lower: max(lower, other.lower), upper: upper)
    return range.isEmpty ? nil : range
  }

  /// At most so many rows of it.
  func restricted(to maximum: Int?) -> RowRange {
    guard let maximum, !isEmpty else { return self }
    let top = lower.addingClamped(maximum - 1)
    return RowRange(lower: lower, upper: min(upper ?? top, top))
  }

  /// Reads `Range: 0-9`, a unit is not expected. What has another form is ignored.
  ///
  /// - Throws: PGRST103 when the lower bound is above the upper one.
  static func header(_ text: String) throws -> RowRange {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let lower = digits(parts[0]), parts[1].isEmpty || digits(parts[1]) != nil else {
      return .all
    }
    let range = RowRange(lower: lower, upper: digits(parts[1]))
    if range.isEmpty {
      throw RESTError.invalidRange(
        "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
    }
    return range
  }

  private static func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text) ?? Int.max / 4
  }

  /// `a-b/total` and the status that goes with it.
  func contentRange(rows: Int, total: Int?) -> (status: Int, value: String) {
    let last = lower + rows - 1
    let status: Int
    if let total {
      status = lower > total ? 416 : 1 + last - lower < total ? 206 : 200
    } else {
      status = 200
    }
    return (status, Self.contentRange(from: lower, to: last, total: total))
  }

  static func contentRange(from lower: Int, to upper: Int, total: Int?) -> String {
    let rows = total != 0 && lower <= upper ? "\(lower)-\(upper)" : "*"
    return rows + "/" + (total.map { String($0) } ?? "*")
  }
}

extension Int {
  /// The sum, or the largest number where it does not fit: clients choose these numbers.
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }
}
