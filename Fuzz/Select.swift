@testable import REST

/// The grammar of select alone, on its quick run and on the one that explains.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  var quick = GrammarInput(text(data, size), explains: false)
  var slow = GrammarInput(text(data, size), explains: true)
  let one = SelectGrammar.items(&quick)
  let two = SelectGrammar.items(&slow)
  precondition((one.value == nil) == (two.value == nil) && quick.position == slow.position)
  if two.value == nil { _ = slow.explanation(of: two.problem) }
  return 0
}
