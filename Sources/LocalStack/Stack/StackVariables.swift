/// The shell variables of a stack, with the names `supabase status -o env` gives them.
package enum StackVariables {
  /// Those of the parts that exist. The API's come with the API.
  package static func all(_ status: StackStatus) -> [(name: String, value: String)] {
    [("DB_URL", status.databaseURL)]
  }

  /// `NAME="value"` a line, to be read by a shell.
  package static func shell(_ status: StackStatus) -> String {
    all(status).map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: "\n")
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value {
      if "\\\"$`".contains(character) { text.append("\\") }
      text.append(character)
    }
    return text
  }
}
