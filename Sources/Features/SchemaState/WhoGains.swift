import Catalog
import CatalogChanges

/// A difference seen from the roles: who can do what on the actual side that the declared one did not allow, and
/// who no longer can.
package struct WhoGains: Sendable {
  package struct Line: Sendable, Hashable {
    package let role: String
    /// Whether the role gains; otherwise it loses.
    package let isGain: Bool
    package let what: String
    /// By which way, where it is not a grant on the object itself.
    package let through: String?
  }

  package let lines: [Line]
  private let headlineCounts: [(role: String, privilege: String, kind: ObjectKind, count: Int)]

  package init(_ comparison: Comparison) {
    var reader = GainReader(comparison)
    for difference in comparison.differences { reader.read(difference) }
    lines = reader.lines.sorted { a, b in
      (Self.rank(a.role), a.role, a.isGain ? 0 : 1, a.what) < (
        Self.rank(b.role), b.role, b.isGain ? 0 : 1, b.what
      )
    }
    headlineCounts = reader.headlines
  }

  /// Everyone first, then the visitor without an account.
  private static func rank(_ role: String) -> Int { role == "PUBLIC" ? 0 : role == "anon" ? 1 : 2 }

  package var isEmpty: Bool { lines.isEmpty }

  /// `anon gains SELECT on 2 tables`: for PUBLIC and anon alone, whom nobody has let in.
  package var headlines: [String] {
    headlineCounts.map { "\($0.role) gains \($0.privilege) on \($0.kind.counted($0.count))" }
  }

  package var text: [String] {
    var result: [String] = []
    var role: String?
    for line in lines {
      if role != line.role { result.append(line.role) }
      role = line.role
      let through = line.through.map { "  (through \($0))" } ?? ""
      result.append("  \(line.isGain ? "gains" : "loses") \(line.what)\(through)")
    }
    return result
  }

  var markdown: String {
    lines.map { line in
      "- `\(line.role)` \(line.isGain ? "gains" : "loses") \(line.what)"
        + (line.through.map { " (through \($0))" } ?? "") + "\n"
    }.joined()
  }
}

/// Reads one difference after the other.
private struct GainReader {
  let comparison: Comparison
  var lines: [WhoGains.Line] = []
  var headlines: [(role: String, privilege: String, kind: ObjectKind, count: Int)] = []

  init(_ comparison: Comparison) { self.comparison = comparison }

  mutating func read(_ difference: Difference) {
    switch difference.entry.kind {
    case .grant: grant(difference)
    case .defaultPrivilege: defaultPrivilege(difference)
    case .membership: membership(difference)
    case .role: role(difference)
    case .policy: policy(difference)
    case .table, .foreignTable: rowSecurity(difference)
    case .function, .procedure: routine(difference)
    case .view: view(difference)
    case .publishedTable, .publishedSchema: published(difference)
    case .publication: publication(difference)
    case .bucket: bucket(difference)
    default: break
    }
  }

  private mutating func add(_ role: String, _ isGain: Bool, _ what: String, through: String? = nil) {
    let line = WhoGains.Line(role: role, isGain: isGain, what: what, through: through)
    if !lines.contains(line) { lines.append(line) }
  }

  private func present(_ entry: Entry?) -> Entry? { entry.flatMap { $0.isAbsent ? nil : $0 } }

  private func privileges(_ entry: Entry?) -> Set<String> {
    guard let text = present(entry)?["privileges"], text != "nothing" else { return [] }
    return Set(text.split(separator: ", ").map(String.init))
  }

  // MARK: - Rights

