import CCatalogSQL

/// The questions to the catalog, as the files of CCatalogSQL hold them.
enum CatalogQuery {
  static let all: [(name: String, sql: String)] = UnsafeBufferPointer(
    start: nomdev_catalog_queries_pointer(), count: nomdev_catalog_query_count
  ).map { query in
    let bytes = UnsafeBufferPointer(start: query.bytes, count: query.length)
    return (String(cString: query.name), String(decoding: bytes, as: UTF8.self))
  }
}
