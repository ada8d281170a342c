import Diagnostics
import Migrations
import Postgres
import Scripts
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder of migrations in memory and a database to apply it to.
final class MigrationRun {
  let database: ScratchDatabase
  let db: Connection
  var files: [(name: String, text: String)] = []
  var options = Migrator.Options()
  private(set) var warnings: [Diagnostic] = []

  init() throws {
    database = try ScratchDatabase()
    db = try database.connect()
  }

  func folder() throws -> MigrationFolder {
    try MigrationFolder(
      path: "migrations",
      entries: files.map { .init(fileName: $0.name, bytes: Array($0.text.utf8)) })
  }

  @discardableResult
  func apply() throws -> [String] {
    let folder = try folder()
    warnings = folder.warnings
    let database = database
    let migrator = try Migrator(connect: { try database.connect() }, options: options)
    let seen = Seen()
    defer { warnings += seen.warnings }
    let outcome = try migrator.apply(
      folder,
      onEvent: { event in
        if case .warning(let warning) = event { seen.warnings.append(warning) }
      })
    return outcome.applied.map(\.fileName)
  }

  /// Applies `files` and returns what the run refused them with.
  func refusal(sourceLocation: Testing.SourceLocation = #_sourceLocation) -> [Diagnostic] {
    do {
      try apply()
      Issue.record("the run was not refused", sourceLocation: sourceLocation)
      return []
    } catch let error as any Diagnosable {
      return error.diagnostics
    } catch {
      Issue.record("not a diagnostic: \(error)", sourceLocation: sourceLocation)
      return []
    }
  }

  func value(_ sql: SQL) throws -> String? { try db.value(sql) }

  func exists(_ relation: String) throws -> Bool { try db.value("select to_regclass(\(relation))") != nil }

  func ledger() throws -> [LedgerRow] { try Ledger(db).rows() }

  private final class Seen { var warnings: [Diagnostic] = [] }
}

/// The small files under `Cases/`, each a kind of fault that breaks tools.
enum Case {
  static func text(_ name: String) throws -> String {
    let path = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    guard let file = fopen("/\(path)/Cases/\(name).sql", "r") else {
      throw Diagnostic("test.missing-case", "no case \(name)")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  static func run(_ names: String...) throws -> MigrationRun {
    let run = try MigrationRun()
    run.files = try names.map { ("\($0).sql", try text($0)) }
    return run
  }
}
