/// Picks the form of the body: the first type the client accepts that can be made.
struct ContentNegotiation {
  let cache: SchemaCache
  let allowsPlan: Bool

  /// - Parameters:
  ///   - relation: What the rows are of.
  ///   - isDefaultSelect: Whether they are whole, as handlers for one relation need them.
  /// - Throws: PGRST107.
  func pick(
    _ request: APIRequest, _ relation: QualifiedName, isDefaultSelect: Bool
  ) throws -> (handler: MediaHandler, type: MediaType) {
    for type in request.accept {
      guard let found = handler(for: type, relation, isDefaultSelect) else { continue }
      switch request.action {
      case .mutate where request.preferences.representation != .full: return (.none, found.type)
      case .read(_, headersOnly: true), .get(_, headersOnly: true): return (.none, found.type)
      default: return found
      }
    }
    throw RESTError.notAcceptable(request.accept)
  }

  private func handler(
    for type: MediaType, _ relation: QualifiedName, _ isDefaultSelect: Bool
  ) -> (handler: MediaHandler, type: MediaType)? {
    switch type {
    case .object(let isStripped): return (.object(stripped: isStripped), type)
    case .strippedArray: return (.strippedArray, type)
    case .plan(let inner, _, _):
      guard allowsPlan else { return nil }
      switch inner {
      case .object(let isStripped): return (.object(stripped: isStripped), type)
      case .strippedArray: return (.strippedArray, type)
      default: return lookUp(inner, relation, isDefaultSelect).map { ($0.handler, type) }
      }
    default: return lookUp(type, relation, isDefaultSelect)
    }
  }

  private func lookUp(
    _ type: MediaType, _ relation: QualifiedName, _ isDefaultSelect: Bool
  ) -> (handler: MediaHandler, type: MediaType)? {
    if isDefaultSelect {
      if let any = cache.handlers[.init(target: .relation(relation), type: .any)] { return any }
      if let own = cache.handlers[.init(target: .relation(relation), type: type)] { return own }
    }
    return cache.handlers[.init(target: .any, type: type)]
  }
}
