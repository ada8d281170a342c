#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// First in, first out, so that under load every request waits its turn and none starves.
final class JobQueue<Job>: @unchecked Sendable {
  // Everything below is touched only while `lock` is held.
  private var jobs: [Job?] = []
  private var head = 0
  private var isClosed = false
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(filled, nil)
  }

  deinit {
    pthread_cond_destroy(filled)
    pthread_mutex_destroy(lock)
    filled.deallocate()
    lock.deallocate()
  }

  func append(_ job: sending Job) {
    pthread_mutex_lock(lock)
    jobs.append(job)
    pthread_mutex_unlock(lock)
    pthread_cond_signal(filled)
  }

  /// The oldest jobs: one, or a share of what waits where that is more than the workers can take at once.
  /// Waits for one. Empty when the queue is closed and empty.
  func next(workers: Int, atMost maximum: Int) -> [Job] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while head == jobs.count {
      if isClosed { return [] }
      pthread_cond_wait(filled, lock)
    }
    let count = max(1, min(maximum, (jobs.count - head) / workers))
    var taken: [Job] = []
    for index in head..<head + count {
      if let job = jobs[index] { taken.append(job) }
      jobs[index] = nil
    }
    head += count
    // The taken slots are dropped together, so that taking stays cheap.
    if head == jobs.count || head > 256 {
      jobs.removeFirst(head)
      head = 0
    }
    return taken
  }

  /// Lets those who wait go once the queue is empty.
  func close() {
    pthread_mutex_lock(lock)
    isClosed = true
    pthread_mutex_unlock(lock)
    pthread_cond_broadcast(filled)
  }
}

/// A thread of its own: what it runs may block, which Swift's cooperative pool does not allow.
package final class WorkerThread: @unchecked Sendable {
  // Written once before the thread starts, joined once by whoever ends it.
  #if canImport(Glibc)
    private var handle = pthread_t()
  #else
    private var handle: pthread_t?
  #endif

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  package init(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    #if canImport(Glibc)
      pthread_create(
        &handle, nil,
        { context in
          if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, context)
    #else
      pthread_create(
        &handle, nil,
        { context in
          Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, context)
    #endif
  }

  /// Waits until the body has returned. Call it exactly once.
  package func join() {
    #if canImport(Glibc)
      pthread_join(handle, nil)
    #else
      if let handle { pthread_join(handle, nil) }
    #endif
  }
}
