import Diagnostics
import Postgres
import SQLSyntax
import Scripts
import Tokens

/// Runs a file statement by statement, because one of them can't run in a transaction or the file's head asks
/// for it, and remembers after each how far it came.
///
/// A step that can run in a transaction is committed together with the note that it is done. One that can't
/// is noted before and after. Killed anywhere, the same command goes on where the file stopped.
struct StepRunner {
  private let runner: FileRunner
  private let file: MigrationFile
  private let script: RunnableScript
  private let start: ContinuousClock.Instant
  private let onEvent: (Migrator.Event) -> Void
  private var db: Connection { runner.db }

  init(
    _ runner: FileRunner, _ file: MigrationFile, _ script: RunnableScript,
    start: ContinuousClock.Instant, onEvent: @escaping (Migrator.Event) -> Void
  ) {
    self.runner = runner
    self.file = file
    self.script = script
    self.start = start
    self.onEvent = onEvent
  }

  /// Statements that succeed or fail together: one, or what the file itself put between BEGIN and COMMIT.
  private struct Step {
    var statements: [Statement]
    var begin = "begin"

    var isOutside: Bool { statements.count == 1 && statements[0].outsideTransaction != nil }
    var digest: String {
      Digest.sha256(Array(statements.map(\.text).joined(separator: ";\n").withUnixLineEnds.utf8))
    }
  }

  func run() throws {
    guard runner.hasFacts else {
      throw Diagnostic(
        "migrate.no-progress",
        "\(file.source.path) runs statement by statement, which needs a place for notes",
        detail: "the role \(db.user) may not create the schema nomdev in this database",
        hint: "run it as a role that may, or split the file so that each needs one transaction")
    }
    let steps = try steps()
    let (done, running, known) = try progress()
    try refuseChanges(steps, done)
    try db.run(script: runner.cleanSession)
    for step in steps.prefix(done.count) { try restoreSession(step) }
    for (index, step) in steps.enumerated().dropFirst(done.count) {
      if runner.isInterrupted() { throw Diagnostic.interrupted }
      let wasUnderWay = index == done.count && running == step.digest
      try run(step, wasUnderWay: wasUnderWay, known: known)
    }
    try db.run("begin")
    try runner.finish(
      file, script, start: start,
      before: runner.ownRole + ["delete from nomdev.migration_progress where version = \(file.version)"],
      after: ["commit"])
  }

  // MARK: - Steps

  private func steps() throws -> [Step] {
    var steps: [Step] = []
    var open: Step?
    for statement in script.statements {
      switch (statement.control, open) {
      case (.begin?, nil): open = Step(statements: [], begin: statement.text)
      case (.begin?, _?): throw refusal(of: statement, "BEGIN inside a transaction that is already open")
      case (.commit?, let step?):
        if !step.statements.isEmpty { steps.append(step) }
        open = nil
      case (.rollback?, _?): open = nil
      case (.prepareTransaction?, _): throw refusal(of: statement, "PREPARE TRANSACTION can't be recorded")
      case (.commit?, nil), (.rollback?, nil): break
      case (_, .some): open?.statements.append(statement)
      case (_, nil): steps.append(Step(statements: [statement]))
      }
    }
    if let unended = open, let last = unended.statements.last ?? script.statements.last {
      throw refusal(of: last, "the transaction this file opens is never committed")
    }
    return steps
  }

  private func refusal(of statement: Statement, _ message: String) -> Diagnostic {
    Diagnostic(
      "migrate.transaction-control", message, hint: "write each begin with its own commit",
      at: file.source.location(byte: statement.range.lowerBound, length: statement.range.count))
  }

  private func run(_ step: Step, wasUnderWay: Bool, known: [String]) throws {
    guard step.isOutside else {
      try db.run(script: step.begin)
      try db.run(step.statements.map(chunk), of: file.source, code: "migrate.sql")
      try db.pipeline(runner.ownRole + [noteDone(step), "commit"])
      return
    }
    let statement = step.statements[0]
    var index: ConcurrentBuild?
    if case .createIndexConcurrently(let name) = statement.outsideTransaction {
      index = ConcurrentBuild(db: db, index: name, location: statement.location)
    }
    if let index, try index.isBuilt(byBrokenTry: wasUnderWay, known: known, onEvent: onEvent) {
      try note([noteDone(step)])
      return
    }
    let outcome = OutsideStatement(statement)
    if wasUnderWay { try outcome?.dropLeftovers(on: db) }
    let present = try index?.present() ?? []
    try note([noteRunning(step, present: present)])
    do {
      try db.run([script.chunk(statement)], of: file.source, code: "migrate.sql")
    } catch let error as ScriptError where wasUnderWay && outcome?.isDone(error.error.state) == true {
      // The earlier try ended well, and only its note was lost.
    } catch {
      index?.dropBroken(known: present)
      try? outcome?.dropLeftovers(on: db)
      throw error
    }
    try note([noteDone(step)])
  }

  private func chunk(_ statement: Statement) -> ScriptChunk {
    script.chunk(statement, substitute: runner.platform.substitute)
  }

  /// Settings live in the session, which a resumed run does not have: what set them is run again.
  private func restoreSession(_ step: Step) throws {
    guard step.statements.count == 1, let statement = step.statements.first else { return }
    let text = statement.text.lowercased()
    let isSetting =
      text.hasPrefix("set ") || text.hasPrefix("reset ")
      || (text.hasPrefix("select") && text.contains("set_config("))
    if isSetting { try db.run([script.chunk(statement)], of: file.source, code: "migrate.sql") }
  }

  // MARK: - Progress

  /// The digests of the steps that are done and of the one under way, and the indexes its table had before.
  private func progress() throws -> (done: [String], running: String?, known: [String]) {
    let row = try db.rows(
      """
      select array_to_string(done, ' '), running from nomdev.migration_progress where version = \(file.version)
      """
    ).first
    let running = (row?[1] ?? "").split(separator: " ").map(String.init)
    return (
      (row?[0] ?? "").split(separator: " ").map(String.init), running.first, Array(running.dropFirst())
    )
  }

  private func refuseChanges(_ steps: [Step], _ done: [String]) throws {
    let digests = steps.map(\.digest)
    guard !digests.starts(with: done) else { return }
    let changed = zip(digests, done).prefix { $0 == $1 }.count
    let place = changed < steps.count ? steps[changed].statements.first?.location : nil
    throw Diagnostic(
      "migrate.changed-while-half-done", "\(file.source.path) changed in a part that has already run",
      detail: "an earlier run stopped after \(counted(done.count, "step")) of this file",
      hint: """
        restore that part; or undo by hand what has run, then: \
        nomdev migrate repair \(file.version) --status reverted
        """,
      at: place)
  }

  private func noteRunning(_ step: Step, present: [String]) -> SQL {
    let running = ([step.digest] + present).joined(separator: " ")
    return """
      insert into nomdev.migration_progress as p (version, done, running)
      values (\(file.version), '{}', \(running))
      on conflict (version) do update set running = excluded.running
      """
  }

  private func noteDone(_ step: Step) -> SQL {
    """
    insert into nomdev.migration_progress as p (version, done, running)
    values (\(file.version), array[\(step.digest)], null)
    on conflict (version) do update set done = p.done || excluded.done, running = null
    """
  }

  private func note(_ notes: [SQL]) throws {
    try db.pipeline(["begin"] + runner.ownRole + notes + ["commit"])
  }
}
