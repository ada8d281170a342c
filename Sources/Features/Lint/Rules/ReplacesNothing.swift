import Diagnostics
import JSONValues

extension Rule {
  static let replacesNothing = Rule(
    id: "lint.replaces-nothing", severity: .warning,
    summary: "CREATE OR REPLACE FUNCTION with other arguments makes a second function beside the old one",
    problem: """
      A function is known by its name and the types of its arguments. With another list, OR REPLACE replaces \
      nothing: the old function stays, with its body and its grants, and whoever calls it the old way still gets \
      it. Through the API, a call that fits both fails.
      """,
    solution:
      "Drop the old one first, naming its arguments, and write CREATE FUNCTION; or add the argument and drop the old one after.",
    firing: [
      [
        "create function price(n int) returns int language sql as 'select n';",
        "↓create or replace function public.price(n int, tax int default 0) returns int language sql as 'select n';",
      ]
    ],
    quiet: [
      [
        "create function price(n int) returns int language sql as 'select n';",
        "create or replace function price(m int) returns int language sql as 'select 1';",
      ],
      [
        "create function price(n int) returns int language sql as 'select n';",
        "drop function price(int);\ncreate or replace function price(n int, tax int) returns int language sql as 'select n';",
      ],
      [
        "create function price(n int) returns int language sql as 'select n';",
        "create or replace function price(n int, tax int) returns int language sql as 'select n';\ndrop function price(int);",
      ],
      [
        "create function price(n int) returns int language sql as 'select n';",
        "create function price(n text) returns int language sql as 'select 1';",
      ],
      """
      create or replace function price(n int) returns int language sql as 'select n';
      create or replace function price(n text) returns int language sql as 'select 1';
      """,
    ]
  ) { chain in
    var known: [ObjectName: Set<[String]>] = [:]
    // Two in one file are meant: so a dump writes overloads.
    var ofFile: (file: Int, names: Set<ObjectName>) = (0, [])
    var open: [(name: ObjectName, old: Set<[String]>, finding: Finding)] = []
    for step in chain.steps where chain.runsWhileMigrating(step.context) && !step.isDynamic {
      if step.type == "DropStmt" {
        for object in (step.fields["objects"]?.array ?? []).compactMap({ $0["ObjectWithArgs"] }) {
          guard let name = ObjectName(names: object["objname"]?.array)?.qualified else { continue }
          // Without arguments, a drop names the only one there is.
          let arguments =
            object["args_unspecified"]?.bool == true ? nil : types((object["objargs"]?.array ?? []))
          known[name] = arguments.map { (known[name] ?? []).subtracting([$0]) } ?? []
          open.removeAll { $0.name == name && (arguments.map($0.old.contains) ?? true) }
        }
      }
      if step.type == "RenameStmt" || step.type == "AlterObjectSchemaStmt",
        let name = ObjectName(names: step.fields["object"]?["ObjectWithArgs"]?["objname"]?.array)?.qualified
      {
        known[name] = nil
      }
      guard step.type == "CreateFunctionStmt",
        let name = ObjectName(names: step.fields["funcname"]?.array)?.qualified
      else { continue }
      let arguments = inputs(step.fields)
      if ofFile.file != step.file { ofFile = (step.file, []) }
      let isBeside = !ofFile.names.insert(name).inserted
      let others = known[name] ?? []
      if step.flag("replace"), !isBeside, !others.isEmpty, !others.contains(arguments) {
        let finding = Finding(
          site: step.site, message: "this replaces nothing: \(name) has other arguments and stays beside it",
          detail: "known are "
            + others.map { "\(name)(\($0.joined(separator: ", ")))" }.sorted().joined(separator: ", "),
          hint: "drop the old one, naming its arguments")
        open.append((name, others, finding))
      }
      known[name, default: []].insert(arguments)
    }
    return open.map(\.finding)
  }

  /// The types that tell one function from another: those of what goes in.
  private static func inputs(_ function: JSON) -> [String] {
    let parameters = (function["parameters"]?.array ?? []).compactMap { $0["FunctionParameter"] }
    return types(
      parameters.filter { !["FUNC_PARAM_OUT", "FUNC_PARAM_TABLE"].contains($0["mode"]?.string) }
        .map { $0["argType"] ?? .null })
  }

  private static func types(_ nodes: [JSON]) -> [String] {
    nodes.map { node in
      let type = node["TypeName"] ?? node
      // The last part alone: a type may be written with its schema in one place and without it in another.
      let name = (type["names"]?.array ?? []).last?.nodeString ?? ""
      return name + String(repeating: "[]", count: type["arrayBounds"]?.array?.count ?? 0)
    }
  }
}
