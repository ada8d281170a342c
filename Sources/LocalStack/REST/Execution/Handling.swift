import Gateway
import JSONValues
import Postgres

/// One request, from its parameters to its response.
struct Handling {
  let service: RESTService
  let cache: SchemaCache
  let session: Session
  let reads: ReadCache
  let http: HTTPRequest
  let caller: Caller

  func answer(_ timings: inout Timings) throws -> HTTPResponse {
    let key = ReadCache.Key(http)
    if let key, let known = reads.plan(for: key, generation: cache.generation) {
      timings.measure("parse") {}
      timings.measure("plan") {}
      return try run(known, &timings)
    }
    let request = try timings.measure("parse") {
      try APIRequest(http, service.configuration, timezones: cache.timezones)
    }
    switch request.action {
    case .read(let name, _):
      let planned = try timings.measure("plan") { try plan(request, name) }
      if let key { reads.remember(planned, for: key, generation: cache.generation) }
      return try run(planned, &timings)
    case .mutate(let name, let mutation): return try mutate(request, name, mutation, &timings)
    case .get(let name, let headersOnly):
      return try call(request, name, headersOnly: headersOnly, isPost: false, &timings)
    case .post(let name): return try call(request, name, headersOnly: false, isPost: true, &timings)
    case .root(let headersOnly): return try root(request, headersOnly, &timings)
    case .relationInfo(let name):
      let methods = try timings.measure("plan") { try Self.methods(of: cache.table(name)) }
      return finishInfo(methods, &timings)
    case .routineInfo(let name):
      let routine = try timings.measure("plan") {
        try RoutineResolver(cache: cache, contentType: request.contentType, isPost: false)
          .find(name, arguments: request.parameters.arguments.map(\.name))
      }
      return finishInfo(
        routine.volatility == .volatile ? "OPTIONS,POST" : "OPTIONS,GET,HEAD,POST", &timings)
    case .rootInfo:
      timings.measure("plan") {}
      return finishInfo("OPTIONS,GET,HEAD", &timings)
    }
  }

  private func finishInfo(_ methods: String, _ timings: inout Timings) -> HTTPResponse {
    timings.measure("transaction") {}
    return timings.measure("response") { Responses.allow(methods) }
  }

  private static func methods(of table: Table) -> String {
    var methods = ["OPTIONS,GET,HEAD"]
    if table.isInsertable { methods.append("POST") }
    if table.isInsertable, table.isUpdatable, !table.primaryKey.isEmpty { methods.append("PUT") }
    if table.isUpdatable { methods.append("PATCH") }
    if table.isDeletable { methods.append("DELETE") }
    return methods.joined(separator: ",")
  }

  private func planner(_ request: APIRequest, _ root: QualifiedName) -> ReadPlanner {
    ReadPlanner(cache: cache, configuration: service.configuration, request: request, root: root)
  }

  private var negotiation: ContentNegotiation {
    ContentNegotiation(cache: cache, allowsPlan: service.configuration.allowsPlan)
  }

  private func transaction(_ request: APIRequest, _ plan: Transaction.Plan) -> Transaction {
    var plan = plan
    if plan.isolation.isEmpty { plan.isolation = cache.roleIsolation[caller.role] ?? "read committed" }
    if !["read committed", "repeatable read", "serializable"].contains(plan.isolation) {
      plan.isolation = "read committed"
    }
    return Transaction(
      service: service, cache: cache, session: session, http: http, request: request, caller: caller,
      plan: plan)
  }

  // MARK: - Reading

  private func plan(_ request: APIRequest, _ name: QualifiedName) throws -> PlannedRead {
    let preferences = request.preferences
    _ = try cache.table(name)
    let node = try planner(request, name).plan()
    let (handler, type) = try negotiation.pick(request, name, isDefaultSelect: node.isDefaultSelect)
    try preferences.check()
    return PlannedRead(
      request: request, table: name, type: type,
      main: MainStatement.read(
        node, handler, count: preferences.count, maximumRows: service.configuration.maximumRows),
      isCustom: handler.isCustom,
      estimate: preferences.explainsCount ? MainStatement.estimate(node).step : nil)
  }

