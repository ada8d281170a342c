import Gateway
import Postgres

/// A read that is ready to run: planned and written.
final class PlannedRead {
  let request: APIRequest
  let table: QualifiedName
  let type: MediaType
  let main: StatementText
  /// The statement, and where the request wants to know it the planner's word on how many rows there are.
  let steps: [Step]

  init(
    request: APIRequest, table: QualifiedName, type: MediaType, main: StatementText, isCustom: Bool,
    estimate: Step?
  ) {
    self.request = request
    self.table = table
    self.type = type
    self.main = main
    steps = [main.step(answersBinary: isCustom)] + (estimate.map { [$0] } ?? [])
  }
}

/// Remembers planned reads, so that a request that came before is not taken apart again. A plan depends on
/// the request's target and a few of its headers, and on the schema cache; never on who asks.
///
/// One worker's own. Bounded: when it is full it begins anew.
final class ReadCache {
  struct Key: Hashable {
    private let path: String
    private let query: String
    private let method: String
    private let headers: [String]

    init?(_ http: HTTPRequest) {
      guard http.method == "GET" || http.method == "HEAD" else { return nil }
      path = http.path
      query = http.query
      method = http.method
      var headers: [String] = []
      for header in http.headers {
        switch header.name {
        case "accept", "accept-profile", "content-type", "prefer", "range":
          headers.append(header.name)
          headers.append(header.value)
        default: continue
        }
      }
      self.headers = headers
    }
  }

  private var plans: [Key: PlannedRead] = [:]
  private var generation = 0
  private let capacity: Int

  init(capacity: Int = 256) { self.capacity = capacity }

  func plan(for key: Key, generation: Int) -> PlannedRead? {
    self.generation == generation ? plans[key] : nil
  }

  func remember(_ plan: PlannedRead, for key: Key, generation: Int) {
    if self.generation != generation || plans.count >= capacity { plans = [:] }
    self.generation = generation
    plans[key] = plan
  }
}
