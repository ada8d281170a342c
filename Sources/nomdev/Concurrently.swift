import Dispatch
import Synchronization

/// Runs the same work for each item on a thread of its own, since the work blocks, and returns what it gave in order.
///
/// - Throws: The error of the first item that failed, after all have ended.
func concurrently<Item, Value: Sendable>(_ items: [Item], _ work: (Item) throws -> Value) throws -> [Value] {
  let results = Mutex([Int: Result<Value, any Error>]())
  // The closure is done when `concurrentPerform` returns, so nothing outlives this call.
  withoutActuallyEscaping(work) { work in
    nonisolated(unsafe) let items = items
    nonisolated(unsafe) let work = work
    DispatchQueue.concurrentPerform(iterations: items.count) { index in
      let result = Result { try work(items[index]) }
      results.withLock { $0[index] = result }
    }
  }
  return try results.withLock { found in try items.indices.map { try found[$0]!.get() } }
}
