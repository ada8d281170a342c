import Catalog
import JSONValues

/// A state as text that is made to be reviewed and can be read back without loss.
///
///     table public.meals
///       owner: postgres
///       rls: enabled
///       column id  uuid  not null  default: gen_random_uuid()
///       grant authenticated  INSERT, SELECT
///       policy "a meal is read by its cook"
///         for: select
///         using: (created_by = auth.uid())
package enum StateText {
  /// The first line of every file.
  static let title = "-- nomdev state, version 1"

  /// The files of a state by name, in order: one a schema, and `_roles`, `_database`, `_storage`.
  package static func files(_ state: Snapshot) -> [(name: String, text: String)] {
    var texts: [String: String] = [:]
    var wasInline: [String: Bool] = [:]
    var file = ""
    for entry in state.entries {
      if entry.parent.flatMap({ state[$0] }) == nil {
        file = fileName(entry)
        let isInline = entry.kind.isOneLine
        let sticks = isInline && wasInline[file] == true
        texts[file, default: title + "\n"] += sticks ? "" : "\n"
        wasInline[file] = isInline && state.children(of: entry.path).isEmpty
      }
      texts[file, default: ""] += lines(entry, depth: state.ancestors(of: entry).count)
    }
    return texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The whole state as one text.
  package static func text(_ state: Snapshot) -> String {
    files(state).map { name, text in "-- \(name)\n\(text.dropFirst(title.count + 1))" }.joined(
      separator: "\n")
  }

  private static func fileName(_ entry: Entry) -> String {
    if let schema = entry.schema {
      let plain = QuotedNames.plain(schema)
      let safe = plain.unicodeScalars.map { scalar -> String in
        let isPlain =
          scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar))
        return isPlain ? String(scalar) : "%" + String(scalar.value, radix: 16)
      }.joined()
      return "\(safe.hasPrefix("_") ? "%5f" + safe.dropFirst() : safe).state"
    }
    switch entry.kind {
    case .role, .membership: return "_roles.state"
    case .bucket: return "_storage.state"
    case .setting, .databaseSetting:
      return entry.parent?.hasPrefix("role ") == true ? "_roles.state" : "_database.state"
    default: return "_database.state"
    }
  }

  private static func lines(_ entry: Entry, depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth)
    let head = "\(indent)\(entry.isAbsent ? "no " : "")\(entry.kind.rawValue) \(escaped(entry.name))"
    if entry.kind.isOneLine { return head + oneLine(entry) + "\n" }
    var text = head + "\n"
    for attribute in entry.attributes {
      if attribute.value.contains("\n"), !attribute.value.unicodeScalars.contains(where: isUnsafe) {
        let body = attribute.value.split(separator: "\n", omittingEmptySubsequences: false)
        text += "\(indent)  \(attribute.name):\n" + body.map { "\(indent)    |\($0)\n" }.joined()
      } else {
        text += "\(indent)  \(attribute.name): \(escaped(attribute.value))\n"
      }
    }
    return text
  }

  private static func oneLine(_ entry: Entry) -> String {
    var text = ""
    let lead = entry.kind.leadAttribute
    if let lead { text += "  \(entry[lead].map(escaped) ?? "-")" }
    for attribute in entry.attributes where attribute.name != lead {
      text +=
        attribute.value == "yes" ? "  \(attribute.name)" : "  \(attribute.name): \(escaped(attribute.value))"
    }
    return text
  }

  /// A text on one line as it is, or as a JSON string after a backslash where it could be misread.
  static func escaped(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text != "-" && !text.contains("\n") && !text.contains("  ") && !text.hasPrefix("\\")
      && !text.hasPrefix(" ") && !text.hasSuffix(" ") && !text.unicodeScalars.contains(where: isUnsafe)
    return isPlain ? text : "\\" + JSON.string(text).text().replacingSpaces
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 && scalar != "\n" }
}

extension String {
  /// Two spaces would end a value.
  fileprivate var replacingSpaces: String {
    guard contains("  ") else { return self }
    return split(separator: "  ", omittingEmptySubsequences: false).joined(separator: " \\u0020")
  }
}

extension ObjectKind {
  /// Whether an entry takes one line, its attributes beside its name.
  var isOneLine: Bool {
    switch self {
    case .role, .membership, .setting, .databaseSetting, .extension, .defaultPrivilege, .column, .attribute,
      .identitySequence, .constraint, .domainConstraint, .index, .grant, .publishedTable, .publishedSchema,
      .row,
      .cast, .userMapping, .secret, .subscription:
      true
    default: false
    }
  }

  /// The attribute that needs no name on that line.
  var leadAttribute: String? {
    switch self {
    case .column, .attribute: "type"
    case .constraint, .domainConstraint, .index: "definition"
    case .grant: "privileges"
    case .setting, .databaseSetting: "value"
    default: nil
    }
  }
}
