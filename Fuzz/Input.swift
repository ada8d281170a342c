/// The bytes of one round as text; what is no UTF-8 is replaced, as the server does with what it reads.
func text(_ data: UnsafePointer<UInt8>, _ size: Int) -> String {
  String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
}
