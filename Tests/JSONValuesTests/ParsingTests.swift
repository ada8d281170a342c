import JSONValues
import Testing

@Suite struct ParsingTests {
  private static let readable: [(String, JSON)] = [
    ("null", JSON.null), (" true ", true), ("false", false), ("0", 0), ("-12", -12),
    ("1.50e+3", .number("1.50e+3")), ("12345678901234567890", .number("12345678901234567890")),
    (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\ud83d\ude00""#, "é😀"),
    (#""plain é 😀""#, "plain é 😀"), ("[]", []), ("{}", [:]), ("[1,[2,[]],{}]", [1, [2, []], [:]]),
    ("{\n\t\"b\": 1,\r\n \"a\": [null]}", ["b": 1, "a": [.null]]),
  ]

  @Test(arguments: readable)
  func `reads`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
    #expect(try JSON(parsing: Array(text.utf8)) == value)
    #expect(
      try text.utf8CString.withUnsafeBytes { try JSON(parsing: .init(rebasing: $0.dropLast())) } == value)
  }

  private static let unreadable: [(String, Int, String)] = [
    ("", 0, "the text ends where a value is expected"), ("nul", 0, "expected null"),
    ("1 2", 2, "text after the end of the value"), ("01", 1, "text after the end of the value"),
    ("-", 1, "expected a digit, found the end of the text"), ("1.x", 2, "expected a digit, found 'x'"),
    ("[1,]", 3, "a value can't start with ']'"),
    ("[1", 2, "expected ',' or ']' after an item, found the end of the text"),
    ("{1:2}", 1, "expected a key in double quotes, found '1'"),
    (#"{"a" 1}"#, 5, "expected ':' after a key, found '1'"),
    (#""abc"#, 4, "the text ends inside a string"),
    ("\"a\nb\"", 2, "a control character in a string must be written as an escape"),
    (#""\x""#, 2, "'\\' can't be followed by 'x'"), (#""\ud83d!""#, 1, "half a surrogate pair"),
    (#""\ude00""#, 1, "half a surrogate pair"),
    (#""\u12g4""#, 5, "expected four hexadecimal digits after '\\u', found 'g'"),
    ("\u{FEFF}1", 0, "a value can't start with byte 0xEF"),
  ]

  @Test(arguments: unreadable)
  func `says where a text stops being JSON`(text: String, offset: Int, message: String) {
    #expect(throws: JSONError(offset: offset, message: message)) { try JSON(parsing: text) }
  }

  @Test func `refuses bytes that are not UTF-8`() {
    let broken: [UInt8] = [0x5B, 0x22, 0xC3, 0x28, 0x22, 0x5D]

    #expect(throws: JSONError(offset: 2, message: "a string that is not valid UTF-8")) {
      try JSON(parsing: broken)
    }
  }

  @Test func `bounds the depth instead of overflowing the stack`() throws {
    let deep = String(repeating: "[", count: 100_000)

    #expect(throws: JSONError(offset: 1_000, message: "nested deeper than 1000 levels")) {
      try JSON(parsing: deep)
    }
    #expect(throws: JSONError.self) { try JSON(parsing: "[[[]]]", maximumDepth: 2) }
    #expect(try JSON(parsing: "[[[]]]", maximumDepth: 3) == [[[]]])
  }

  @Test func `takes the first of a repeated key and keeps both`() throws {
    let value = try JSON(parsing: #"{"a":1,"a":2}"#)

    #expect(value["a"] == 1)
    #expect(value["b"] == nil)
    #expect(value.text() == #"{"a":1,"a":2}"#)
  }
}
