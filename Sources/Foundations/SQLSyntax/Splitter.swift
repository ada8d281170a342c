/// Cuts a script into statements by its tokens alone, knowing no grammar: so it works for syntax that is
/// newer than any parser at hand. What lies beside the statements (rows of COPY, psql's own commands) is
/// kept apart.
struct Splitter {
  struct Piece {
    var range: Range<Int>
    var comments: [Range<Int>]
    var isCopyFromStdin = false
    var copyData: Range<Int>?
    /// An upper bound of how deep its parse tree can be: the most tokens that no comma separates.
    var nesting = 0
  }

  private(set) var pieces: [Piece] = []
  private(set) var comments: [Range<Int>] = []
  private(set) var metaCommands: [Range<Int>] = []
  /// What no SQL parser must see: a byte order mark, COPY data, psql's commands.
  private(set) var notSQL: [Range<Int>] = []

  private let source: SourceBytes
  private var lexer: Lexer
  private var draft = Draft(start: 0)
  private var isReading = false
  private var waitingComments: [Range<Int>] = []

  init(_ source: SourceBytes) {
    self.source = source
    lexer = Lexer(source)
    if source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      notSQL.append(0..<3)
      lexer.jump(to: 3)
    }
    while let token = lexer.next() { take(token) }
    finish()
  }

  private mutating func take(_ token: Token) {
    if token.isComment {
      comments.append(token.range)
      if !isReading { waitingComments.append(token.range) }
    } else if token.isSymbol("\\"), beginsLine(token.range.lowerBound) {
      let end = lineEnd(from: token.range.lowerBound)
      metaCommands.append(token.range.lowerBound..<end)
      notSQL.append(token.range.lowerBound..<end)
      lexer.jump(to: end)
    } else if token.isSymbol(";"), !(isReading && draft.isInside) {
      let isCopy = isReading && draft.isCopyFromStdin
      finish()
      if isCopy { takeCopyData() }
    } else {
      // Changed in place: a copy of its counts at every token would make deep nesting quadratic.
      if !isReading { draft = Draft(start: token.range.lowerBound) }
      isReading = true
      draft.take(token, of: source)
    }
  }

  private mutating func finish() {
    guard isReading else { return }
    pieces.append(
      Piece(
        range: draft.start..<draft.end, comments: waitingComments, isCopyFromStdin: draft.isCopyFromStdin,
        nesting: draft.deepest))
    isReading = false
    waitingComments = []
  }

  /// The rows begin on the line after the semicolon and end before a line that is `\.`, or with the file.
  private mutating func takeCopyData() {
    let bytes = source.bytes
    let start = min(lineEnd(from: lexer.position) + 1, bytes.count)
    var line = start
    var end = bytes.count
    var resume = bytes.count
    while line < bytes.count {
      let next = lineEnd(from: line)
      var text = bytes[line..<next]
      if text.last == 0x0D { text.removeLast() }
      if text.elementsEqual([UInt8(ascii: "\\"), UInt8(ascii: ".")]) {
        end = line
        resume = next
        break
      }
      line = next + 1
    }
    pieces[pieces.count - 1].copyData = start..<end
    notSQL.append(start..<resume)
    lexer.jump(to: resume)
  }

  private func lineEnd(from offset: Int) -> Int {
    source.bytes[offset...].firstIndex(of: 0x0A) ?? source.bytes.count
  }

  private func beginsLine(_ offset: Int) -> Bool {
    var before = offset - 1
    while before >= 0, source.bytes[before] != 0x0A {
      guard Lexer.isBlank(source.bytes[before]) else { return false }
      before -= 1
    }
    return true
  }
}

/// The statement being read: how deep in parentheses and in a `BEGIN ATOMIC` body it is.
private struct Draft {
  let start: Int
  private(set) var end: Int
  private(set) var deepest = 0
  private(set) var isCopyFromStdin = false

  private var opening: [String] = []
  private var isCopy = false
  private var isRoutine = false
  private var atomicDepth = 0
  private var parentheses = 0
  /// Tokens since the last comma, one count for each open parenthesis or bracket.
  private var counts = [0]
  private var run = 0
  private var previous = ""

  init(start: Int) {
    self.start = start
    end = start
  }

  /// Whether a semicolon is part of the statement here.
  var isInside: Bool { parentheses > 0 || atomicDepth > 0 }

  mutating func take(_ token: Token, of source: SourceBytes) {
    end = token.range.upperBound
    count(token)
    if token.isSymbol("(") { parentheses += 1 }
    if token.isSymbol(")") { parentheses = max(0, parentheses - 1) }
    guard token.kind == .word else {
      previous = token.isSymbol(".") ? "." : ""
      return
    }
    let interesting = opening.count < 4 || isCopy || isRoutine
    guard interesting, token.range.count <= 10, let word = source.word(token) else {
      if opening.count < 4 { opening.append("") }
      previous = ""
      return
    }
    if opening.count < 4 { open(with: word) }
    if isCopy, parentheses == 0, previous == "from", word == "stdin" { isCopyFromStdin = true }
    if isRoutine { takeRoutine(word) }
    previous = word
  }

  private mutating func open(with word: String) {
    opening.append(word)
    isCopy = opening[0] == "copy"
    let routine = ["function", "procedure"]
    guard opening[0] == "create" else { return }
    isRoutine =
      isRoutine || (opening.count == 2 && routine.contains(word))
      || (opening.count == 4 && opening[1...2] == ["or", "replace"] && routine.contains(word))
  }

  /// `BEGIN ATOMIC … END` holds statements of its own, and CASE has an END, too. After AS or a dot, both are
  /// plain names.
  private mutating func takeRoutine(_ word: String) {
    if atomicDepth == 0 {
      if word == "atomic", previous == "begin", parentheses == 0 { atomicDepth = 1 }
    } else if previous != ".", previous != "as" {
      if word == "case" { atomicDepth += 1 }
      if word == "end" { atomicDepth -= 1 }
    }
  }

  private mutating func count(_ token: Token) {
    if case .symbol(let byte) = token.kind {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        run -= counts[counts.count - 1]
        counts[counts.count - 1] = 0
        return
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        if counts.count > 1 { run -= counts.removeLast() }
        return
      default: break
      }
    }
    counts[counts.count - 1] += 1
    run += 1
    deepest = max(deepest, run)
    if token.isSymbol("(") || token.isSymbol("[") { counts.append(0) }
  }
}
