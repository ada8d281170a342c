import Gateway
import JSONValues
import Postgres

/// What the database answered to a request's statement.
struct QueryResult {
  var total: Int?
  var rows: Int
  /// Name and value of the primary key's columns, of a single inserted row.
  var location: [(name: String, value: String?)]
  private let answer: Answer
  private let bodyColumn: Int
  var headers: String?
  var status: String?
  var inserted: Int?

  init(_ answer: Answer, isWrite: Bool = false) {
    self.answer = answer
    func position(_ column: MainStatement.Column) -> Int { column.position(inWrite: isWrite) }
    total = answer.int(0, position(.total))
    rows = answer.int(0, position(.pageTotal)) ?? 0
    let key = isWrite ? answer.text(0, position(.location)) : nil
    location = (key.flatMap { try? JSON(parsing: $0) }?.array ?? []).compactMap { pair in
      guard let parts = pair.array, parts.count == 2, let name = parts[0].string else { return nil }
      return (name, parts[1].string)
    }
    bodyColumn = position(.body)
    headers = answer.text(0, position(.headers))
    status = answer.text(0, position(.status))
    inserted = answer.int(0, position(.inserted))
  }

  /// The body where the server's library holds it.
  var body: HTTPResponse.Body {
    guard let bytes = answer.bytes(0, bodyColumn), let start = bytes.baseAddress else { return .bytes([]) }
    return .foreign(ForeignBytes(start: start, count: bytes.count, owner: answer))
  }
}

/// Runs a request in one transaction: begin, settings, pre-request function, the statement, the end.
struct Transaction {
  struct Plan {
    var isolation = "read committed"
    var isReadOnly = false
    var routineSettings: [(name: String, value: String)] = []
  }

  let service: RESTService
  let cache: SchemaCache
  let session: Session
  let http: HTTPRequest
  let request: APIRequest
  let caller: Caller
  let plan: Plan

  /// How often a transaction that lost against another is tried again.
  private static let attempts = 5

  /// - Parameters:
  ///   - statements: What to run, in order.
  ///   - check: Looks at the answers before the transaction ends; what it throws undoes the transaction.
  ///     Nil where there is nothing to look at: then all goes in one round trip.
  /// - Returns: The answers to `statements`.
  /// - Throws: ``RESTError``.
  func run(_ statements: [Step], check: (([Answer]) throws -> Void)? = nil) throws -> [Answer] {
    for attempt in 1... {
      do {
        return try runOnce(statements, check)
      } catch let error as PostgresError {
        session.rollBack()
        if ["40001", "40P01"].contains(error.state.rawValue), attempt < Self.attempts { continue }
        throw RESTError(error, isAuthenticated: caller.role != service.configuration.anonymousRole)
      } catch {
        session.rollBack()
        throw error
      }
    }
    preconditionFailure("the loop above ends by returning or throwing")
  }

  /// The whole transaction around the statements, for sending it together with others.
  func steps(around statements: [Step]) -> [Step] { opening + statements + end }

  /// The answers to the statements, of the answers to ``steps(around:)``.
  func answers(to statements: [Step], of answers: [Answer]) -> [Answer] {
    let first = service.configuration.preRequestName == nil ? 2 : 3
    return Array(answers[first..<first + statements.count])
  }

  /// What comes before the statements: begin, settings, the pre-request function.
  private var opening: [Step] {
    var steps = [begin, settings]
    if let function = service.configuration.preRequestName {
      var sql = StatementText()
      sql.add("select ")
      sql.add(function)
      sql.add("()")
      steps.append(sql.step)
    }
    return steps
  }

  private func runOnce(_ statements: [Step], _ check: (([Answer]) throws -> Void)?) throws -> [Answer] {
    var steps = opening
    let first = steps.count
    steps += statements
    let generation = cache.generation
    guard let check else {
      let answers = try session.exchange(steps + end, generation: generation, isFirst: true)
      return Array(answers[first..<first + statements.count])
    }
    let answers = Array(try session.exchange(steps, generation: generation, isFirst: true)[first...])
    try check(answers)
    _ = try session.exchange(end, generation: generation, isFirst: false)
    return answers
  }

  private var begin: Step {
    Step("begin isolation level \(plan.isolation) \(plan.isReadOnly ? "read only" : "read write")")
  }

  /// A transaction that is to leave nothing behind still says what committing it would have said.
  private var end: [Step] {
    let asked = request.preferences.transaction
    let rollsBack = asked == .rollback || (service.configuration.transactionEnd.rollsBack && asked != .commit)
    return rollsBack ? [Step("set constraints all immediate"), Step("rollback")] : [Step("commit")]
  }

  // MARK: - Settings

  private var settings: Step {
    var sql = StatementText()
    sql.add("select set_config('search_path', ")
    sql.bind(service.searchPath(request.schema))
    sql.add(", true)")
    // The role's settings first: some may only be made by the login, not by the role.
    for (name, value) in cache.roleSettings[caller.role] ?? [] { set(name, value, &sql) }
    setKnown("role", caller.role, &sql)
    setKnown("request.jwt.claims", caller.claims, &sql)
    setKnown("request.method", http.method, &sql)
    setKnown("request.path", http.path, &sql)
    setKnown("request.headers", headers, &sql)
    setKnown("request.cookies", cookies, &sql)
    if let timezone = request.preferences.timezone { setKnown("timezone", timezone, &sql) }
    for (name, value) in plan.routineSettings { set(name, value, &sql) }
    for (name, value) in service.configuration.settings { set(name, value, &sql) }
    return sql.step
  }

  private func setKnown(_ name: StaticString, _ value: String, _ sql: inout StatementText) {
    sql.add(", set_config('")
    sql.add(name)
    sql.add("', ")
    sql.bind(value)
    sql.add(", true)")
  }

  private func set(_ name: String, _ value: String, _ sql: inout StatementText) {
    sql.add(", set_config(")
    sql.bind(name)
    sql.add(", ")
    sql.bind(value)
    sql.add(", true)")
  }

  private var headers: String {
    var members: [JSON.Member] = []
    members.reserveCapacity(http.headers.count)
    for header in http.headers where header.name != "cookie" {
      // Of repeated fields the last counts.
      if members.contains(where: { $0.key == header.name }) { members.removeAll { $0.key == header.name } }
      members.append(.init(header.name, .string(header.value)))
    }
    return JSON.object(members).text()
  }

  private var cookies: String {
    guard let field = http.header("cookie") else { return "{}" }
    var members: [JSON.Member] = []
    for part in field.split(separator: ";") {
      let pair = part.drop { $0 == " " }
      let name = pair.prefix { $0 != "=" }
      let value = pair.dropFirst(name.count + 1)
      members.removeAll { $0.key == name }
      members.append(.init(String(name), .string(String(value))))
    }
    return JSON.object(members).text()
  }
}
