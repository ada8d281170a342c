import Diagnostics

extension Rule {
  static let identifierTooLong = Rule(
    id: "lint.identifier-too-long", severity: .error,
    summary: "an identifier longer than 63 bytes is cut off",
    problem: """
      PostgreSQL keeps 63 bytes of a name and says the rest in a NOTICE. Two long names that differ at the end \
      become one; IF NOT EXISTS and DROP IF EXISTS then meet the wrong object, and whoever looks for the name that \
      was written finds nothing. Letters beyond ASCII take two to four bytes each.
      """,
    solution: "Choose a shorter name.",
    firing: [
      "create table desk (id int);\ncreate index ↓desk_by_floor_and_room_and_owner_and_label_and_colour_and_date_of_purchase on desk (id);",
      "do $$ begin\n  create table ↓\"a long name with blanks that goes on and on and on until it is too long\" (id int);\nend $$;",
      "create table ↓ööööööööööööööööööööööööööööööööö (id int);",
    ],
    quiet: [
      "create table abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabc (id int);",
      "select 'a long text with blanks that goes on and on and on until it is too long for a name';",
      "-- create_index_desk_by_floor_and_room_and_owner_and_label_and_colour_and_date_of_purchase\nselect 1;",
    ]
  ) { chain in
    chain.longNames.map { long in
      Finding(
        site: long.site, message: "this name has \(long.name.utf8.count) bytes, and the server keeps 63",
        detail: "it becomes \(kept(of: long.name))", hint: "choose a shorter name")
    }
  }

  /// As the server cuts: whole characters that fit into 63 bytes.
  private static func kept(of name: String) -> String {
    var kept = ""
    var bytes = 0
    for scalar in name.unicodeScalars {
      bytes += String(scalar).utf8.count
      guard bytes <= ChainReader.longestName else { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept
  }
}
