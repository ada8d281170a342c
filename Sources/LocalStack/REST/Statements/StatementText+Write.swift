import Postgres

// Inserts, updates and deletes as SQL.

extension StatementText {
  mutating func add(_ plan: MutationPlan) {
    switch plan.kind {
    case .insert: addInsert(plan)
    case .update: addUpdate(plan)
    case .delete:
      add("DELETE FROM ")
      add(plan.table)
      addWhere(plan.conditions, plan.table)
      addReturning(plan)
    }
  }

  private mutating func addInsert(_ plan: MutationPlan) {
    let merges = plan.conflict?.resolution == .mergeDuplicates
    add("INSERT INTO ")
    add(plan.table)
    if !plan.columns.isEmpty {
      add("(")
      add(plan.columns) { $1.add(identifier: $0.name) }
      add(")")
    }
    add(" ")
    addPayload(plan.columns, plan.payload, .init(selects: true, appliesDefaults: plan.appliesDefaults))
    if plan.isPut || merges {
      add(" WHERE ")
      addInsertedCount(isAdded: true)
    }
    for condition in plan.conditions {
      add(" AND ")
      add(condition, of: QualifiedName("", "pgrst_body"))
    }
    if let conflict = plan.conflict, !conflict.columns.isEmpty {
      add(" ON CONFLICT(")
      add(conflict.columns) { $1.add(identifier: $0) }
      add(") ")
      if conflict.resolution == .ignoreDuplicates || plan.columns.isEmpty {
        add("DO NOTHING")
      } else {
        add("DO UPDATE SET ")
        add(plan.columns) { column, sql in
          sql.add(identifier: column.name)
          sql.add(" = EXCLUDED.")
          sql.add(identifier: column.name)
        }
        add(" WHERE ")
        addInsertedCount(isAdded: false)
      }
    }
    addReturning(plan)
  }

  /// A condition that is always true, and counts the rows that were really inserted on the way: up for each
  /// row that goes in, down for each that turns out to be an update. The privileges of the caller suffice.
  private mutating func addInsertedCount(isAdded: Bool) {
    add(
      "set_config('pgrst.inserted', (coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0) ")
    if isAdded { add("+ 1)::text, true) <> '0'") } else { add("- 1)::text, true) <> '-1'") }
  }

  private mutating func addUpdate(_ plan: MutationPlan) {
    guard !plan.columns.isEmpty else {
      // Nothing to set: no rows, with the columns that the answer asks for.
      add("SELECT ")
      if plan.returning.isEmpty { add("NULL") }
      add(plan.returning) { $1.add(column: $0, of: QualifiedName("", plan.table.name)) }
      add(" FROM ")
      add(plan.table)
      add(" WHERE false")
      return
    }
    add("UPDATE ")
    add(plan.table)
    add(" SET ")
    add(plan.columns) { column, sql in
      sql.add(identifier: column.name)
      sql.add(" = ")
      sql.add(column: column.name, of: QualifiedName("", "pgrst_body"))
    }
    add(" ")
    addPayload(plan.columns, plan.payload, .init(appliesDefaults: plan.appliesDefaults))
    addWhere(plan.conditions, plan.table)
    addReturning(plan)
  }

  private mutating func addWhere(_ conditions: [ResolvedLogic], _ table: QualifiedName) {
    guard !conditions.isEmpty else { return }
    add(" WHERE ")
    add(conditions, separator: " AND ") { $1.add($0, of: table) }
  }

  /// Without an answer nothing is read back, so that no privilege to read is needed.
  private mutating func addReturning(_ plan: MutationPlan) {
    add(" RETURNING ")
    if plan.returning.isEmpty { add("1") }
    add(plan.returning) { $1.add(column: $0, of: plan.table) }
  }

  // MARK: - The body

  struct PayloadForm {
    var selects = false
    var takesOneRow = false
    var appliesDefaults = false
  }

  /// The body as rows of `pgrst_body`. It is bound as it came in; the server takes it apart.
  mutating func addPayload(_ columns: [ResolvedField], _ payload: Payload?, _ form: PayloadForm) {
    let isObject = payload?.isObject ?? false
    if form.selects {
      add("SELECT ")
      add(columns) { $1.add(column: $0.name, of: QualifiedName("", "pgrst_body")) }
      add(" ")
    }
    add("FROM (SELECT ")
    bind(payload.map { .bytes($0.bytes) } ?? .null)
    if form.appliesDefaults { add("::jsonb") } else { add("::json") }
    add(" AS json_data) pgrst_payload, ")
    if form.appliesDefaults { addDefaults(columns, isObject: isObject) }
    add("LATERAL (SELECT ")
    add(columns) { column, sql in
      if let function = column.transform {
        sql.add(trusted: function)
        sql.add("(")
        sql.add(identifier: column.name)
        sql.add(")")
        sql.addAlias(column.name)
      } else {
        sql.add(identifier: column.name)
      }
    }
    add(" FROM ")
    if columns.isEmpty {
      if isObject {
        add("(values(1)) _ ")
      } else {
        if form.appliesDefaults { add("jsonb_array_elements(") } else { add("json_array_elements(") }
        addBody(form)
        add(") _ ")
      }
    } else {
      if form.appliesDefaults { add("jsonb_to_record") } else { add("json_to_record") }
      if isObject { add("(") } else { add("set(") }
      addBody(form)
      add(") AS _(")
      add(columns) { column, sql in
        sql.add(identifier: column.name)
        sql.add(" ")
        sql.add(trusted: column.type)
      }
      add(") ")
      if form.takesOneRow { add("LIMIT 1") }
    }
    add(") pgrst_body ")
  }

  private mutating func addBody(_ form: PayloadForm) {
    if form.appliesDefaults { add("pgrst_json_defs.val") } else { add("pgrst_payload.json_data") }
  }

  private mutating func addDefaults(_ columns: [ResolvedField], isObject: Bool) {
    if isObject { add("LATERAL (SELECT ") } else { add("LATERAL (SELECT jsonb_agg(") }
    add("jsonb_build_object(")
    add(columns.filter { $0.defaultSQL != nil }) { column, sql in
      sql.add(catalogLiteral: column.name)
      sql.add(", ")
      sql.add(trusted: column.defaultSQL ?? "")
    }
    if isObject {
      add(") || pgrst_payload.json_data AS val) pgrst_json_defs, ")
    } else {
      add(") || elem) AS val FROM jsonb_array_elements(pgrst_payload.json_data) elem) pgrst_json_defs, ")
    }
  }
}
