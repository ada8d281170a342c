import CYAML
import Diagnostics

extension Node {
  /// Reads a YAML document with the core schema: `yes`, `no`, `on` and dates stay texts, what is quoted is
  /// a text. An empty document is null.
  ///
  /// Refused with their place: a key written twice, several documents in one file, tags other than the core
  /// schema's, an alias inside its own anchor, and whatever passes ``DocumentLimits``.
  ///
  /// - Throws: ``Diagnostic`` `yaml.syntax`, `yaml.duplicate-key`, `yaml.unsupported` or `document.limit`.
  package init(yaml file: SourceFile) throws {
    try DocumentLimits.checkSize(of: file)
    var source = file.text
    self = try source.withUTF8 { bytes in
      let events = try YAMLEvents(bytes, of: file)
      var builder = YAMLBuilder(events: events, file: file)
      return try builder.document()
    }
  }
}

/// Builds nodes from events.
private struct YAMLBuilder {
  let events: YAMLEvents
  let file: SourceFile
  private var anchors: [String: (node: Node, size: Int)] = [:]
  /// How many values the document has so far, aliases in full.
  private var count = 0

  init(events: YAMLEvents, file: SourceFile) {
    self.events = events
    self.file = file
  }

  mutating func document() throws -> Node {
    var event = try events.next()
    if event.kind == .streamStart { event = try events.next() }
    guard event.kind == .documentStart else {
      return Node(.null, at: SourceLocation(file: file, line: 1, column: 1))
    }
    let root = try node(events.next(), depth: 0)
    event = try events.next()
    if event.kind == .documentEnd { event = try events.next() }
    guard event.kind == .streamEnd else {
      throw Diagnostic(
        "yaml.unsupported", "a second document begins here", hint: "keep one document in a file",
        at: event.location)
    }
    return root
  }

  private mutating func node(_ event: YAMLEvents.Event, depth: Int) throws -> Node {
    let before = count
    try account(for: 1, at: event.location)
    guard depth < DocumentLimits.depth else {
      throw Diagnostic(
        "document.limit", "lists and tables are nested deeper than \(DocumentLimits.depth) levels",
        at: event.location)
    }
    let node: Node
    switch event.kind {
    case .alias(let name):
      guard let anchor = anchors[name] else {
        throw Diagnostic(
          "yaml.syntax", "no anchor `&\(name)` ends before this alias",
          hint: "define the anchor first; a value can't hold itself", at: event.location)
      }
      try account(for: anchor.size, at: event.location)
      // Where the alias stands, not where the anchor does: that is the line to look at.
      return Node(anchor.node.value, at: event.location)
    case .scalar(let scalar): node = try Node(scalar.value(at: event.location), at: event.location)
    case .sequenceStart: node = Node(.array(try items(depth: depth)), at: event.location)
    case .mappingStart: node = Node(.table(try members(depth: depth)), at: event.location)
    default: throw Diagnostic("yaml.syntax", "expected a value", at: event.location)
    }
    if let anchor = event.anchor { anchors[anchor] = (node, count - before) }
    return node
  }

  private mutating func items(depth: Int) throws -> [Node] {
    var items: [Node] = []
    while true {
      let event = try events.next()
      if event.kind == .sequenceEnd { return items }
      items.append(try node(event, depth: depth + 1))
    }
  }

  private mutating func members(depth: Int) throws -> [Node.Member] {
    var members: [Node.Member] = []
    var places: [String: SourceLocation] = [:]
    while true {
      let event = try events.next()
      if event.kind == .mappingEnd { return members }
      guard case .scalar(let scalar) = event.kind else {
        throw Diagnostic("yaml.unsupported", "a key must be a plain text", at: event.location)
      }
      let key = scalar.text
      if let first = places[key] {
        throw Diagnostic(
          "yaml.duplicate-key", "the key `\(key)` is written twice",
          detail: "it stands at \(file.path):\(first.line):\(first.column) already",
          hint: "keep one of them", at: event.location)
      }
      places[key] = event.location
      if let anchor = event.anchor { anchors[anchor] = (Node(.string(key), at: event.location), 1) }
      members.append(.init(key, at: event.location, try node(events.next(), depth: depth + 1)))
    }
  }

  private mutating func account(for more: Int, at place: SourceLocation) throws {
    count += more
    guard count <= DocumentLimits.nodes else {
      throw Diagnostic(
        "document.limit", "the document has more than \(DocumentLimits.nodes) values",
        detail: "aliases are counted with all they stand for", at: place)
    }
  }
}
