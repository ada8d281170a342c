import Gateway
import JSONValues
import Postgres

/// Answers the dialect's requests on one thread.
struct RESTResponder: HTTPResponder {
  private let service: RESTService
  private let session: Session
  private let reads = ReadCache()

  init(_ service: RESTService) {
    self.service = service
    session = Session(service.configuration.database)
  }

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let cors = CORSPolicy(allowedOrigins: service.configuration.allowedOrigins)
    if let preflight = cors.preflight(request) { return preflight }
    var timings = Timings(isOn: service.configuration.tellsTimings)
    var response: HTTPResponse
    var role: String?
    do {
      let caller = try timings.measure("jwt") { try service.authenticator.caller(of: request) }
      role = caller.role
      guard let cache = service.cache else { throw RESTError.noSchemaCache }
      let handling = Handling(
        service: service, cache: cache, session: session, reads: reads, http: request,
        caller: caller)
      response = try handling.answer(&timings)
      if let header = timings.header { response.headers.append(header) }
    } catch let error as RESTError {
      response = error.response
    } catch let error as PostgresError {
      response = RESTError(error, isAuthenticated: false).response
    } catch {
      response = RESTError(500, "PGRSTX00", "internal error").response
    }
    finish(&response, for: request, role, cors)
    return response
  }

  private func finish(
    _ response: inout HTTPResponse, for request: HTTPRequest, _ role: String?, _ cors: CORSPolicy
  ) {
    if !response.has("server") { response.headers.append(HTTPHeader("Server", "postgrest/14.12")) }
    cors.allow(&response, for: request)
    response.role = role
  }

  /// Reads that came before go to the database in one round trip, each in a transaction of its own. What
  /// does not come back well that way is answered by itself: a read can be run twice.
  func respond(toAll requests: [HTTPRequest]) -> [HTTPResponse] {
    var answers = [HTTPResponse?](repeating: nil, count: requests.count)
    let cors = CORSPolicy(allowedOrigins: service.configuration.allowedOrigins)
    if let cache = service.cache {
      var members: [(position: Int, handling: Handling, planned: PlannedRead, transaction: Transaction)] = []
      for (position, request) in requests.enumerated() {
        guard let caller = try? service.authenticator.caller(of: request) else { continue }
        let handling = Handling(
          service: service, cache: cache, session: session, reads: reads, http: request,
          caller: caller)
        if let (planned, transaction) = handling.prepared() {
          members.append((position, handling, planned, transaction))
        }
      }
      if members.count > 1 {
        let groups = members.map { $0.transaction.steps(around: $0.planned.steps) }
        let outcomes = (try? session.exchange(groups: groups, generation: cache.generation)) ?? []
        for (member, outcome) in zip(members, outcomes) {
          guard case .success(let all) = outcome else { continue }
          let own = member.transaction.answers(to: member.planned.steps, of: all)
          guard var response = try? member.handling.respond(member.planned, own) else { continue }
          finish(&response, for: requests[member.position], member.handling.caller.role, cors)
          answers[member.position] = response
        }
        session.rollBack()
      }
    }
    return requests.indices.map { answers[$0] ?? respond(to: requests[$0]) }
  }
}

/// The milliseconds that each part of a request took.
struct Timings {
  private var parts: [(name: String, duration: Duration)] = []
  private let isOn: Bool

  init(isOn: Bool) { self.isOn = isOn }

  mutating func measure<Value>(_ name: String, _ body: () throws -> Value) rethrows -> Value {
    guard isOn else { return try body() }
    let start = ContinuousClock.now
    defer { parts.append((name, ContinuousClock.now - start)) }
    return try body()
  }

  var header: HTTPHeader? {
    guard isOn else { return nil }
    let texts = parts.map { name, duration in
      let (seconds, attoseconds) = duration.components
      // Tenths of a millisecond.
      let tenths = Int(seconds) * 10_000 + Int(attoseconds / 100_000_000_000_000)
      return "\(name);dur=\(tenths / 10).\(tenths % 10)"
    }
    return HTTPHeader("Server-Timing", texts.joined(separator: ", "))
  }
}
