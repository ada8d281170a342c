import JSONValues

extension JSON {
  /// Shows every member of every object inside, the outer ones first.
  func walk(_ visit: (_ name: String, _ node: JSON) -> Void) {
    switch self {
    case .object(let members):
      for member in members {
        visit(member.key, member.value)
        member.value.walk(visit)
      }
    case .array(let items):
      for item in items { item.walk(visit) }
    default: break
    }
  }

  /// The statements that stand inside this node and can change something.
  func nestedStatements() -> [(type: String, fields: JSON)] {
    var nested: [(String, JSON)] = []
    walk { name, node in
      if name.hasSuffix("Stmt"), name != "SelectStmt", name.first?.isUppercase == true {
        nested.append((name, node))
      }
    }
    return nested
  }

  /// `{"String": {"sval": …}}`.
  var nodeString: String? { self["String"]?["sval"]?.string }

  /// A constant's text: a string's content, a number's digits.
  var constant: String? {
    let node = self["TypeCast"]?["arg"] ?? self
    guard let value = node["A_Const"] else { return nil }
    return value["sval"]?["sval"]?.string ?? value["ival"].map { String($0["ival"]?.int ?? 0) }
  }

  /// The elements of a node that holds a list, wrapped or not.
  var list: [JSON] { array ?? self["List"]?["items"]?.array ?? [] }
}

/// A name as it is written, its schema only where it is given.
struct ObjectName: Hashable, Sendable, CustomStringConvertible {
  let schema: String?
  let name: String

  init(schema: String?, name: String) {
    self.schema = schema
    self.name = name
  }

  /// From a RangeVar's fields.
  init?(relation: JSON?) {
    guard let name = relation?["relname"]?.string else { return nil }
    self.init(schema: relation?["schemaname"]?.string, name: name)
  }

  /// From a list of String nodes.
  init?(names: [JSON]?) {
    let parts = (names ?? []).compactMap(\.nodeString)
    guard let name = parts.last else { return nil }
    self.init(schema: parts.dropLast().last, name: name)
  }

  /// Names without a schema are taken to be in `public`, where migrations run.
  var qualified: ObjectName { ObjectName(schema: schema ?? "public", name: name) }

  var description: String { schema.map { "\($0).\(name)" } ?? name }
}
