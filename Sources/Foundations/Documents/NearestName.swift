extension String {
  /// The candidate that this was most likely meant to be; nil when none is near.
  ///
  /// Near is at most a third of the name's letters changed, added, dropped or swapped with a neighbour.
  package func nearest(in candidates: some Sequence<String>) -> String? {
    let name = Array(lowercased().unicodeScalars)
    guard name.count <= 64 else { return nil }
    let limit = max(1, name.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased().unicodeScalars)
      guard abs(other.count - name.count) <= limit else { continue }
      let distance = Self.distance(name, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Edit distance in which swapping two neighbours counts once (optimal string alignment).
  private static func distance(_ a: [UnicodeScalar], _ b: [UnicodeScalar]) -> Int {
    var older: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      for j in b.indices {
        var cost = Swift.min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = Swift.min(cost, older[j - 1] + 1) }
        current.append(cost)
      }
      older = previous
      previous = current
    }
    return previous[b.count]
  }
}
