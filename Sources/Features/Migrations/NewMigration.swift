import Diagnostics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A migration file that is about to be made.
package struct NewMigration: Sendable {
  package let fileName: String
  package let text = "-- Say why, then assert the state each object must be in.\n"

  /// - Parameter files: Those that exist; the new one comes after them all, also when a clock runs behind.
  /// - Throws: ``Diagnostic`` `migrate.bad-name` for a name without a letter or digit.
  package init(name: String, after files: [MigrationFile], now: Int = Int(time(nil))) throws {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
    guard !words.isEmpty else {
      throw Diagnostic(
        "migrate.bad-name", "\"\(name)\" holds no letter or digit", hint: "say what the migration does")
    }
    var version = Self.stamp(now)
    if let newest = files.map(\.version).max(by: { $0.precedesBytewise($1) }),
      newest.utf8.count == version.utf8.count, !newest.precedesBytewise(version), let number = Int(newest)
    {
      version = String(number + 1)
    }
    fileName = "\(version)_\(words).sql"
  }

  /// The UTC time in 14 digits.
  private static func stamp(_ now: Int) -> String {
    var seconds = time_t(now)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let fields = [
      Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday), Int(parts.tm_hour),
      Int(parts.tm_min), Int(parts.tm_sec),
    ]
    return fields.map { $0 < 10 ? "0\($0)" : String($0) }.joined()
  }
}
