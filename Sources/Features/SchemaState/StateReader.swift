import Catalog
import Diagnostics
import JSONValues

/// Reads the text of ``StateText`` back.
package struct StateReader {
  private let file: SourceFile
  private var entries: [Entry] = []
  /// The entries above the line at hand, outermost first.
  private var open: [Int] = []
  private var offset = 0
  private var columns = 0

  /// - Throws: ``Diagnostic`` `state.corrupt` with the place of the first line that can't be read.
  package static func read(_ files: [SourceFile]) throws -> Snapshot {
    var entries: [Entry] = []
    var seen: [String: String] = [:]
    for file in files {
      var reader = StateReader(file: file)
      try reader.read()
      for entry in reader.entries {
        if let other = seen.updateValue(file.path, forKey: entry.path) {
          throw Diagnostic(
            "state.corrupt", "\(entry.path) is declared twice", detail: "in \(other) and in \(file.path)",
            hint: "write the state again with: nomdev state --write", at: file.location(byte: 0))
        }
      }
      entries += reader.entries
    }
    return Snapshot(entries)
  }

  private init(file: SourceFile) { self.file = file }

  private mutating func read() throws {
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
      line.last == "\r" ? line.dropLast() : line
    }
    guard lines.first?.hasPrefix("-- nomdev state, version 1") == true else {
      throw corrupt(lines.first ?? "", "this is no state file of a version nomdev knows")
    }
    var pending: (name: String, indent: Int)?
    var body: [String] = []
    for line in lines {
      defer { offset += line.utf8.count + 1 }
      let indent = line.prefix { $0 == " " }.count
      let content = line.dropFirst(indent)
      if let (name, level) = pending {
        if indent == level + 2, content.first == "|" {
          body.append(String(content.dropFirst()))
          continue
        }
        try finish(name, &body, line)
        pending = nil
      }
      if content.isEmpty || content.hasPrefix("-- ") { continue }
      guard indent % 2 == 0, indent / 2 <= open.count else {
        throw corrupt(line, "the line is indented too far")
      }
      if try readHead(content, depth: indent / 2, line) { continue }
      open.removeLast(max(0, open.count - indent / 2))
      guard let last = open.last, indent > 0 else {
        throw corrupt(line, "this is neither an object nor an attribute")
      }
      if content.hasSuffix(":"), !content.contains(": ") {
        pending = (String(content.dropLast()), indent)
        continue
      }
      guard let colon = content.firstRange(of: ": ") else { throw corrupt(line, "an attribute has no value") }
      let value = try unescaped(content[colon.upperBound...], line)
      entries[last].attributes.append(.init(String(content[..<colon.lowerBound]), value))
    }
    if let (name, _) = pending { try finish(name, &body, "") }
  }

  private mutating func finish(_ name: String, _ body: inout [String], _ line: Substring) throws {
    guard let last = open.last, !body.isEmpty else { throw corrupt(line, "the text of \(name) is missing") }
    entries[last].attributes.append(.init(name, body.joined(separator: "\n")))
    body = []
  }

  /// An object's first line; false where the line is none.
  private mutating func readHead(_ content: Substring, depth: Int, _ line: Substring) throws -> Bool {
    var rest = content
    let isAbsent = rest.hasPrefix("no ")
    if isAbsent { rest = rest.dropFirst(3) }
    guard let kind = Self.kinds.first(where: { rest.hasPrefix("\($0.rawValue) ") || rest == $0.rawValue })
    else { return false }
    rest = rest.dropFirst(kind.rawValue.count + 1)
    var segments = kind.isOneLine ? Self.segments(rest) : [rest]
    let name = try unescaped(segments.removeFirst(), line)
    open.removeLast(max(0, open.count - depth))
    let parent = open.last.map { entries[$0] }
    let top = open.first.map { entries[$0] }
    var entry = Entry(
      kind, name, schema: top?.schema ?? (depth == 0 ? Self.schema(kind, name) : nil), parent: parent?.path)
    entry.isAbsent = isAbsent
    if kind == .column || kind == .attribute { entry.position = entries.count }
    if let lead = kind.leadAttribute {
      guard !segments.isEmpty else { throw corrupt(line, "the \(lead) of the \(kind.rawValue) is missing") }
      let first = segments.removeFirst()
      if first != "-" { entry.attributes.append(.init(lead, try unescaped(first, line))) }
    }
    for segment in segments {
      if let colon = segment.firstRange(of: ": ") {
        let value = try unescaped(segment[colon.upperBound...], line)
        entry.attributes.append(.init(String(segment[..<colon.lowerBound]), value))
      } else {
        entry.attributes.append(.init(String(segment), "yes"))
      }
    }
    open.append(entries.count)
    entries.append(entry)
    return true
  }

  /// Longer names first: `table` begins nothing else, `default privilege` and `domain constraint` do.
  private static let kinds = ObjectKind.allCases.sorted { $0.rawValue.count > $1.rawValue.count }

  private static func segments(_ text: Substring) -> [Substring] { text.split(separator: "  ") }

  /// The schema of what stands at the left margin, by its qualified name.
  private static func schema(_ kind: ObjectKind, _ name: String) -> String? {
    switch kind {
    case .schema: return name
    case .role, .membership, .setting, .databaseSetting, .database, .parameter, .extension, .defaultPrivilege,
      .cast,
      .wrapper, .server, .userMapping, .publication, .publishedTable, .publishedSchema, .subscription,
      .eventTrigger,
      .bucket, .cronJob, .secret:
      return nil
    default: return QuotedNames.parts(name).first
    }
  }

  private func unescaped(_ text: Substring, _ line: Substring) throws -> String {
    guard text.hasPrefix("\\") else { return String(text) }
    do {
      guard let value = try JSON(parsing: String(text.dropFirst())).string else {
        throw corrupt(line, "a text is damaged")
      }
      return value
    } catch is JSONError {
      throw corrupt(line, "a text is damaged")
    }
  }

  private func corrupt(_ line: Substring, _ what: String) -> Diagnostic {
    let indent = line.prefix { $0 == " " }.count
    return Diagnostic(
      "state.corrupt", what, hint: "restore the file, or write it again with: nomdev state --write",
      at: file.location(byte: offset + indent, length: max(1, line.utf8.count - indent)))
  }
}
