import Catalog

/// Statements that belong together, about one object.
package struct Step: Sendable {
  /// The path of the object, or of a part of the work on it that has to wait for something.
  package let path: String
  package let entry: Entry
  package var texts: [String]
  /// Whether it takes the object away.
  package let isRemoval: Bool
  let rank: Int
  var needs: Set<String>

  init(
    _ entry: Entry, _ texts: [String], suffix: String = "", rank: Int? = nil, needs: Set<String> = [],
    isRemoval: Bool = false
  ) {
    path = entry.path + suffix
    self.entry = entry
    self.texts = texts
    self.rank = rank ?? entry.kind.rank * 10
    self.needs = needs
    self.isRemoval = isRemoval
  }
}

/// Sorts steps so that each comes after what it needs, and otherwise by rank and in the order given.
enum StepOrder {
  static func sorted(_ steps: [Step]) -> [Step] {
    let places = Dictionary(
      steps.enumerated().map { ($0.element.path, $0.offset) }, uniquingKeysWith: { first, _ in first })
    var waits = [Int](repeating: 0, count: steps.count)
    var blocks: [[Int]] = Array(repeating: [], count: steps.count)
    for (offset, step) in steps.enumerated() {
      for path in step.needs {
        guard let other = places[path], other != offset else { continue }
        blocks[other].append(offset)
        waits[offset] += 1
      }
    }
    var ready = Heap(steps.indices.filter { waits[$0] == 0 }.map { ($0, steps[$0].rank) })
    var isDone = [Bool](repeating: false, count: steps.count)
    var order: [Int] = []
    while order.count < steps.count {
      // A circle is cut at the step of the lowest rank; whether that works is for the server to say.
      let next = ready.pop() ?? steps.indices.filter { !isDone[$0] }.min { steps[$0].rank < steps[$1].rank }
      guard let next, !isDone[next] else { continue }
      isDone[next] = true
      order.append(next)
      for other in blocks[next] {
        waits[other] -= 1
        if waits[other] == 0, !isDone[other] { ready.push(other, steps[other].rank) }
      }
    }
    return order.map { steps[$0] }
  }

  /// The lowest rank first; of equal ranks the one given first.
  private struct Heap {
    private var items: [(index: Int, rank: Int)] = []

    init(_ items: [(Int, Int)]) { for item in items { push(item.0, item.1) } }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
      (items[a].rank, items[a].index) < (items[b].rank, items[b].index)
    }

    mutating func push(_ index: Int, _ rank: Int) {
      items.append((index, rank))
      var child = items.count - 1
      while child > 0, precedes(child, (child - 1) / 2) {
        items.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    mutating func pop() -> Int? {
      guard let first = items.first else { return nil }
      let last = items.removeLast()
      if !items.isEmpty {
        items[0] = last
        var parent = 0
        while true {
          var least = parent
          for child in [2 * parent + 1, 2 * parent + 2] where child < items.count && precedes(child, least) {
            least = child
          }
          if least == parent { break }
          items.swapAt(parent, least)
          parent = least
        }
      }
      return first.index
    }
  }
}