  private mutating func grant(_ difference: Difference) {
    let (before, after) = (privileges(difference.declared), privileges(difference.actual))
    let state = difference.actual == nil ? comparison.declared : comparison.actual
    guard let object = state.ancestors(of: difference.entry).first else { return }
    let role = difference.entry.name
    let on = object.described(in: state)
    let (gained, lost) = (after.subtracting(before).sorted(), before.subtracting(after).sorted())
    for (list, isGain) in [(gained, true), (lost, false)] where !list.isEmpty {
      let what = "\(list.joined(separator: ", ")) on \(on)"
      add(role, isGain, what)
      for member in members(of: role, in: isGain ? comparison.actual : comparison.declared) {
        add(member, isGain, what, through: "membership in \(role)")
      }
    }
    guard role == "PUBLIC" || role == "anon" else { return }
    for privilege in gained {
      if let index = headlines.firstIndex(where: {
        $0.role == role && $0.privilege == privilege && $0.kind == object.kind
      }) {
        headlines[index].count += 1
      } else {
        headlines.append((role, privilege, object.kind, 1))
      }
    }
  }

  private mutating func defaultPrivilege(_ difference: Difference) {
    let (before, after) = (privileges(difference.declared), privileges(difference.actual))
    let entry = difference.entry
    let place = entry["place"].map { " in schema \($0)" } ?? ""
    let what =
      "every \(singular(entry["objects"] ?? "objects")) that \(entry["maker"] ?? "?") makes\(place) from now on"
    for (list, isGain) in [(after.subtracting(before), true), (before.subtracting(after), false)]
    where !list.isEmpty {
      add(
        entry["grantee"] ?? "PUBLIC", isGain, "\(list.sorted().joined(separator: ", ")) on \(what)",
        through: "default privileges")
    }
  }

  private func singular(_ word: String) -> String { word.hasSuffix("s") ? String(word.dropLast()) : word }

  private mutating func membership(_ difference: Difference) {
    guard difference.change != .different, let role = difference.entry.parent.map({ String($0.dropFirst(5)) })
    else { return }
    let isGain = (difference.change == .extra) != difference.entry.isAbsent
    add(role, isGain, "everything the role \(difference.entry.name) may do", through: "membership")
  }

  private mutating func role(_ difference: Difference) {
    func words(_ entry: Entry?) -> Set<String> {
      Set((present(entry)?["attributes"] ?? "").split(separator: " ").map(String.init)).subtracting([
        "noinherit"
      ])
    }
    let (before, after) = (words(difference.declared), words(difference.actual))
    for word in after.subtracting(before).sorted() {
      add(difference.entry.name, true, "the attribute \(word)")
    }
    for word in before.subtracting(after).sorted() {
      add(difference.entry.name, false, "the attribute \(word)")
    }
  }

  // MARK: - Rows

  private mutating func policy(_ difference: Difference) {
    let before = present(difference.declared)
    let after = present(difference.actual)
    if let before, let after {
      let was = roles(before)
      let now = roles(after)
      let object = tableName(difference)
      for role in now where !was.contains(role) {
        add(role, true, "\(rows(after)) of \(object)", through: name(after))
      }
      for role in was where !now.contains(role) {
        add(role, false, "\(rows(before)) of \(object)", through: name(before))
      }
      let isChanged = difference.values.contains {
        ["using", "with check", "for", "restrictive"].contains($0.name)
      }
      if isChanged {
        for role in now where was.contains(role) {
          add(role, true, "other rows of \(object): \(rows(after))", through: name(after))
          add(role, false, "rows of \(object) it had before: \(rows(before))", through: name(before))
        }
      }
      return
    }
    guard let entry = before ?? after else { return }
    // One more restrictive policy takes rows away.
    let isGain = (after != nil) != entry.says("restrictive")
    for role in roles(entry) {
      add(role, isGain, "\(rows(entry)) of \(tableName(difference))", through: name(entry))
    }
  }

  private func roles(_ policy: Entry) -> [String] {
    (policy["to"] ?? "PUBLIC").split(separator: ", ").map(String.init)
  }

  private func name(_ policy: Entry) -> String { "policy \(policy.name)" }

  private func tableName(_ difference: Difference) -> String {
    let state = difference.actual == nil ? comparison.declared : comparison.actual
    return state.ancestors(of: difference.entry).first?.name ?? "?"
  }

  private func rows(_ policy: Entry) -> String {
    let condition = policy["using"] ?? policy["with check"] ?? "true"
    let text = condition.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "\(policy["for"] ?? "all") rows where \(text.count > 80 ? "\(text.prefix(77))..." : text)"
  }

