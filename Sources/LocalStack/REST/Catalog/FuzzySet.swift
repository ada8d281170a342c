/// Finds the name nearest to a misspelt one: candidates share runs of letters, the closest by edit distance
/// wins.
struct FuzzySet: Sendable {
  private struct Entry {
    let name: String
    let normalized: [Unicode.Scalar]
  }

  private var entries: [Entry] = []
  /// By gram size and gram: entries that hold it, with how often.
  private var index: [[[Unicode.Scalar]: [(entry: Int, count: Int)]]] = [[:], [:]]
  private var norms: [[Double]] = [[], []]
  private static let sizes = [3, 2]

  init(_ names: [String]) {
    var seen: Set<String> = []
    for name in names {
      let normalized = Array(name.lowercased().unicodeScalars)
      guard seen.insert(name.lowercased()).inserted else { continue }
      let number = entries.count
      entries.append(Entry(name: name, normalized: normalized))
      for (slot, size) in Self.sizes.enumerated() {
        let grams = Self.grams(normalized, size)
        for (gram, count) in grams { index[slot][gram, default: []].append((number, count)) }
        norms[slot].append(Self.norm(grams))
      }
    }
  }

  /// The nearest name whose score is at least the minimum.
  func best(for name: String, minimum: Double = 0.33) -> String? {
    matches(for: name, minimum: minimum).first?.name
  }

  /// The near names, nearest first, by scores from 0 to 1.
  func matches(for name: String, minimum: Double = 0.33) -> [(score: Double, name: String)] {
    let wanted = Array(name.lowercased().unicodeScalars)
    if let exact = entries.first(where: { $0.normalized == wanted }) { return [(1, exact.name)] }
    for (slot, size) in Self.sizes.enumerated() {
      let found = matches(for: wanted, slot: slot, size: size, minimum: minimum)
      if !found.isEmpty { return found }
    }
    return []
  }

  private func matches(
    for wanted: [Unicode.Scalar], slot: Int, size: Int, minimum: Double
  ) -> [(score: Double, name: String)] {
    let grams = Self.grams(wanted, size)
    var products: [Int: Int] = [:]
    for (gram, count) in grams {
      for (entry, other) in index[slot][gram] ?? [] { products[entry, default: 0] += count * other }
    }
    // The best by shared grams are measured exactly, no more than fifty.
    let norm = Self.norm(grams)
    let candidates = products.map { entry, product in
      (Double(product) / (norm * norms[slot][entry]), entry)
    }.sorted { ($0.0, $1.1) > ($1.0, $0.1) }.prefix(50)
    return candidates.map { _, entry in
      (score: Self.similarity(wanted, entries[entry].normalized), name: entries[entry].name)
    }.filter { $0.score >= minimum }.sorted { $0.score > $1.score }
  }

  private static func norm(_ grams: [[Unicode.Scalar]: Int]) -> Double {
    Double(grams.values.reduce(0) { $0 + $1 * $1 }).squareRoot()
  }

  private static func grams(_ text: [Unicode.Scalar], _ size: Int) -> [[Unicode.Scalar]: Int] {
    var padded: [Unicode.Scalar] = ["-"]
    padded += text.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "," || $0 == " " || $0 == "_"
    }
    padded.append("-")
    while padded.count < size { padded.append("-") }
    var grams: [[Unicode.Scalar]: Int] = [:]
    for start in 0...(padded.count - size) {
      grams[Array(padded[start..<start + size]), default: 0] += 1
    }
    return grams
  }

  private static func similarity(_ one: [Unicode.Scalar], _ two: [Unicode.Scalar]) -> Double {
    let longest = max(one.count, two.count)
    guard longest > 0 else { return 1 }
    var previous = Array(0...two.count)
    for (row, scalar) in one.enumerated() {
      var current = [row + 1]
      for (column, other) in two.enumerated() {
        current.append(
          min(previous[column + 1] + 1, current[column] + 1, previous[column] + (scalar == other ? 0 : 1)))
      }
      previous = current
    }
    return 1 - Double(previous[two.count]) / Double(longest)
  }
}
