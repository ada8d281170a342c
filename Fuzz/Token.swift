import JSONValues

@testable import Tokens

private let verifier = JWTVerifier(
  JWTKeySet(keys: [JWTKey(secret: Array("a secret of our own that is long enough".utf8))]))

/// Tokens: nothing that was not signed may get through.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  if (try? verifier.claims(of: text(data, size))) != nil { fatalError("a token nobody signed was accepted") }
  return 0
}