  private func run(_ planned: PlannedRead, _ timings: inout Timings) throws -> HTTPResponse {
    let request = planned.request
    let type = planned.type
    let transaction = transaction(request, .init(isolation: "", isReadOnly: true))
    if case .plan(_, let isJSON, let options) = type {
      return try explain(
        request, transaction, planned.main.explained(isJSON: isJSON, options), type, &timings)
    }
    let answers = try timings.measure("transaction") { try transaction.run(planned.steps) }
    return try timings.measure("response") { try respond(planned, answers) }
  }

  /// A planned read as a transaction that can be sent together with others; nil where it needs more care.
  func prepared() -> (planned: PlannedRead, transaction: Transaction)? {
    guard !service.configuration.tellsTimings, let key = ReadCache.Key(http),
      let known = reads.plan(for: key, generation: cache.generation)
    else { return nil }
    if case .plan = known.type { return nil }
    return (known, transaction(known.request, .init(isolation: "", isReadOnly: true)))
  }

  func respond(_ planned: PlannedRead, _ answers: [Answer]) throws -> HTTPResponse {
    let request = planned.request
    let preferences = request.preferences
    let type = planned.type
    var result = QueryResult(answers[0])
    // Nothing to undo: the transaction only read.
    try checkSingular(result, type)
    if answers.count > 1 {
      let estimate = Self.estimate(answers[1])
      switch (preferences.count, result.total, service.configuration.maximumRows) {
      case (.planned, _, _): result.total = estimate
      case (.estimated, let total?, let maximum) where maximum.map({ total > $0 }) ?? true:
        result.total = estimate.map { max($0, total) }
      default: break
      }
    }
    return try Responses(request: request).read(
      result, planned.table, type, headersOnly: http.method == "HEAD")
  }

  private static func estimate(_ answer: Answer) -> Int? {
    guard let text = answer.text(0, 0), let plan = try? JSON(parsing: text) else { return nil }
    return plan.array?.first?["Plan"]?["Plan Rows"]?.int
  }

  private func explain(
    _ request: APIRequest, _ transaction: Transaction, _ step: Step, _ type: MediaType,
    _ timings: inout Timings
  ) throws -> HTTPResponse {
    let answers = try timings.measure("transaction") { try transaction.run([step]) }
    return timings.measure("response") { Responses(request: request).explained(answers[0], type) }
  }

  private func checkSingular(_ result: QueryResult, _ type: MediaType) throws {
    if case .object = type, result.rows != 1 { throw RESTError.notSingular(result.rows) }
  }

  private func checkAffected(_ result: QueryResult, _ preferences: Preferences) throws {
    guard preferences.handling == .strict, let maximum = preferences.maxAffected else { return }
    if result.rows > maximum { throw RESTError.maxAffected(result.rows) }
  }

  // MARK: - Writing

  private func mutate(
    _ request: APIRequest, _ name: QualifiedName, _ mutation: Mutation, _ timings: inout Timings
  ) throws -> HTTPResponse {
    let preferences = request.preferences
    let (table, node, plan, handler, type) = try timings.measure("plan") {
      let table = try cache.table(name)
      let planner = planner(request, name)
      let node = try planner.plan()
      let plan = try planner.mutation(mutation, table: table, read: node)
      try preferences.check()
      if service.configuration.refusesUnfilteredWrites { try plan.refuseUnfiltered() }
      let (handler, type) = try negotiation.pick(request, name, isDefaultSelect: node.isDefaultSelect)
      return (table, node, plan, handler, type)
    }
    let main = MainStatement.write(plan, node, handler, preferences)
    let transaction = transaction(request, .init(isolation: ""))
    if case .plan(_, let isJSON, let options) = type {
      return try explain(request, transaction, main.explained(isJSON: isJSON, options), type, &timings)
    }
    let limitsRows =
      preferences.handling == .strict && preferences.maxAffected != nil
      && (mutation == .update || mutation == .delete)
    let needsCheck = type.isObject || mutation == .singleUpsert || limitsRows
    let answers = try timings.measure("transaction") {
      try transaction.run(
        [main.step(answersBinary: handler.isCustom)],
        check: !needsCheck
          ? nil
          : { answers in
            let result = QueryResult(answers[0], isWrite: true)
            if mutation == .singleUpsert {
              guard result.rows == 1 else { throw RESTError.putMismatch }
              return
            }
            try checkSingular(result, type)
            if limitsRows { try checkAffected(result, preferences) }
          })
    }
    let result = QueryResult(answers[0], isWrite: true)
    return try timings.measure("response") {
      let responses = Responses(request: request)
      switch mutation {
      case .create: return try responses.create(result, table, type)
      case .update: return try responses.update(result, type)
      case .delete: return try responses.delete(result, type)
      case .singleUpsert: return try responses.put(result, type)
      }
    }
  }

