import Diagnostics
import Postgres

extension Connection {
  /// Sends a file's chunks in order.
  ///
  /// - Returns: How many rows were written.
  /// - Throws: ``ScriptError`` at the first refused statement. Nothing after it was sent. Inside a
  ///   transaction block the block is failed and must be rolled back by the caller.
  @discardableResult
  package func run(_ chunks: [ScriptChunk], of file: SourceFile, code: String) throws -> Int {
    var written = 0
    for chunk in chunks {
      do {
        written += try run(script: chunk.text, copyData: chunk.copyData).rowsWritten
      } catch let error as PostgresError {
        throw ScriptError(error, in: chunk, of: file, code: code)
      }
    }
    return written
  }
}
