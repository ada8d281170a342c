/// What a function is called with.
struct CallPlan {
  enum Argument {
    case fixed(String)
    case variadic([String])
  }

  enum Arguments {
    /// By name, as texts.
    case direct([String: Argument])
    case json(Payload?)
  }

  var routine: Routine
  /// The parameters that are given; one unnamed one takes the whole body.
  var parameters: [Routine.Parameter]
  var takesWholeBody: Bool
  var arguments: Arguments
  var wholeBody: [UInt8]
  var returning: [String]
  var filterColumns: [String]
}

/// Finds the function that a call means.
struct RoutineResolver {
  let cache: SchemaCache
  let contentType: MediaType
  let isPost: Bool

  /// - Throws: PGRST202 when there is none, PGRST203 when there are several.
  func find(_ name: QualifiedName, arguments: [String]) throws -> Routine {
    let overloads = cache.routines[name] ?? []
    let given = Set(arguments)
    let byName = overloads.filter { matches($0, given) }
    if byName.count == 1 { return byName[0] }
    if byName.count > 1 { throw RESTError.ambiguousFunction(byName) }
    let byBody = overloads.filter { takesWholeBody($0) }
    if byBody.count == 1 { return byBody[0] }
    if byBody.count > 1 { throw RESTError.ambiguousFunction(byBody) }
    let raw: String? =
      switch (isPost, contentType) {
      case (true, .plainText): "text"
      case (true, .xml): "xml"
      case (true, .octets): "bytea"
      default: nil
      }
    throw RESTError.unknownFunction(
      name, arguments: given.sorted(), raw: raw, isJSONCall: isPost && contentType == .json,
      hint: raw == nil ? suggestion(name, given.sorted(), overloads) : nil)
  }

  private func matches(_ routine: Routine, _ given: Set<String>) -> Bool {
    if routine.parameters.isEmpty {
      return given.isEmpty && !(isPost && [.octets, .plainText, .xml].contains(contentType))
    }
    let required = Set(routine.parameters.filter(\.isRequired).map(\.name))
    let optional = Set(routine.parameters.filter { !$0.isRequired }.map(\.name))
    if optional.isEmpty { return given == required }
    if required.isEmpty { return given.isSubset(of: optional) }
    return given.subtracting(optional) == required
  }

  private func takesWholeBody(_ routine: Routine) -> Bool {
    guard isPost, routine.parameters.count == 1, routine.parameters[0].name.isEmpty else { return false }
    switch (contentType, routine.parameters[0].type) {
    case (.json, "json"), (.json, "jsonb"), (.plainText, "text"), (.xml, "xml"), (.octets, "bytea"):
      return true
    default: return false
    }
  }

  private func suggestion(_ name: QualifiedName, _ given: [String], _ overloads: [Routine]) -> String? {
    if overloads.isEmpty {
      let names = cache.routines.keys.filter { $0.schema == name.schema }.map(\.name).sorted()
      return FuzzySet(names).best(for: name.name, minimum: 0.75)
    }
    func list(_ names: [String]) -> String { "(\(names.sorted().joined(separator: ", ")))" }
    return FuzzySet(overloads.map { list($0.parameters.map(\.name)) }).best(for: list(given))
      .map { name.name + $0 }
  }
}

extension CallPlan {
  init(_ routine: Routine, _ request: APIRequest, given: [String], read: ReadNode) {
    self.routine = routine
    takesWholeBody = routine.parameters.count == 1 && routine.parameters[0].name.isEmpty
    parameters =
      takesWholeBody ? routine.parameters : routine.parameters.filter { given.contains($0.name) }
    switch (request.action, request.payload) {
    case (.post, .form(let pairs)): arguments = .direct(Self.arguments(routine, pairs))
    case (.post, let payload): arguments = .json(payload)
    default: arguments = .direct(Self.arguments(routine, request.parameters.arguments))
    }
    wholeBody = request.payload?.bytes ?? []
    returning = ReadPlanner.neededColumns(read, primaryKey: [])
    filterColumns = Self.filterColumns(read)
  }

  /// Of a repeated argument the last counts, except where the parameter is variadic.
  private static func arguments(
    _ routine: Routine, _ pairs: [(name: String, value: String)]
  ) -> [String: Argument] {
    let variadic = Set(routine.parameters.filter(\.isVariadic).map(\.name))
    var arguments: [String: Argument] = [:]
    for (name, value) in pairs {
      if variadic.contains(name) {
        if case .variadic(let values) = arguments[name] {
          arguments[name] = .variadic(values + [value])
        } else {
          arguments[name] = .variadic([value])
        }
      } else {
        arguments[name] = .fixed(value)
      }
    }
    return arguments
  }

  private static func filterColumns(_ node: ReadNode) -> [String] {
    func names(_ logic: ResolvedLogic) -> [String] {
      switch logic {
      case .filter(let field, _, _): [field.name]
      case .embedIsNull(let alias, _): [alias]
      case .group(_, _, let members): members.flatMap(names)
      }
    }
    return node.conditions.flatMap(names) + node.children.flatMap { filterColumns($0) }
  }
}
