import CProcess

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A lock between processes, held on a file until it is released or its process ends, however it ends.
///
/// The file stays when the lock is gone: removing it would let two processes lock two files of one name.
package final class FileLock: Sendable {
  private let descriptor: Int32
  package let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Releases the lock.
  deinit { close(descriptor) }

  /// Takes the lock if nobody holds it; nil when somebody does.
  ///
  /// - Throws: ``SystemError`` when the file cannot be made or opened.
  package static func tryToTake(_ path: String) throws -> FileLock? {
    try take(path, waiting: false)
  }

  /// Takes the lock, and waits for whoever holds it, without limit: a holder that dies lets go.
  ///
  /// - Throws: ``SystemError`` when the file cannot be made or opened.
  package static func take(_ path: String) throws -> FileLock {
    // With `waiting`, nil is impossible: it returns the lock or throws.
    try take(path, waiting: true)!
  }

  /// The pid of the process that wrote itself into the lock's file last: whoever holds the lock, as long as
  /// somebody does.
  package static func holder(_ path: String) -> Int32? {
    guard let text = try? Files.read(path) else { return nil }
    return Int32(text.prefix { $0.isNumber })
  }

  private static func take(_ path: String, waiting: Bool) throws -> FileLock? {
    let descriptor = cprocess_open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("opening the lock \(path)") }
    while flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      close(descriptor)
      if number == EWOULDBLOCK { return nil }
      throw SystemError("locking \(path)", number: number)
    }
    let note = Array("\(getpid())\n".utf8)
    // Only a courtesy for whoever waits: a full disk must not cost the lock.
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, note, note.count, 0) }
    return FileLock(descriptor: descriptor, path: path)
  }
}
