import Arguments
import Testing

@Suite struct ManPageTests {
  private let page = Fixture.root.manPage(date: "2026-11-30", source: "tool 1.0")

  @Test(arguments: [("groff", ["-man", "-ww", "-z"]), ("mandoc", ["-T", "lint", "-W", "warning"])])
  func `gives the formatters nothing to complain of`(program: String, flags: [String]) throws {
    guard let formatter = Shells.find(program) else { return }

    #expect(try Shells.run(formatter, flags, input: page) == "")
  }

  @Test func `lists what is not hidden`() {
    #expect(page.contains(#".SS "tool migrate status""#))
    #expect(page.contains(#"\fB\-\-lock\-timeout <duration>\fR"#))
    #expect(page.contains(#"\fBTOOL_LOCK_TIMEOUT\fR"#))
    #expect(page.contains("\n.nf\n  a line that is kept   as it is\n.fi\n"))
    #expect(!page.contains("inner"))
    #expect(!page.contains("secret"))
  }

  @Test func `does not let text become a request`() {
    let tricky = CommandSpec<Void>("tool", abstract: "Do.", discussion: ".TH \\fB 'x'\n'so it is")

    let page = tricky.manPage(date: "2026-11-30", source: "tool 1.0")

    #expect(page.contains("\\&.TH \\efB \\(aqx\\(aq\n\\&\\(aqso it is\n"))
  }
}