  private mutating func rowSecurity(_ difference: Difference) {
    guard difference.change == .different,
      let value = difference.values.first(where: { $0.name == "rls" })
    else { return }
    let isGain = value.actual == nil
    let state = isGain ? comparison.actual : comparison.declared
    for grant in state.children(of: difference.path, .grant) where grant.name != difference.entry["owner"] {
      let list = grant["privileges"] ?? ""
      add(
        grant.name, isGain, "\(list) on every row of \(difference.entry.name)",
        through: "row level security off")
    }
  }

  // MARK: - On behalf of an owner

  private mutating func routine(_ difference: Difference) {
    guard difference.change == .different, let before = difference.declared, let after = difference.actual
    else { return }
    let isChanged = difference.values.contains { ["security", "owner"].contains($0.name) }
    guard isChanged else { return }
    for (entry, state, isGain) in [(after, comparison.actual, true), (before, comparison.declared, false)]
    where entry.says("security") {
      for role in grantees(of: entry, "EXECUTE", in: state) {
        add(role, isGain, "what \(entry.name) does as \(entry["owner"] ?? "?")", through: "security definer")
      }
    }
  }

  private mutating func view(_ difference: Difference) {
    guard difference.change == .different, let before = difference.declared, let after = difference.actual
    else { return }
    guard difference.values.contains(where: { ["owner", "options"].contains($0.name) }) else { return }
    let (was, now) = (isInvoker(before), isInvoker(after))
    guard was != now || before["owner"] != after["owner"] && !now else { return }
    for (entry, state, isGain) in [(after, comparison.actual, true), (before, comparison.declared, false)]
    where !isInvoker(entry) {
      for role in grantees(of: entry, "SELECT", in: state) {
        add(
          role, isGain, "what \(entry.name) shows with the rights of \(entry["owner"] ?? "?")",
          through: "a view without security_invoker")
      }
    }
  }

  private func isInvoker(_ entry: Entry) -> Bool {
    let options = entry["options"] ?? ""
    return options.contains("security_invoker=true") || options.contains("security_invoker=on")
      || options.contains("security_invoker=1")
  }

  private func grantees(of entry: Entry, _ privilege: String, in state: Snapshot) -> [String] {
    state.children(of: entry.path, .grant).filter { privileges($0).contains(privilege) }.map(\.name)
  }

  // MARK: - Publications and buckets

  private mutating func published(_ difference: Difference) {
    guard let publication = difference.entry.parent else { return }
    let isGain = (difference.change == .extra) != difference.entry.isAbsent
    if difference.change == .different {
      add("subscribers", true, "changed rows or columns of \(difference.entry.name)", through: publication)
    } else {
      add(
        "subscribers", isGain,
        "changes of \(difference.entry.kind == .publishedSchema ? "all tables in schema " : "")\(difference.entry.name)",
        through: publication)
    }
  }

  private mutating func publication(_ difference: Difference) {
    let (before, after) = (present(difference.declared), present(difference.actual))
    let (was, now) = (before?.says("all tables") ?? false, after?.says("all tables") ?? false)
    if was != now { add("subscribers", now, "changes of every table", through: difference.path) }
  }

  private mutating func bucket(_ difference: Difference) {
    let was = present(difference.declared)?["public"] == "true"
    let now = present(difference.actual)?["public"] == "true"
    if was != now {
      add(
        "PUBLIC", now, "reading every file of bucket \(difference.entry.name) by its address",
        through: "a public bucket")
    }
  }

  /// Who inherits from a role, by however many steps.
  private func members(of role: String, in state: Snapshot) -> [String] {
    var found: [String] = []
    var open = [role]
    while let group = open.popLast() {
      for entry in state.entries where entry.kind == .membership && entry.name == group {
        guard let member = entry.parent.map({ String($0.dropFirst(5)) }), !found.contains(member) else {
          continue
        }
        found.append(member)
        open.append(member)
      }
    }
    return found.sorted()
  }
}
