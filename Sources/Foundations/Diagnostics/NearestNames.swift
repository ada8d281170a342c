/// The names a user may have meant, nearest first: at most three, none that is too far off to be a slip.
package func nearestNames(to typed: String, among names: some Sequence<String>) -> [String] {
  // What is longer is no name, and comparing it takes the product of the lengths.
  guard typed.count <= 64 else { return [] }
  let limit = max(1, typed.count / 3)
  let near = names.compactMap { name -> (name: String, distance: Int)? in
    let distance = editDistance(Array(typed.lowercased()), Array(name.lowercased()))
    if distance <= limit { return (name, distance) }
    // An abbreviation is no slip, but what was meant is plain all the same.
    return typed.count >= 2 && name.hasPrefix(typed) ? (name, limit + 1) : nil
  }
  return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour.
private func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
