@testable import REST

/// Whole query strings: splitting, decoding, every grammar, the canonical form.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  for isCall in [false, true] {
    if let parameters = try? QueryParameters(text(data, size), isCall: isCall) { _ = parameters.canonical }
  }
  return 0
}
