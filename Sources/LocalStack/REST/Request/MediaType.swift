/// A media type as requests name it and responses carry it.
indirect enum MediaType: Hashable, Sendable {
  case json, geoJSON, csv, plainText, xml, openAPI, form, octets, any
  case strippedArray
  case object(stripped: Bool)
  case plan(of: MediaType, isJSON: Bool, options: [PlanOption])
  case other(String)

  enum PlanOption: String, CaseIterable, Sendable {
    case analyze, verbose, settings, buffers, wal
  }

  init(_ text: String) {
    guard let (main, sub, parameters) = Self.split(text) else {
      self = .other(text)
      return
    }
    let isStripped = parameters["nulls"] == "stripped"
    switch main.lowercased() + "/" + sub.lowercased() {
    case "application/json": self = .json
    case "application/geo+json": self = .geoJSON
    case "text/csv": self = .csv
    case "text/plain": self = .plainText
    case "text/xml": self = .xml
    case "application/openapi+json": self = .openAPI
    case "application/x-www-form-urlencoded": self = .form
    case "application/octet-stream": self = .octets
    case "application/vnd.pgrst.plan", "application/vnd.pgrst.plan+text":
      self = Self.plan(parameters, isJSON: false)
    case "application/vnd.pgrst.plan+json": self = Self.plan(parameters, isJSON: true)
    case "application/vnd.pgrst.object", "application/vnd.pgrst.object+json":
      self = .object(stripped: isStripped)
    case "application/vnd.pgrst.array", "application/vnd.pgrst.array+json":
      self = isStripped ? .strippedArray : .json
    case "*/*": self = .any
    default: self = .other(text)
    }
  }

  private static func plan(_ parameters: [String: String], isJSON: Bool) -> MediaType {
    let named = (parameters["options"] ?? "").split(separator: "|").map(String.init)
    return .plan(
      of: MediaType(parameters["for"] ?? "application/json"), isJSON: isJSON,
      options: PlanOption.allCases.filter { named.contains($0.rawValue) })
  }

  /// Its name on the wire.
  var name: String {
    switch self {
    case .json: "application/json"
    case .geoJSON: "application/geo+json"
    case .csv: "text/csv"
    case .plainText: "text/plain"
    case .xml: "text/xml"
    case .openAPI: "application/openapi+json"
    case .form: "application/x-www-form-urlencoded"
    case .octets: "application/octet-stream"
    case .any: "*/*"
    case .strippedArray: "application/vnd.pgrst.array+json;nulls=stripped"
    case .object(let isStripped):
      "application/vnd.pgrst.object+json" + (isStripped ? ";nulls=stripped" : "")
    case .plan(let inner, let isJSON, let options):
      "application/vnd.pgrst.plan+\(isJSON ? "json" : "text"); for=\"\(inner.name)\""
        + (options.isEmpty ? "" : "; options=" + options.map(\.rawValue).joined(separator: "|"))
    case .other(let text): text
    }
  }

  var contentType: String {
    switch self {
    case .octets, .other: name
    default: name + "; charset=utf-8"
    }
  }

  /// Type, subtype and parameters, whose names come in lower case. Nil where the text is no media type.
  private static func split(_ text: String) -> (String, String, [String: String])? {
    func isName(_ scalar: Unicode.Scalar, _ extra: String) -> Bool {
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || extra.unicodeScalars.contains(scalar)
    }
    var rest = Substring(text).unicodeScalars
    func take(_ extra: String) -> String {
      let start = rest
      rest = rest.drop { isName($0, extra) }
      return String(start[start.startIndex..<rest.startIndex])
    }
    func skipBlanks() { rest = rest.drop { $0.properties.isWhitespace } }
    let main = take(".*")
    guard !main.isEmpty, rest.popFirst() == "/" else { return nil }
    let sub = take(".*+-")
    guard !sub.isEmpty else { return nil }
    var parameters: [String: String] = [:]
    while true {
      let start = rest
      skipBlanks()
      guard rest.popFirst() == ";" else { break }
      skipBlanks()
      let key = take("-")
      skipBlanks()
      guard !key.isEmpty, rest.popFirst() == "=" else {
        rest = start
        break
      }
      skipBlanks()
      if rest.first == "\"", let close = rest.dropFirst().firstIndex(of: "\"") {
        parameters[key.lowercased()] = String(rest[rest.index(after: rest.startIndex)..<close])
        rest = rest[rest.index(after: close)...]
      } else {
        let value = take("|-")
        guard !value.isEmpty else { break }
        parameters[key.lowercased()] = value
      }
    }
    return (main, sub, parameters)
  }
}

/// Reads an `Accept` header: the types by preference, then by how specific they are.
enum AcceptHeader {
  static func mediaTypes(_ text: String) -> [MediaType] {
    let items = split(text).enumerated().map { offset, item -> (MediaType, Double, Int, Int) in
      let (type, quality) = quality(of: item)
      return (MediaType(type), quality, specificity(type), offset)
    }
    return items.sorted { one, two in
      if one.1 != two.1 { return one.1 > two.1 }
      if one.2 != two.2 { return one.2 > two.2 }
      return one.3 < two.3
    }.map(\.0)
  }

  /// Commas inside quotes separate nothing.
  private static func split(_ text: String) -> [String] {
    var items: [String] = []
    var item = ""
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        items.append(item.trimmedBlanks)
        item = ""
      } else {
        item.append(character)
      }
    }
    items.append(item.trimmedBlanks)
    return items
  }

  private static func quality(of item: String) -> (String, Double) {
    let parts = item.split(separator: ";", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated().dropFirst() {
      let parameter = String(part).trimmedBlanks
      guard parameter.hasPrefix("q="), let quality = Double(parameter.dropFirst(2)) else { continue }
      var others = parts
      others.remove(at: index)
      return (others.joined(separator: ";"), quality)
    }
    return (item, 1)
  }

  private static func specificity(_ type: String) -> Int {
    let name = type.split(separator: ";", maxSplits: 1).first ?? ""
    let parameters = type.split(separator: ";").count - 1
    return name == "*/*" ? 0 : name.hasSuffix("/*") ? 1 : 2 + parameters
  }
}
