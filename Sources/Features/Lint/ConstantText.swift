import Diagnostics
import JSONValues
import SQLSyntax

/// The text an EXECUTE runs, as far as it can be read from the source: `'…'`, `format('…', …)`, `'…' || x`.
/// What is only known at run time stands as a placeholder that is fit to be a name.
struct ConstantText {
  let sql: String
  /// Whether the expression is one plain literal.
  let isWhole: Bool

  private static let placeholder = "_"

  /// - Parameter expression: An SQL expression.
  /// - Returns: Nil where no part of it is a literal.
  init?(expression: String) {
    let script = Script.parse(SourceFile(path: "", text: "select " + expression))
    guard let tree = script.trees().first ?? nil,
      let value = tree.content?.fields["targetList"]?.array?.first?["ResTarget"]?["val"]
    else { return nil }
    var known = false
    sql = Self.text(value, &known)
    guard known else { return nil }
    isWhole = value["A_Const"] != nil
  }

  private static func text(_ node: JSON, _ known: inout Bool) -> String {
    if let constant = node["A_Const"]?["sval"]?["sval"]?.string {
      known = true
      return constant
    }
    if let cast = node["TypeCast"]?["arg"] { return text(cast, &known) }
    if let operation = node["A_Expr"], operation["name"]?.array?.first?["String"]?["sval"]?.string == "||",
      let left = operation["lexpr"], let right = operation["rexpr"]
    {
      return text(left, &known) + text(right, &known)
    }
    if let call = node["FuncCall"], let name = call["funcname"]?.array?.last?["String"]?["sval"]?.string {
      switch name {
      case "format": return call["args"]?.array?.first.map { filled(text($0, &known)) } ?? placeholder
      case "quote_literal", "quote_nullable": return "'\(placeholder)'"
      default: break
      }
    }
    return placeholder
  }

  /// `%I`, `%s` and `%L` with placeholders in their stead.
  private static func filled(_ format: String) -> String {
    var result = ""
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      rest = rest[rest.index(after: percent)...].drop { $0.isNumber || $0 == "$" || $0 == "-" }
      switch rest.first {
      case "%": result += "%"
      case "L": result += "'\(placeholder)'"
      default: result += placeholder
      }
      rest = rest.dropFirst()
    }
    return result + rest
  }
}
