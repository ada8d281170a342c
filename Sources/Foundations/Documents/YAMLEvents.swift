import CYAML
import Diagnostics

/// libyaml's parser as a stream of Swift values.
///
/// The bytes must outlive it: libyaml reads them where they are.
final class YAMLEvents {
  struct Event {
    enum Kind: Equatable {
      case streamStart, streamEnd, documentStart, documentEnd
      case sequenceStart, sequenceEnd, mappingStart, mappingEnd
      case scalar(YAMLScalar)
      case alias(String)
    }

    let kind: Kind
    let anchor: String?
    let location: SourceLocation
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let file: SourceFile

  init(_ bytes: UnsafeBufferPointer<UInt8>, of file: SourceFile) throws {
    self.file = file
    parser = .allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw Diagnostic("document.limit", "out of memory")
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next event. After `streamEnd` there is none: don't ask.
  func next() throws -> Event {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1 else { throw failure() }
    defer { yaml_event_delete(&raw) }
    let tag: String?
    let anchor: String?
    let kind: Event.Kind
    switch raw.type {
    case YAML_STREAM_START_EVENT: (kind, anchor, tag) = (.streamStart, nil, nil)
    case YAML_DOCUMENT_START_EVENT: (kind, anchor, tag) = (.documentStart, nil, nil)
    case YAML_DOCUMENT_END_EVENT: (kind, anchor, tag) = (.documentEnd, nil, nil)
    case YAML_SEQUENCE_END_EVENT: (kind, anchor, tag) = (.sequenceEnd, nil, nil)
    case YAML_MAPPING_END_EVENT: (kind, anchor, tag) = (.mappingEnd, nil, nil)
    case YAML_SEQUENCE_START_EVENT:
      kind = .sequenceStart
      (anchor, tag) = (text(raw.data.sequence_start.anchor), text(raw.data.sequence_start.tag))
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart
      (anchor, tag) = (text(raw.data.mapping_start.anchor), text(raw.data.mapping_start.tag))
    case YAML_ALIAS_EVENT:
      kind = .alias(text(raw.data.alias.anchor) ?? "")
      (anchor, tag) = (nil, nil)
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      (anchor, tag) = (text(scalar.anchor), text(scalar.tag))
      kind = .scalar(
        YAMLScalar(
          text: String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
          tag: tag))
    default: (kind, anchor, tag) = (.streamEnd, nil, nil)
    }
    let location = place(raw.start_mark, raw.end_mark)
    if let tag, case .sequenceStart = kind, tag != "tag:yaml.org,2002:seq" {
      throw YAMLScalar.unsupported(tag: tag, at: location)
    }
    if let tag, case .mappingStart = kind, tag != "tag:yaml.org,2002:map" {
      throw YAMLScalar.unsupported(tag: tag, at: location)
    }
    return Event(kind: kind, anchor: anchor, location: location)
  }

  private func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    bytes.map { String(cString: $0) }
  }

  private func place(_ start: yaml_mark_t, _ end: yaml_mark_t) -> SourceLocation {
    let width = start.line == end.line && end.column > start.column ? end.column - start.column : 1
    return SourceLocation(file: file, line: start.line + 1, column: start.column + 1, width: width)
  }

  /// libyaml's complaint at its place, with a plain word for the commonest cause.
  private func failure() -> Diagnostic {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    // The reader (encoding, control characters) knows an offset, the scanner and the parser a mark.
    let location =
      parser.pointee.error == YAML_READER_ERROR
      ? file.location(byte: parser.pointee.problem_offset) : place(parser.pointee.problem_mark, yaml_mark_t())
    let line = file.line(location.line) ?? ""
    if line.prefix(while: \.isWhitespace).contains("\t") {
      return Diagnostic(
        "yaml.syntax", "a tab is used for indentation", detail: problem, hint: "indent with spaces",
        at: location)
    }
    let context = parser.pointee.context.map { String(cString: $0) }
    return Diagnostic("yaml.syntax", problem, detail: context, at: location)
  }
}
