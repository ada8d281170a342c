// Plain C calls rather than Foundation: they cost nothing at start-up.
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One of the process's output streams.
struct OutputStream: Sendable {
  let descriptor: Int32

  static let standardOutput = OutputStream(descriptor: 1)
  static let standardError = OutputStream(descriptor: 2)

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal; nil where the stream is none.
  var columns: Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes all of it.
  ///
  /// Where the reader is gone (`nomdev … | head -1`) the rest is dropped without a word: the work goes on and
  /// the exit code stays what it would have been. A full disk behind a redirect is an error.
  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, !rest.isEmpty {
        let count = systemWrite(descriptor, start, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EPIPE {
          return
        } else if errno == EAGAIN {
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&waiting, 1, -1)
        } else if errno != EINTR {
          throw OutputError(reason: String(cString: strerror(errno)))
        }
      }
    }
  }
}

/// A member named `write` hides the C function.
private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, start, count)
}

/// The terminal the user sits at, whatever the standard streams are connected to.
enum Terminal {
  /// Makes writing to a closed pipe an error of that write instead of a signal that ends the process.
  ///
  /// A handler rather than SIG_IGN, because children inherit what is ignored.
  static func surviveClosedPipes() {
    signal(SIGPIPE) { _ in }
  }

  /// Asks on the terminal itself and reads one line of answer, without its end; nil where there is no terminal
  /// or the answer is an end of file. Standard input is never read: it may be data.
  static func ask(_ question: String) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    try? OutputStream(descriptor: terminal).write(question)
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while answer.count < 1_000 {
      let count = read(terminal, &byte, 1)
      // Ctrl-C where something catches it: no answer is a no.
      if count < 0, errno == EINTR { return "" }
      if count <= 0 { return answer.isEmpty ? nil : String(decoding: answer, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: answer, as: UTF8.self) }
      answer.append(byte)
    }
    return nil
  }

  /// The variables named, where they are set.
  static func environment(_ names: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for name in names {
      if let value = getenv(name) { values[name] = String(cString: value) }
    }
    return values
  }
}
