import JSONValues
import SQLSyntax

/// Every migration of a project in its order, taken apart: what the rules judge. A rule sees the whole chain,
/// so that what a later file puts right is no finding.
package struct Chain: Sendable {
  let scripts: [Script]
  /// Every statement, those inside bodies and inside other statements included, in the order they run.
  fileprivate(set) var steps: [Step] = []
  fileprivate(set) var handlers: [Handler] = []
  fileprivate(set) var branches: [Branch] = []
  /// Identifiers longer than the server keeps.
  fileprivate(set) var longNames: [LongName] = []
  /// Comments that allow a finding, and comments that try to speak to nomdev and don't.
  fileprivate(set) var directives: [PlacedDirective] = []
  /// The lines of each file that a comment in words stands on.
  fileprivate(set) var explainedLines: [Set<Int>] = []
  /// Statements nothing could be said about.
  fileprivate(set) var unread: [Unread] = []
  /// Functions the migrations themselves call, by unqualified name: their bodies run while migrating.
  fileprivate(set) var calledRoutines: Set<String> = []
  let createdSchemas: Set<String>

  init(_ scripts: [Script]) {
    self.scripts = scripts
    var schemas: Set<String> = []
    for (index, script) in scripts.enumerated() {
      var reader = ChainReader(script: script, file: index)
      reader.read()
      let found = reader.found
      steps += found.steps
      for step in found.steps where step.type == "CreateSchemaStmt" {
        if let schema = step.fields["schemaname"]?.string { schemas.insert(schema) }
      }
      handlers += found.handlers
      branches += found.branches
      longNames += found.longNames
      directives += found.directives
      unread += found.unread
      explainedLines.append(found.explainedLines)
      calledRoutines.formUnion(found.called)
    }
    createdSchemas = schemas
  }

  /// Whether code at this place runs while migrating, and not only when the application calls it.
  func runsWhileMigrating(_ context: Step.Context) -> Bool {
    switch context {
    case .file, .block: true
    case .routine(let name): calledRoutines.contains(name)
    }
  }

  func steps(of type: String) -> some Sequence<Step> { steps.lazy.filter { $0.type == type } }
}

/// A place in one file of the chain.
struct Site: Sendable, Hashable {
  /// The index of the file in the chain.
  let file: Int
  /// Bytes from the file's start.
  let offset: Int
  /// Where the innermost statement and the statement of the file begin that the place belongs to.
  let statements: [Int]
}

/// One statement, wherever it stands: in a file, in a DO block, in a function's body, inside EXECUTE.
struct Step: Sendable {
  enum Context: Sendable, Hashable {
    case file
    /// A DO block.
    case block
    /// The body of a function or procedure, by its unqualified name.
    case routine(String)
  }

  let type: String
  let fields: JSON
  let file: Int
  /// Where its first key word stands.
  let start: Int
  let statements: [Int]
  let context: Context
  /// Whether parts of the text are made at run time, so that names in it may be placeholders.
  let isDynamic: Bool
  /// Rises through the file.
  let order: Int
  let text: StepText

  var site: Site { Site(file: file, offset: start, statements: statements) }

  /// The place of a node, by its `location`.
  func site(of node: JSON?) -> Site {
    guard let location = node?["location"]?.int, location > 0 else { return site }
    return Site(file: file, offset: text.place(location), statements: statements)
  }

  /// The place where words stand one after the other for the n-th time in the statement.
  func site(ofWords words: [String], number: Int = 0) -> Site {
    guard let offset = text.offset(ofWords: words, number: number) else { return site }
    return Site(file: file, offset: text.place(offset), statements: statements)
  }

  func isAfter(_ other: Step) -> Bool { (file, order) > (other.file, other.order) }

  func flag(_ name: String) -> Bool { fields[name]?.bool ?? false }
}

/// The text a statement was read from, and the way from offsets in it to offsets in the file.
struct StepText: Sendable {
  let source: SourceBytes
  let range: Range<Int>
  let base: Int
  let outer: @Sendable (Int) -> Int

  /// The file's byte for a `location` of the parse tree.
  func place(_ location: Int) -> Int { outer(location + base) }

  func offset(ofWords words: [String], number: Int) -> Int? {
    var lexer = Lexer(source, in: range)
    var recent: [(word: String, offset: Int)] = []
    var left = number
    while let token = lexer.nextCode() {
      recent.append((source.word(token) ?? "", token.range.lowerBound))
      if recent.count > words.count { recent.removeFirst() }
      guard recent.map(\.word) == words else { continue }
      if left == 0 { return recent[0].offset - base }
      left -= 1
    }
    return nil
  }
}

/// `WHEN … THEN …` of an EXCEPTION section.
struct Handler: Sendable {
  let conditions: [String]
  /// The statement nodes of its action: `PLpgSQL_stmt_…`.
  let action: [JSON]
  let site: Site
  let context: Step.Context
}

/// An IF of PL/pgSQL, with what stands in its first branch.
struct Branch: Sendable {
  /// The condition as an SQL expression's tree; nil where it can't be read.
  let condition: JSON?
  /// The statements of the branch that are SQL, by type (`CreateStmt`).
  let statementTypes: [String]
  /// Whether the branch leaves the block.
  let returns: Bool
  let site: Site
  let context: Step.Context
}

/// A statement no rule could look into.
struct Unread: Sendable {
  let site: Site
  /// Whether its text is put together at run time.
  let isDynamic: Bool
}

struct LongName: Sendable {
  let name: String
  let site: Site
}

/// A comment that speaks to nomdev, placed in its file.
struct PlacedDirective: Sendable {
  let directive: Directive
  let file: Int
  let offset: Int
  /// Where the next code after it begins; nil at the end of the text it stands in.
  let next: Int?
}
