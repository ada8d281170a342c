import Catalog
import Diagnostics
import SQLSyntax

/// Finds the statement of a chain of migrations that last defined an object.
package struct OriginFinder {
  package struct Origin {
    package let location: SourceLocation
    /// The comments that stand before the statement, as they are written.
    package let comments: [String]
  }

  private struct Candidate {
    let statement: Statement
    let script: Script
    let words: [Substring]
    let text: String
  }

  private let candidates: [Candidate]

  /// - Parameter files: In the order they are applied.
  package init(_ files: [SourceFile]) {
    candidates = files.flatMap { file -> [Candidate] in
      let script = Script.parse(file)
      return script.statements.map { statement in
        let text = statement.text.lowercased()
        let head = text.split(maxSplits: 8, whereSeparator: \.isWhitespace)
        return Candidate(statement: statement, script: script, words: Array(head.prefix(8)), text: text)
      }
    }.reversed()
  }

  /// The last statement of the right sort that names the object and what it is part of; nil where a loop in a DO
  /// block or another program made it.
  package func origin(of entry: Entry, in state: Snapshot) -> Origin? {
    let name = Self.plain(entry)
    let whole = state.ancestors(of: entry).last.map(Self.plain)
    let found = candidates.first { candidate in
      Self.fits(entry.kind, candidate.words) && Self.mentions(candidate.text, name)
        && (whole.map { Self.mentions(candidate.text, $0) } ?? true)
    }
    guard let found else { return nil }
    // Why it is there is said where it was made, and not where it was last changed.
    let maker = candidates.first { candidate in
      candidate.words.first == "create" && Self.fits(entry.kind, candidate.words)
        && Self.mentions(candidate.text, name) && (whole.map { Self.mentions(candidate.text, $0) } ?? true)
    }
    let source = maker ?? found
    let comments = source.statement.leadingComments.map { source.script.source.text($0) }
    return Origin(location: found.statement.location, comments: comments)
  }

  private static func plain(_ entry: Entry) -> String {
    QuotedNames.plain(QuotedNames.parts(entry.name).last ?? entry.name).lowercased()
  }

  private static func mentions(_ text: String, _ name: String) -> Bool {
    if name.isEmpty { return true }
    return text.ranges(of: name).contains { range in
      let before = range.lowerBound == text.startIndex ? " " : text[text.index(before: range.lowerBound)]
      let after = range.upperBound == text.endIndex ? " " : text[range.upperBound]
      return !isWord(before) && !isWord(after)
    }
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  private static func fits(_ kind: ObjectKind, _ words: [Substring]) -> Bool {
    guard let verb = words.first else { return false }
    let rest = words.dropFirst()
    switch kind {
    case .grant: return verb == "grant" || verb == "revoke"
    case .defaultPrivilege: return verb == "alter" && rest.first == "default"
    case .row, .bucket: return ["insert", "update", "delete", "copy", "with"].contains(verb)
    case .cronJob, .secret: return verb == "select"
    case .column, .constraint, .identitySequence:
      return ["create", "alter"].contains(verb) && rest.contains("table")
    case .publishedTable, .publishedSchema: return rest.contains("publication")
    case .attribute, .enum, .compositeType, .rangeType:
      return ["create", "alter"].contains(verb) && rest.contains("type")
    case .domainConstraint: return rest.contains("domain")
    case .membership: return verb == "grant" || verb == "revoke"
    case .setting, .databaseSetting: return verb == "alter"
    default:
      let noun = kind.rawValue.split(separator: " ").last ?? ""
      let nouns: [Substring] = kind == .function ? ["function", "routine"] : [noun]
      return ["create", "alter"].contains(verb) && rest.contains { nouns.contains($0) }
    }
  }
}
