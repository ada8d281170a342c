import CHTTPServer
import CMicrohttpd
import Diagnostics
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bounds a client cannot exceed.
package struct HTTPLimits: Sendable {
  /// Open connections; further ones wait in the kernel or are refused.
  package var connections = 512
  /// Seconds a client may stay silent in the middle of a request, or idle between two.
  package var idleSeconds = 60
  /// Bytes for the request line and all headers together.
  package var headerBytes = 48 * 1024
  /// Bytes of a body that is collected in memory.
  package var bodyBytes = 64 * 1024 * 1024

  package init() {}
}

/// Why the server could not be started.
package enum HTTPServerError: Diagnosable, Equatable {
  case portTaken(UInt16)
  case notStarted(port: UInt16, reason: String)

  package var diagnostics: [Diagnostic] {
    switch self {
    case .portTaken(let port):
      [
        Diagnostic(
          "gateway.port", "port \(port) is in use", detail: "another program listens on 127.0.0.1:\(port)",
          hint: "stop it, or choose another port")
      ]
    case .notStarted(let port, let reason):
      [Diagnostic("gateway.start", "the HTTP server could not start on port \(port)", detail: reason)]
    }
  }
}

/// HTTP/1.1 on loopback: one thread waits for all connections, a few workers answer, each with sessions of
/// its own. A slow client holds no worker, and requests are answered in the order they arrived.
package final class HTTPServer: Sendable {
  private let core: ServerCore
  private let workers: [WorkerThread]

  /// Listens on 127.0.0.1 and answers until ``stop()``.
  ///
  /// - Parameters:
  ///   - port: 0 takes any free one; see ``port``.
  ///   - workers: How many requests are answered at a time.
  ///   - bodyPlan: What to do with a body, by the request's head. By default it is collected.
  ///   - responder: Called once on each worker's thread.
  /// - Throws: ``HTTPServerError``; nothing is left running then.
  package init(
    port: UInt16, workers count: Int, limits: HTTPLimits = HTTPLimits(),
    bodyPlan: (@Sendable (HTTPRequest) -> BodyPlan)? = nil,
    responder: @escaping @Sendable () -> any HTTPResponder
  ) throws {
    let maximum = limits.bodyBytes
    let core = ServerCore(bodyPlan: bodyPlan ?? { _ in .collect(maximum: maximum) })
    try core.start(port: port, limits: limits)
    self.core = core
    workers = (0..<count).map { _ in
      WorkerThread {
        let responder = responder()
        while true {
          let batch = core.queue.next(workers: count, atMost: 4)
          if batch.isEmpty { return }
          let answers =
            batch.count == 1
            ? [responder.respond(to: batch[0].request)] : responder.respond(toAll: batch.map(\.request))
          for (exchange, answer) in zip(batch, answers) {
            exchange.prepare(answer)
            core.resume(exchange)
          }
        }
      }
    }
  }

  /// The port it listens on.
  package var port: UInt16 { nomdev_http_port(core.daemon) }

  /// How many connections are open at the moment.
  package var openConnections: Int { Int(nomdev_http_connections(core.daemon)) }

  /// Stops listening, lets the requests that were read be answered, then ends. Call it exactly once.
  package func stop() {
    core.stop()
    for worker in workers { worker.join() }
  }
}

/// What the connection thread and the workers share.
final class ServerCore: @unchecked Sendable {
  // `daemon` and `options` are set before any request can arrive; the rest guards itself.
  let queue = JobQueue<Exchange>()
  let bodyPlan: @Sendable (HTTPRequest) -> BodyPlan
  private(set) var daemon: OpaquePointer!
  private let options = UnsafeMutablePointer<nomdev_http_options>.allocate(capacity: 1)
  private let isStopping = Atomic(false)
  private let unfinished = Atomic(0)

  init(bodyPlan: @escaping @Sendable (HTTPRequest) -> BodyPlan) { self.bodyPlan = bodyPlan }

  deinit { options.deallocate() }

