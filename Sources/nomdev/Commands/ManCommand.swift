import Arguments
import Diagnostics

extension CommandTable {
  static let man: Command = Command(
    "man", abstract: "Print the manual page, as roff.",
    examples: [
      Example("nomdev man > /usr/local/share/man/man1/nomdev.1", "Install the page."),
      Example("nomdev man | man -l -", "Read it now."),
    ]
  ) { _, console in
    try console.write(root.manPage(date: ToolVersion.releaseDate, source: "nomdev \(ToolVersion.current)"))
    return .success
  }
}
