import Postgres

/// The one statement of a request: it reads or writes, and gives back the finished body with the counts and
/// settings that the response needs.
///
/// Its row: total, page total, location (of writes alone), body, response headers, response status, rows
/// inserted.
enum MainStatement {
  enum Column: Int {
    case total, pageTotal, location, body, headers, status, inserted

    /// Where it stands in the row.
    func position(inWrite isWrite: Bool) -> Int {
      isWrite || rawValue < Column.location.rawValue ? rawValue : rawValue - 1
    }
  }

  static func read(
    _ node: ReadNode, _ handler: MediaHandler, count: Preferences.Count?, maximumRows: Int?
  ) -> StatementText {
    var sql = StatementText()
    sql.add("WITH pgrst_source AS ( ")
    sql.add(node)
    sql.add(" )")
    let counts = count == .exact || count == .estimated
    if counts {
      sql.add(", pgrst_source_count AS (")
      sql.addCount(node)
      // One more than is given tells that there are more.
      if count == .estimated, let maximumRows { sql.add(trusted: " LIMIT \(maximumRows + 1)") }
      sql.add(")")
    }
    sql.add(" SELECT ")
    sql.addTotal(counts)
    sql.add(" AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total, ")
    sql.addBody(handler, routine: nil)
    sql.addSettings()
    sql.add(", '' AS response_inserted FROM ( SELECT * FROM pgrst_source ) _postgrest_t")
    return sql
  }

  static func write(
    _ plan: MutationPlan, _ node: ReadNode, _ handler: MediaHandler, _ preferences: Preferences
  ) -> StatementText {
    var sql = StatementText()
    sql.add("WITH pgrst_source AS (")
    sql.add(plan)
    sql.add(") SELECT '' AS total_result_set, pg_catalog.count(_postgrest_t) AS page_total, ")
    let isInsert = plan.kind == .insert
    if isInsert, preferences.representation == .headersOnly, !plan.primaryKey.isEmpty {
      sql.addLocation(plan.primaryKey)
    } else {
      sql.add("null")
    }
    sql.add(" AS header, ")
    sql.addBody(handler, routine: nil)
    sql.addSettings()
    sql.add(", ")
    if isInsert, plan.isPut || preferences.resolution == .mergeDuplicates {
      sql.add("nullif(current_setting('pgrst.inserted', true), '')::int")
    } else {
      sql.add("''")
    }
    sql.add(" AS response_inserted FROM (")
    // Without a body none of the columns that `select` names is needed.
    if handler == .none { sql.add("SELECT * FROM pgrst_source") } else { sql.add(node) }
    sql.add(") _postgrest_t")
    return sql
  }

  static func call(
    _ plan: CallPlan, _ node: ReadNode, _ handler: MediaHandler, count: Preferences.Count?
  ) -> StatementText {
    var sql = StatementText()
    sql.add("WITH pgrst_source AS (")
    sql.add(plan)
    sql.add(")")
    let counts = count == .exact || count == .estimated
    if counts {
      sql.add(", pgrst_source_count AS (")
      sql.addCount(node)
      sql.add(")")
    }
    sql.add(" SELECT ")
    sql.addTotal(counts)
    sql.add(" AS total_result_set, ")
    if plan.routine.returnsSingle { sql.add("1") } else { sql.add("pg_catalog.count(_postgrest_t)") }
    sql.add(" AS page_total, ")
    sql.addBody(handler, routine: plan.routine)
    sql.addSettings()
    sql.add(", '' AS response_inserted FROM (")
    sql.add(node)
    sql.add(") _postgrest_t")
    return sql
  }

  /// The planner's word on how many rows the node would give.
  static func estimate(_ node: ReadNode) -> StatementText {
    var sql = StatementText()
    sql.add("EXPLAIN (FORMAT JSON) ")
    sql.addCount(node)
    return sql
  }
}

extension StatementText {
  /// The same statement, explained instead of answered.
  func explained(isJSON: Bool, _ options: [MediaType.PlanOption]) -> Step {
    let list = (["FORMAT " + (isJSON ? "JSON" : "TEXT")] + options.map { $0.rawValue.uppercased() })
      .joined(separator: ", ")
    return Step("EXPLAIN (\(list)) " + text, binds)
  }

  fileprivate mutating func addTotal(_ counts: Bool) {
    if counts {
      add("(SELECT pg_catalog.count(*) FROM pgrst_source_count)")
    } else {
      add("null::bigint")
    }
  }

  fileprivate mutating func addSettings() {
    add(" AS body, nullif(current_setting('response.headers', true), '') AS response_headers, ")
    add("nullif(current_setting('response.status', true), '') AS response_status")
  }

  /// The primary key of the one row that came in, as a JSON array of names and values.
  fileprivate mutating func addLocation(_ primaryKey: [String]) {
    add(
      "CASE WHEN pg_catalog.count(_postgrest_t) = 1 THEN (SELECT json_agg(json_build_array(k.key, k.value)) ")
    add("FROM (SELECT row_to_json(_) AS row FROM pgrst_source AS _ LIMIT 1) AS data ")
    add("CROSS JOIN json_each_text(data.row) AS k WHERE k.key IN (")
    add(primaryKey) { $1.add(catalogLiteral: $0) }
    add(")) END")
  }

  // MARK: - Bodies

  fileprivate mutating func addBody(_ handler: MediaHandler, routine: Routine?) {
    switch handler {
    case .none: add("''::text")
    case .json: addJSON(routine, isStripped: false)
    case .strippedArray: addJSON(routine, isStripped: true)
    case .object(let isStripped): addObject(routine, isStripped: isStripped)
    case .csv:
      add("(SELECT coalesce(string_agg(a.k, ','), '') FROM (SELECT json_object_keys(s.r)::text AS k FROM (")
      add("SELECT row_to_json(h) AS r FROM pgrst_source AS h LIMIT 1) s) a) || E'\\n' || ")
      add(
        "coalesce(string_agg(substring(_postgrest_t::text, 2, length(_postgrest_t::text) - 2), E'\\n'), '')")
    case .geoJSON:
      add("json_build_object('type', 'FeatureCollection', 'features', ")
      add("coalesce(json_agg(ST_AsGeoJSON(_postgrest_t)::json), '[]'))")
    case .custom(let function, let target):
      add(function)
      if let routine, routine.returnsScalar {
        add("(_postgrest_t.pgrst_scalar)")
      } else if case .relation(let relation) = target {
        add("(_postgrest_t::")
        add(relation)
        add(")")
      } else {
        add("(_postgrest_t)")
      }
    }
  }

  private mutating func addJSON(_ routine: Routine?, isStripped: Bool) {
    let isScalar = routine.map { $0.returnsScalar || $0.returnsSetOfScalar } ?? false
    let isSingle = routine?.returnsSingle ?? false
    addCollected(isScalar: isScalar, isSingle: isSingle, isStripped: isStripped)
  }

  private mutating func addObject(_ routine: Routine?, isStripped: Bool) {
    addCollected(isScalar: routine?.returnsScalar ?? false, isSingle: true, isStripped: isStripped)
  }

  private mutating func addCollected(isScalar: Bool, isSingle: Bool, isStripped: Bool) {
    add("coalesce(")
    if isStripped { add("json_strip_nulls(") }
    add("json_agg(_postgrest_t")
    if isScalar { add(".pgrst_scalar") }
    add(")")
    if isSingle { add("->0") }
    if isStripped { add(")") }
    if isSingle { add(", 'null')") } else { add(", '[]')") }
  }
}