  func start(port: UInt16, limits: HTTPLimits) throws {
    options.initialize(
      to: nomdev_http_options(
        port: port, connection_limit: UInt32(limits.connections),
        idle_seconds: UInt32(limits.idleSeconds), header_bytes: limits.headerBytes,
        server: Unmanaged.passUnretained(self).toOpaque(),
        target: { _, target in
          let text = target.map { String(cString: $0) } ?? "/"
          return Unmanaged.passRetained(Exchange(target: text)).toOpaque()
        },
        access: { server, connection, _, method, _, body, size, context in
          guard let server, let connection, let method, let size, let exchange = context?.pointee else {
            return MHD_Result.NO
          }
          return Unmanaged<ServerCore>.fromOpaque(server).takeUnretainedValue().access(
            Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue(), connection, method, body, size)
        },
        completed: { server, context in
          guard let server, let context else { return }
          let exchange = Unmanaged<Exchange>.fromOpaque(context).takeRetainedValue()
          Unmanaged<ServerCore>.fromOpaque(server).takeUnretainedValue().complete(exchange)
        }))
    errno = 0
    guard let daemon = nomdev_http_start(options) else {
      let reason = errno
      if reason == EADDRINUSE || reason == EACCES { throw HTTPServerError.portTaken(port) }
      throw HTTPServerError.notStarted(port: port, reason: String(cString: strerror(reason)))
    }
    self.daemon = daemon
  }

  /// libmicrohttpd's access handler: called for the head, for every piece of the body, at its end, and once
  /// more when the answer is there.
  private func access(
    _ exchange: Exchange, _ connection: OpaquePointer, _ method: UnsafePointer<CChar>,
    _ body: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    switch exchange.state {
    case .new:
      exchange.readHead(method: String(cString: method), connection: connection)
      switch bodyPlan(exchange.request) {
      case .collect(let maximum): exchange.maximum = maximum
      case .stream(let sink): exchange.request.sink = sink
      }
      if exchange.request.sink == nil, let length = exchange.request.header("content-length"),
        let count = Int(length), count > exchange.maximum
      {
        return refuse(exchange, connection)
      }
      exchange.state = .receiving
      return MHD_Result.YES
    case .receiving:
      if size.pointee > 0 {
        let piece = UnsafeRawBufferPointer(start: body, count: size.pointee)
        size.pointee = 0
        if exchange.take(piece) { return MHD_Result.YES }
        // A sink that wants no more ends the connection; it has its own way to tell why.
        if exchange.request.sink != nil { return MHD_Result.NO }
        exchange.state = .refused
        exchange.request.body = []
        return MHD_Result.YES
      }
      if isStopping.load(ordering: .acquiring) { return MHD_Result.NO }
      unfinished.wrappingAdd(1, ordering: .relaxed)
      exchange.state = .queued
      MHD_suspend_connection(connection)
      queue.append(exchange)
      return MHD_Result.YES
    case .refused:
      // The rest of a body that is too long is read and dropped, so that the client gets to the answer.
      if size.pointee > 0 {
        size.pointee = 0
        return MHD_Result.YES
      }
      return refuse(exchange, connection)
    case .queued, .answered:
      guard let response = exchange.response else { return MHD_Result.NO }
      return MHD_queue_response(connection, exchange.status, response)
    }
  }

  private func refuse(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
    exchange.prepare(
      HTTPResponse(
        status: 413, headers: [HTTPHeader("Content-Type", "application/json; charset=utf-8")],
        text: #"{"message":"Request size limit exceeded"}"#))
    guard let response = exchange.response else { return MHD_Result.NO }
    return MHD_queue_response(connection, exchange.status, response)
  }

  /// Hands an answered request back to the connection thread.
  func resume(_ exchange: Exchange) {
    exchange.state = .answered
    if let connection = exchange.connection { MHD_resume_connection(connection) }
  }

  private func complete(_ exchange: Exchange) {
    if exchange.state == .answered || exchange.state == .queued {
      unfinished.wrappingSubtract(1, ordering: .releasing)
    }
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    let listening = MHD_quiesce_daemon(daemon)
    // Every suspended connection is resumed and its answer sent before the daemon stops; a client that does
    // not read is waited for until the idle limit cuts it off.
    while unfinished.load(ordering: .acquiring) > 0 { usleep(1000) }
    queue.close()
    MHD_stop_daemon(daemon)
    if listening >= 0 { close(listening) }
  }
}