  // MARK: - Calling

  private func call(
    _ request: APIRequest, _ name: QualifiedName, headersOnly: Bool, isPost: Bool,
    _ timings: inout Timings
  ) throws -> HTTPResponse {
    let preferences = request.preferences
    let (routine, node, plan, handler, type) = try timings.measure("plan") {
      let given = isPost ? request.columns : request.parameters.arguments.map(\.name)
      let routine = try RoutineResolver(
        cache: cache, contentType: request.contentType, isPost: isPost
      ).find(name, arguments: given)
      let relation = QualifiedName(
        routine.name.schema, routine.returnsComposite ? routine.returnType.name : routine.name.name)
      let node = try planner(request, relation).plan()
      let plan = CallPlan(routine, request, given: given, read: node)
      let (handler, type) = try negotiation.pick(
        request, relation, isDefaultSelect: node.isDefaultSelect)
      try preferences.check()
      if preferences.handling == .strict, preferences.maxAffected != nil, routine.returnsSingle {
        throw RESTError.maxAffectedCall
      }
      return (routine, node, plan, handler, type)
    }
    let main = MainStatement.call(plan, node, handler, count: preferences.count)
    let transaction = transaction(
      request,
      .init(
        isolation: routine.isolation ?? "", isReadOnly: !isPost || routine.volatility != .volatile,
        routineSettings: routine.settings))
    if case .plan(_, let isJSON, let options) = type {
      return try explain(request, transaction, main.explained(isJSON: isJSON, options), type, &timings)
    }
    let needsCheck =
      type.isObject || (preferences.handling == .strict && preferences.maxAffected != nil)
    let answers = try timings.measure("transaction") {
      try transaction.run(
        [main.step(answersBinary: handler.isCustom)],
        check: !needsCheck
          ? nil
          : { answers in
            let result = QueryResult(answers[0])
            try checkSingular(result, type)
            try checkAffected(result, preferences)
          })
    }
    return try timings.measure("response") {
      try Responses(request: request).call(
        QueryResult(answers[0]), routine, type, headersOnly: headersOnly)
    }
  }

  // MARK: - The root

  private func root(
    _ request: APIRequest, _ headersOnly: Bool, _ timings: inout Timings
  ) throws -> HTTPResponse {
    let document = OpenAPIDocument(configuration: service.configuration, cache: cache, schema: request.schema)
    try timings.measure("plan") {
      let producible: [MediaType] = [.openAPI, .json, .any]
      guard request.accept.contains(where: { producible.contains($0) }) else {
        throw RESTError.notAcceptable(request.accept)
      }
    }
    let transaction = transaction(request, .init(isolation: "", isReadOnly: true))
    let answers = try timings.measure("transaction") { try transaction.run(document.questions) }
    return try timings.measure("response") {
      HTTPResponse(
        status: 200,
        headers: [HTTPHeader("Content-Type", MediaType.openAPI.contentType)]
          + Responses(request: request).profile,
        body: .bytes(headersOnly ? [] : try document.json(answers).bytes()))
    }
  }
}

extension MediaHandler {
  /// Whether the body may be bytes instead of text.
  fileprivate var isCustom: Bool { if case .custom = self { true } else { false } }
}

extension MediaType {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}
