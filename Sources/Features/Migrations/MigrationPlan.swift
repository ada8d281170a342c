import Diagnostics

/// What a folder and a database's ledger say about each other. A value: made by reading, it changes nothing.
package struct MigrationPlan: Sendable {
  package enum State: Sendable, Hashable {
    case applied
    /// Applied, and the file is no longer what was applied.
    case edited
    /// Marked as applied without statements or checksum: nothing to compare with.
    case unverified
    case pending
    /// Pending, though a file that comes after it has been applied.
    case late
  }

  package struct Item: Sendable {
    package let file: MigrationFile
    package let state: State
    package let row: LedgerRow?
  }

  /// One item per file, in the folder's order.
  package let items: [Item]
  /// Versions the database has and the folder lacks.
  package let missing: [LedgerRow]

  package init(folder: MigrationFolder, rows: [LedgerRow]) {
    let ledger = Dictionary(rows.map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
    let newest = folder.files.lastIndex { ledger[$0.version] != nil }
    let known = Set(folder.files.map(\.version))
    missing = rows.filter { !known.contains($0.version) }
    let newestMissing = missing.map(\.version).max { $0.precedesBytewise($1) }
    items = folder.files.enumerated().map { index, file in
      if let row = ledger[file.version] {
        return Item(file: file, state: AppliedText.state(of: file, row), row: row)
      }
      let isBehindFile = newest.map { index < $0 } ?? false
      let isBehindRow = newestMissing.map { file.version.precedesBytewise($0) } ?? false
      return Item(file: file, state: isBehindFile || isBehindRow ? .late : .pending, row: nil)
    }
  }

  package func files(_ states: State...) -> [MigrationFile] {
    items.filter { states.contains($0.state) }.map(\.file)
  }

  /// Whether nothing is pending, edited, late or missing.
  package var isUpToDate: Bool {
    missing.isEmpty && items.allSatisfy { $0.state == .applied || $0.state == .unverified }
  }

  /// The newest file that is applied.
  package var newestApplied: MigrationFile? {
    items.last { $0.state != .pending && $0.state != .late }?.file
  }

  /// The files a run would apply, or why it must not run at all.
  ///
  /// - Parameter target: The last version to apply; nil applies all.
  /// - Throws: ``DiagnosticList`` with every reason: edited files, versions the folder lacks, files that
  ///   arrive late, an unknown target.
  package func filesToApply(
    upTo target: String?, includeOlder: Bool, allowMissing: Bool
  ) throws -> [MigrationFile] {
    var problems: [Diagnostic] = items.filter { $0.state == .edited }.map(Diagnostic.edited)
    if !allowMissing, !missing.isEmpty { problems.append(.missing(missing)) }
    var chosen = items[...]
    if let target {
      if let last = items.lastIndex(where: { $0.file.version == target }) {
        chosen = items[...last]
      } else {
        problems.append(.unknownVersion(target, among: items.map(\.file)))
      }
    }
    let late = chosen.filter { $0.state == .late }.map(\.file)
    if !includeOlder, !late.isEmpty { problems.append(.late(late, newest: newestApplied)) }
    guard problems.isEmpty else { throw DiagnosticList(problems) }
    return chosen.filter { $0.state == .pending || $0.state == .late }.map(\.file)
  }
}

extension Diagnostic {
  static func edited(_ item: MigrationPlan.Item) -> Diagnostic {
    Diagnostic(
      "migrate.edited", "\(item.file.source.path) changed after it was applied",
      detail: item.row?.appliedAt.map { "it was applied on \($0)" },
      hint: """
        restore it and write a new migration for the change; if the database already is as the file says, \
        run: nomdev migrate repair \(item.file.version) --status applied
        """)
  }

  fileprivate static func missing(_ rows: [LedgerRow]) -> Diagnostic {
    let versions = rows.map { row in row.name.map { "\(row.version)_\($0)" } ?? row.version }
    return Diagnostic(
      "migrate.missing", "the database has \(counted(rows.count, "migration")) this folder lacks",
      detail: versions.joined(separator: "\n"),
      hint: """
        get the files (a newer checkout, or: nomdev migrate fetch), or run with --allow-missing if they are \
        another branch's
        """)
  }

  fileprivate static func late(_ files: [MigrationFile], newest: MigrationFile?) -> Diagnostic {
    let after = newest.map { "older than \($0.fileName), which is applied" } ?? "older than what is applied"
    return Diagnostic(
      "migrate.late", "\(counted(files.count, "file")) arrived late: \(after)",
      detail: files.map(\.source.path).joined(separator: "\n"),
      hint: "run with --include-older to apply them now, or give them a newer version")
  }

  static func unknownVersion(_ version: String, among files: [MigrationFile]) -> Diagnostic {
    let close = files.map(\.version).filter { $0.hasPrefix(version) || version.hasPrefix($0) }
    return Diagnostic(
      "migrate.unknown-version", "no migration has version \(version)",
      detail: close.isEmpty ? nil : "there is \(close.prefix(3).joined(separator: ", "))",
      hint: "give the digits before the file name's first underscore")
  }
}

/// `1 file`, `2 files`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
