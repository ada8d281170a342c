import Diagnostics
import Postgres

extension Connection {
  /// Sends a file's chunks in order.
  ///
  /// - Throws: ``ScriptError`` at the first refused statement. Nothing after it was sent. Inside a
  ///   transaction block the block is failed and must be rolled back by the caller.
  package func run(_ chunks: [ScriptChunk], of file: SourceFile, code: String) throws {
    for chunk in chunks {
      do {
        try run(script: chunk.text, copyData: chunk.copyData)
      } catch let error as PostgresError {
        throw ScriptError(error, in: chunk, of: file, code: code)
      }
    }
  }
}
