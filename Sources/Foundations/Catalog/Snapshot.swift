/// All that decides what a database does and who may do it, at one moment. A value: comparing and rendering it
/// asks no server.
package struct Snapshot: Sendable {
  /// libpq's number of the server it was taken from, 150018 for 15.18; nil where it was read from files.
  package var serverVersion: Int?
  /// In the order they are shown in: parents before what is part of them.
  package private(set) var entries: [Entry]
  /// Objects of kinds that no entry can describe: `operator class public.x`.
  package var notCovered: [String]
  /// What the role could not read, in words: nothing can be said about it.
  package var unseen: [String]

  private var index: [String: Int]
  private var childIndex: [String: [Int]]

  package init(
    _ entries: [Entry], serverVersion: Int? = nil, notCovered: [String] = [], unseen: [String] = []
  ) {
    self.serverVersion = serverVersion
    self.notCovered = notCovered
    self.unseen = unseen
    self.entries = Self.sorted(entries)
    index = [:]
    childIndex = [:]
    index.reserveCapacity(self.entries.count)
    for (offset, entry) in self.entries.enumerated() {
      index[entry.path] = offset
      if let parent = entry.parent { childIndex[parent, default: []].append(offset) }
    }
  }

  package subscript(_ path: String) -> Entry? { index[path].map { entries[$0] } }

  /// What is directly part of an entry, in order.
  package func children(of path: String) -> [Entry] { (childIndex[path] ?? []).map { entries[$0] } }

  package func children(of path: String, _ kind: ObjectKind) -> [Entry] {
    children(of: path).filter { $0.kind == kind }
  }

  /// The entry's parent, its parent's parent, and so on.
  package func ancestors(of entry: Entry) -> [Entry] {
    var all: [Entry] = []
    var next = entry.parent
    while let path = next, let parent = self[path] {
      all.append(parent)
      next = parent.parent
    }
    return all
  }

  /// The same with other entries.
  package func with(_ entries: [Entry]) -> Snapshot {
    Snapshot(entries, serverVersion: serverVersion, notCovered: notCovered, unseen: unseen)
  }

  /// Top-level entries by kind and name, each followed by what is part of it. Bytes decide, so that no locale
  /// and no history of the database shows.
  private static func sorted(_ entries: [Entry]) -> [Entry] {
    var children: [String: [Int]] = [:]
    var top: [Int] = []
    let paths = Set(entries.lazy.map(\.path))
    for (offset, entry) in entries.enumerated() {
      if let parent = entry.parent, paths.contains(parent) {
        children[parent, default: []].append(offset)
      } else {
        top.append(offset)
      }
    }
    func precedes(_ a: Int, _ b: Int) -> Bool {
      let (first, second) = (entries[a], entries[b])
      if first.kind != second.kind { return first.kind.rank < second.kind.rank }
      if let one = first.position, let other = second.position, one != other { return one < other }
      if first.name != second.name {
        return first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
      }
      return first.path.utf8.lexicographicallyPrecedes(second.path.utf8)
    }
    var sorted: [Entry] = []
    sorted.reserveCapacity(entries.count)
    func append(_ offsets: [Int]) {
      for offset in offsets.sorted(by: precedes) {
        sorted.append(entries[offset])
        if let inner = children[entries[offset].path] { append(inner) }
      }
    }
    append(top)
    return sorted
  }
}
