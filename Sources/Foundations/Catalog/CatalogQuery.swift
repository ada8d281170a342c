import CCatalogSQL

/// The questions to the catalog, as the files of CCatalogSQL hold them.
package enum CatalogQuery {
  /// Changes whenever a question does: what was read by other questions can't be compared.
  package static let fingerprint: String = {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for query in all {
      for byte in query.sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(hash, radix: 16)
  }()

  static let all: [(name: String, sql: String)] = UnsafeBufferPointer(
    start: nomdev_catalog_queries_pointer(), count: nomdev_catalog_query_count
  ).map { query in
    let bytes = UnsafeBufferPointer(start: query.bytes, count: query.length)
    return (String(cString: query.name), String(decoding: bytes, as: UTF8.self))
  }
}
