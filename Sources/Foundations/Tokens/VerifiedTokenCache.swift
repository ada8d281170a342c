import JSONValues
import Synchronization

/// Remembers the claims of tokens whose signatures were right, so that they are checked once. Bounded; what
/// was used since it was last looked at survives an eviction. Refusals are not remembered, and the claims'
/// times are for the caller to check on every request.
package final class VerifiedTokenCache<Value: Sendable>: Sendable {
  private struct Entry {
    var token: String
    var value: Value
    var isVisited: Bool
  }

  private struct State {
    var positions: [String: Int] = [:]
    var entries: [Entry] = []
    var hand = 0
  }

  private let state = Mutex(State())
  private let capacity: Int

  package init(capacity: Int = 1000) { self.capacity = max(1, capacity) }

  package subscript(token: String) -> Value? {
    state.withLock { state in
      guard let position = state.positions[token] else { return nil }
      state.entries[position].isVisited = true
      return state.entries[position].value
    }
  }

  package func insert(_ value: Value, for token: String) {
    state.withLock { state in
      if let position = state.positions[token] {
        state.entries[position].value = value
        return
      }
      let entry = Entry(token: token, value: value, isVisited: false)
      if state.entries.count < capacity {
        state.positions[token] = state.entries.count
        state.entries.append(entry)
        return
      }
      while state.entries[state.hand].isVisited {
        state.entries[state.hand].isVisited = false
        state.hand = (state.hand + 1) % state.entries.count
      }
      state.positions[state.entries[state.hand].token] = nil
      state.entries[state.hand] = entry
      state.positions[token] = state.hand
      state.hand = (state.hand + 1) % state.entries.count
    }
  }

  /// How many tokens are remembered.
  package var count: Int { state.withLock { $0.entries.count } }
}
