import Diagnostics
import Testing

@Suite struct SourceFileTests {
  private let file = SourceFile(path: "a/b.sql", text: "é1\r\n日本 x\n\nlast")

  @Test(arguments: [
    (0, 1, 1), (2, 1, 2), (5, 2, 1), (12, 2, 4), (14, 3, 1), (15, 4, 1), (19, 4, 5), (99, 4, 5),
  ])
  func `places a byte offset`(byte: Int, line: Int, column: Int) {
    let place = file.location(byte: byte)

    #expect([place.line, place.column] == [line, column])
  }

  @Test(arguments: [
    (0, 1, 1), (1, 1, 2), (4, 2, 1), (7, 2, 4), (9, 3, 1), (10, 4, 1), (14, 4, 5), (99, 4, 5),
  ])
  func `places a character offset as the server counts`(scalar: Int, line: Int, column: Int) {
    let place = file.location(scalar: scalar)

    #expect([place.line, place.column] == [line, column])
  }

  @Test func `gives lines without their ends`() {
    #expect((0...6).map(file.line) == [nil, "é1", "日本 x", "", "last", nil, nil])
    #expect(SourceFile(path: "a", text: "x\n").line(2) == "")
    #expect(SourceFile(path: "a", text: "").line(1) == "")
  }

  @Test func `counts a byte length in characters and stops at the end of the line`() {
    #expect(file.location(byte: 5, length: 6).width == 2)
    #expect(file.location(byte: 5, length: 50).width == 4)
    #expect(file.location(byte: 14).width == 1)
  }

  @Test func `knows its name`() {
    #expect(file.name == "b.sql")
  }
}
