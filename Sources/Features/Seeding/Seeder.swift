import Diagnostics
import Postgres
import Scripts
import Targets

/// Loads a project's sample data into a local database: all of it or nothing.
package struct Seeder {
  package enum Event {
    case started(SourceFile)
    case loaded(SourceFile, rows: Int, Duration)
    case warning(Diagnostic)
  }

  /// What was loaded and found to be as promised.
  package struct Outcome: Sendable {
    package let files: Int
    package let rows: Int
    package let checks: Int
    package let summary: [SeedChecks.Line]
  }

  private let db: Connection

  /// - Parameter target: Local and proven so: nothing else can be seeded.
  package init(_ target: LoopbackTarget) throws { db = try target.connect() }

  package var canceller: Canceller { db.canceller() }

  /// Runs the files in order, in one transaction for all, then counts and checks what they promised.
  ///
  /// - Parameters:
  ///   - buckets: Storage buckets the project's settings declare; their rows are asserted first.
  ///   - isInterrupted: Asked where a cancel would find no statement to end, and before the data are kept.
  /// - Throws: `ScriptError` at a refused statement, ``DiagnosticList`` where a file can't run in a transaction
  ///   or a check does not hold. The database is then as it was before.
  package func seed(
    _ files: [SourceFile], buckets: [Bucket] = [], checks: SeedChecks,
    isInterrupted: () -> Bool = { false }, onEvent: (Event) -> Void = { _ in }
  ) throws -> Outcome {
    let scripts = try scripts(files, onEvent)
    return try db.transaction {
      for bucket in buckets { try db.run(bucket.assertion) }
      var total = 0
      for script in scripts {
        if isInterrupted() { throw Diagnostic.interrupted }
        onEvent(.started(script.file))
        let start = ContinuousClock.now
        let rows = try db.run(script.chunks(), of: script.file, code: "seed.sql")
        try refuseEndedTransaction(script.file)
        // The next file starts with a session of its own, as far as one transaction allows.
        try db.run(script: "set session authorization default; reset all")
        onEvent(.loaded(script.file, rows: rows, ContinuousClock.now - start))
        total += rows
      }
      // Deferred constraints speak up here, while everything can still be undone.
      try db.run("set constraints all immediate")
      let held = try checks.verify(on: db)
      let summary = try checks.summarise(on: db)
      if isInterrupted() { throw Diagnostic.interrupted }
      return Outcome(files: files.count, rows: total, checks: held, summary: summary)
    }
  }

  private func scripts(_ files: [SourceFile], _ onEvent: (Event) -> Void) throws -> [RunnableScript] {
    var scripts: [RunnableScript] = []
    var problems: [Diagnostic] = []
    for file in files {
      do {
        let script = try RunnableScript(file, serverVersion: db.serverVersion, code: "seed")
        for warning in script.warnings { onEvent(.warning(warning)) }
        if script.mode == .statementByStatement { problems.append(.needsTransaction(script)) }
        scripts.append(script)
      } catch let error as DiagnosticList {
        problems += error.diagnostics
      }
    }
    guard problems.isEmpty else { throw DiagnosticList(problems) }
    return scripts
  }

  private func refuseEndedTransaction(_ file: SourceFile) throws {
    guard db.transactionStatus == .inTransaction else {
      throw Diagnostic("seed.ended-transaction", "\(file.path) ended the transaction it was run in")
    }
  }
}

extension Diagnostic {
  fileprivate static let interrupted = Diagnostic(
    "seed.interrupted", "interrupted; nothing was kept", hint: "run the same command again")

  fileprivate static func needsTransaction(_ script: RunnableScript) -> Diagnostic {
    let statement = script.statements.first { $0.outsideTransaction != nil } ?? script.statements.first
    let what = statement?.outsideTransaction?.name ?? "a statement-by-statement file"
    return Diagnostic(
      "seed.outside-transaction", "\(what) can't run among seeds, which are loaded in one transaction",
      hint: "move it into a migration", at: statement?.location)
  }
}

/// A storage bucket that must be as declared.
package struct Bucket: Sendable {
  let name: String
  let isPublic: Bool
  let fileSizeLimit: Int?
  let allowedMIMETypes: [String]

  package init(name: String, isPublic: Bool, fileSizeLimit: Int?, allowedMIMETypes: [String]) {
    self.name = name
    self.isPublic = isPublic
    self.fileSizeLimit = fileSizeLimit
    self.allowedMIMETypes = allowedMIMETypes
  }

  /// Every column is stated, so that a bucket that is there already does not keep what it had.
  fileprivate var assertion: SQL {
    let types = allowedMIMETypes.isEmpty ? nil : SQL.arrayLiteral(allowedMIMETypes)
    return """
      insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
      values (\(name), \(name), \(isPublic), \(fileSizeLimit.map(String.init)), \(types))
      on conflict (id) do update set name = excluded.name, public = excluded.public,
        file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types
      """
  }
}
