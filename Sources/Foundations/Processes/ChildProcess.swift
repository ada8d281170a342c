import CProcess
import Diagnostics

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a child process is started with.
package struct Launch: Sendable {
  package enum Stream: Sendable, Hashable {
    /// /dev/null.
    case none
    /// What this process has.
    case inherited
    /// Appended to a file, made with mode 0600 if it does not exist, opened before any change of user.
    case file(String)
  }

  package enum Group: Int32, Sendable {
    /// The terminal's signals for this process reach it, too.
    case shared = 0
    /// Ctrl-C does not reach it.
    case own = 1
    /// As `own`, and it outlives the terminal.
    case ownSession = 2
  }

  /// The program's path. It is not looked for in `PATH`.
  package var program: String
  package var arguments: [String]
  /// All its variables; nil gives it those of this process.
  package var environment: [String: String]?
  package var folder: String?
  package var output: Stream = .inherited
  package var error: Stream = .inherited
  package var group: Group = .shared
  /// The account to run as; only root can change it.
  package var user: SystemUser?
  /// The signal it gets when this process ends, however it ends. Linux only: elsewhere without effect.
  package var deathSignal: Int32?

  package init(_ program: String, _ arguments: [String] = []) {
    self.program = program
    self.arguments = arguments
  }
}

/// How a process ended.
package enum ProcessEnd: Sendable, Hashable {
  case exited(Int32)
  case signalled(Int32)

  package var isSuccess: Bool { self == .exited(0) }

  init(waited status: Int32) {
    // The macros of wait.h do not come into Swift.
    self = status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
  }
}

/// A process this one started. Not waited for by itself: a child whose owner does not ``wait()`` stays a
/// zombie until this process ends.
package final class ChildProcess {
  package let identity: ProcessIdentity
  private var status: ProcessEnd?

  package var pid: Int32 { identity.pid }

  /// Starts a program. Safe from any thread: the work is done by one that never ends, because the death
  /// signal of Linux comes when the *thread* that forked ends.
  ///
  /// - Throws: ``SpawnError`` with the step that failed; nothing is left behind then.
  package init(_ launch: Launch) throws {
    identity = try Self.start(launch, input: -1, output: nil, error: nil)
  }

  fileprivate init(_ launch: Launch, input: Int32, output: Int32, error: Int32) throws {
    identity = try Self.start(launch, input: input, output: output, error: error)
  }

  /// Waits for its end.
  @discardableResult
  package func wait() -> ProcessEnd { poll(options: 0) ?? .exited(0) }

  /// How it ended; nil while it runs.
  package func poll() -> ProcessEnd? { poll(options: WNOHANG) }

  package func send(signal: Int32) {
    // As long as nobody waited for it, the number is its own, even as a zombie.
    if status == nil { kill(pid, signal) }
  }

  private func poll(options: Int32) -> ProcessEnd? {
    if let status { return status }
    var raw: Int32 = 0
    while true {
      let answer = waitpid(pid, &raw, options)
      if answer == pid { break }
      if answer == 0 { return nil }
      // ECHILD: somebody else waited for all children; how it ended is lost.
      if errno != EINTR { raw = 0; break }
    }
    status = ProcessEnd(waited: raw)
    return status
  }

  private static func start(
    _ launch: Launch, input: Int32, output: Int32?, error: Int32?
  ) throws -> ProcessIdentity {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    func descriptor(_ stream: Launch.Stream, _ standard: Int32) throws -> Int32 {
      switch stream {
      case .none: return -1
      case .inherited: return standard
      case .file(let path):
        let descriptor = cprocess_open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("opening \(path)") }
        opened.append(descriptor)
        return descriptor
      }
    }
    let output = try output ?? descriptor(launch.output, 1)
    let error = try error ?? descriptor(launch.error, 2)
    let groups = launch.user?.groups ?? []
    let environment = (launch.environment ?? ProcessEnvironment.all).map { "\($0)=\($1)" }
    var pid: pid_t = 0
    var stage: UnsafePointer<CChar>?
    let number = withCStringArray([launch.program] + launch.arguments) { arguments in
      withCStringArray(environment) { environment in
        groups.withUnsafeBufferPointer { groups in
          withOptionalCString(launch.folder) { folder in
            var request = cprocess_launch()
            request.path = UnsafePointer(arguments[0])
            request.arguments = UnsafePointer(arguments)
            request.environment = UnsafePointer(environment)
            request.directory = folder
            (request.input, request.output, request.error) = (input, output, error)
            request.grouping = launch.group.rawValue
            request.death_signal = launch.deathSignal ?? 0
            if let user = launch.user {
              request.changes_user = 1
              (request.user, request.group) = (user.id, user.group)
              request.groups = groups.baseAddress
              request.group_count = Int32(groups.count)
            }
            return cprocess_start(&request, &pid, &stage)
          }
        }
      }
    }
    guard number == 0 else {
      throw SpawnError(
        program: launch.program, stage: stage.map { String(cString: $0) } ?? "starting",
        cause: SystemError("starting \(launch.program)", number: number))
    }
    // A child that ended at once may be a zombie already: it keeps its number until it is waited for.
    return ProcessIdentity(pid: pid) ?? ProcessIdentity(pid: pid, startTime: 0)
  }
}

/// A program that could not be started.
package struct SpawnError: Diagnosable, Sendable {
  package let program: String
  /// The step that was refused: `changing to another user`.
  package let stage: String
  package let cause: SystemError

  package var diagnostics: [Diagnostic] {
    [Diagnostic("system.spawn", "\(program) could not be started", detail: "\(stage): \(cause.reason)")]
  }
}

/// A program that ran to its end.
package struct FinishedProcess: Sendable {
  package let status: ProcessEnd
  package let output: [UInt8]
  package let errors: [UInt8]

  package var outputText: String { String(decoding: output, as: UTF8.self) }
  package var errorText: String { String(decoding: errors, as: UTF8.self) }
}

extension ChildProcess {
  /// Runs a program to its end and returns what it wrote. It dies with this process.
  ///
  /// - Parameter input: What it reads from standard input.
  /// - Throws: ``SpawnError`` when it cannot be started. A program that fails is no error here.
  package static func run(_ launch: Launch, input: [UInt8] = []) throws -> FinishedProcess {
    // Files rather than pipes for what goes in and comes out: no program can block on a full pipe that
    // nobody reads, whatever the sizes, and no thread is needed.
    let streams = try (0..<3).map { _ in try anonymousFile() }
    defer { for descriptor in streams { close(descriptor) } }
    try Files.writeAll(input, to: streams[0], "writing a program's input")
    lseek(streams[0], 0, SEEK_SET)
    var launch = launch
    launch.deathSignal = launch.deathSignal ?? SIGKILL
    let child = try ChildProcess(launch, input: streams[0], output: streams[1], error: streams[2])
    let status = child.wait()
    let texts = try streams[1...].map { descriptor in
      lseek(descriptor, 0, SEEK_SET)
      return try Files.readAll(descriptor, "reading a program's output")
    }
    return FinishedProcess(status: status, output: texts[0], errors: texts[1])
  }

  /// A file without a name, closed on exec.
  private static func anonymousFile() throws -> Int32 {
    let path = try Files.makeTemporaryFolder(in: Files.temporaryFolder, named: "nomdev-")
    defer { try? Files.remove(path) }
    let descriptor = cprocess_open("\(path)/stream", O_RDWR | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw SystemError("making a temporary file") }
    return descriptor
  }
}

private func withOptionalCString<T>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> T) -> T {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}

private func withCStringArray<T>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> T
) -> T {
  var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
