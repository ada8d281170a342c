import Postgres

// Function calls as SQL.

extension StatementText {
  mutating func add(_ plan: CallPlan) {
    let isScalar = plan.routine.returnsScalar || plan.routine.returnsSetOfScalar
    add("SELECT ")
    if isScalar { add("pgrst_call.pgrst_scalar") } else { addReturned(plan) }
    add(" ")
    if plan.takesWholeBody {
      add("FROM ")
      addCall(plan, isScalar) { sql in
        let type = plan.parameters[0].type
        sql.bind(type == "bytea" ? .binary(plan.wholeBody) : .bytes(plan.wholeBody))
        sql.add("::")
        sql.add(trusted: type)
      }
      return
    }
    guard !plan.parameters.isEmpty else {
      add("FROM ")
      addCall(plan, isScalar) { _ in }
      return
    }
    switch plan.arguments {
    case .direct(let arguments):
      add("FROM ")
      addCall(plan, isScalar) { sql in
        sql.add(plan.parameters) { parameter, sql in
          sql.addName(of: parameter)
          switch arguments[parameter.name] {
          case .fixed(let value): sql.bind(value)
          case .variadic(let values): sql.bind(Self.arrayLiteral(values))
          case nil: sql.add("NULL")
          }
          sql.add("::")
          sql.add(trusted: parameter.castType)
        }
      }
    case .json(let payload):
      let columns = plan.parameters.map { ResolvedField(name: $0.name, type: $0.castType) }
      addPayload(columns, payload, .init(takesOneRow: true))
      add(", LATERAL ")
      addCall(plan, isScalar) { sql in
        sql.add(plan.parameters) { parameter, sql in
          sql.addName(of: parameter)
          sql.add("pgrst_body.")
          sql.add(identifier: parameter.name)
        }
      }
    }
  }

  private mutating func addName(of parameter: Routine.Parameter) {
    if parameter.isVariadic { add("VARIADIC ") }
    add(identifier: parameter.name)
    add(" := ")
  }

  private mutating func addCall(
    _ plan: CallPlan, _ isScalar: Bool, _ arguments: (inout StatementText) -> Void
  ) {
    if isScalar { add("(SELECT ") }
    add(plan.routine.name)
    add("(")
    arguments(&self)
    add(")")
    if isScalar { add(" pgrst_scalar)") }
    add(" pgrst_call")
  }

  /// The columns that the answer needs and those that its filters look at.
  private mutating func addReturned(_ plan: CallPlan) {
    let call = QualifiedName("", "pgrst_call")
    if plan.returning.isEmpty {
      add("*")
    } else if plan.returning == ["*"] {
      add(column: "*", of: call)
    } else {
      add(Set(plan.returning + plan.filterColumns).sorted()) { $1.add(column: $0, of: call) }
    }
  }
}
