import CHTTPServer
import CMicrohttpd

/// One request on its way through the server: filled by the connection thread, answered by a worker.
final class Exchange: @unchecked Sendable {
  // Belongs to the connection thread until it is queued, to the worker until it is resumed, and to the
  // connection thread again from then on; libmicrohttpd's suspend and resume order the accesses.
  enum State { case new, receiving, refused, queued, answered }

  let target: String
  var state = State.new
  var request = HTTPRequest(method: "", path: "", query: "")
  var maximum = 0
  var connection: OpaquePointer?
  var status: UInt32 = 500
  var response: OpaquePointer?

  init(target: String) { self.target = target }

  deinit { if let response { MHD_destroy_response(response) } }

  /// Reads method, target and headers once the head is complete.
  func readHead(method: String, connection: OpaquePointer) {
    self.connection = connection
    var path = Substring(target)
    // The absolute form that proxies send is as good as the short one.
    for scheme in ["http://", "https://"] where path.hasPrefix(scheme) {
      path = path.dropFirst(scheme.count)
      path = path.firstIndex(of: "/").map { path[$0...] } ?? "/"
    }
    var query = Substring()
    if let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = path[path.utf8.index(after: mark)...]
      path = path[..<mark]
    }
    request = HTTPRequest(method: method, path: String(path), query: String(query))
    request.headers.reserveCapacity(12)
    withUnsafeMutablePointer(to: &request.headers) { headers in
      _ = MHD_get_connection_values(
        connection, MHD_ValueKind.HEADER_KIND,
        { context, _, name, value in
          guard let context, let name else { return MHD_Result.YES }
          let headers = context.assumingMemoryBound(to: [HTTPHeader].self)
          headers.pointee.append(
            HTTPHeader(String(cString: name).lowercased(), value.map { String(cString: $0) } ?? ""))
          return MHD_Result.YES
        }, headers)
    }
  }

  /// Takes a piece of the body. False when it must not go on.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    if let sink = request.sink { return sink.take(piece) }
    guard request.body.count + piece.count <= maximum else { return false }
    request.body.append(contentsOf: piece)
    return true
  }

  /// Makes libmicrohttpd's response of ours. The body is handed over, not copied, where its form allows.
  func prepare(_ answer: HTTPResponse) {
    status = UInt32(answer.status)
    // An answer to HEAD does not say how long the body would have been: nobody made one. libmicrohttpd must
    // then be kept from chunking, since it sends the last chunk even where there is no body, and that would
    // be read as the start of the next answer.
    if request.method == "HEAD", !answer.has("content-length") {
      response = MHD_create_response_from_callback(
        UInt64(bitPattern: -1), 1, { _, _, _, _ in Int(MHD_CONTENT_READER_END_OF_STREAM) }, nil, nil)
      if let response { nomdev_http_do_not_chunk(response) }
      addHeaders(answer.headers, isHead: true)
      return
    }
    switch answer.body {
    case .bytes(let bytes):
      // A copy: the array may move once we return.
      response = bytes.withUnsafeBytes { buffer in
        MHD_create_response_from_buffer(
          buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
          MHD_ResponseMemoryMode.RESPMEM_MUST_COPY)
      }
    case .foreign(let foreign):
      let owner = Unmanaged.passRetained(foreign.owner)
      response = MHD_create_response_from_buffer_with_free_callback_cls(
        foreign.count, UnsafeMutableRawPointer(mutating: foreign.start),
        { owner in if let owner { Unmanaged<AnyObject>.fromOpaque(owner).release() } }, owner.toOpaque())
      if response == nil { owner.release() }
    case .file(let descriptor, let offset, let length):
      response = MHD_create_response_from_fd_at_offset64(length, descriptor, offset)
    }
    addHeaders(answer.headers, isHead: request.method == "HEAD")
  }

  private func addHeaders(_ headers: [HTTPHeader], isHead: Bool) {
    guard let response else { return }
    for header in headers {
      // The length is libmicrohttpd's to say, except where a HEAD answer tells that of a body it lacks.
      if header.name.isEqualIgnoringCase(to: "content-length"), !isHead { continue }
      _ = MHD_add_response_header(response, header.name, header.value)
    }
  }
}
