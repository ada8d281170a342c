/// A text that is not JSON.
package struct JSONError: Error, Hashable, Sendable {
  /// Where reading stopped, in bytes from 0. The end of the text where more was expected.
  package let offset: Int
  /// One lower-case sentence without a full stop.
  package let message: String

  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}
