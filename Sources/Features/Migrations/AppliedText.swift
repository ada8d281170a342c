import Diagnostics
import SQLSyntax

/// Whether a file still is what a ledger row says was applied.
enum AppliedText {
  static func state(of file: MigrationFile, _ row: LedgerRow) -> MigrationPlan.State {
    if let checksum = row.checksum {
      // A file that was fetched is put together from the statements, and is the same though it looks different.
      let isFetched = row.file.map { $0.text == file.source.text.withUnixLineEnds } ?? false
      return checksum == file.checksum || isFetched ? .applied : .edited
    }
    guard let statements = row.statements else { return .unverified }
    return isSame(file, statements) ? .applied : .edited
  }

  /// Another tool recorded the file, and split it by its own rules (comments kept or not, blank statements
  /// kept or not): the two are the same when our own reading of both texts gives the same statements.
  private static func isSame(_ file: MigrationFile, _ statements: [String]) -> Bool {
    let recorded = statements.map(\.withUnixLineEnds).joined(separator: ";\n")
    let current = file.source.text.withUnixLineEnds
    if squeezed(recorded) == squeezed(current) { return true }
    return texts(recorded) == texts(current)
  }

  private static func squeezed(_ text: String) -> [UInt8] {
    text.utf8.filter { !" \t\r\n;".utf8.contains($0) }
  }

  private static func texts(_ text: String) -> [String] {
    Script.parse(SourceFile(path: "", text: text)).statements.map(\.text)
  }
}
