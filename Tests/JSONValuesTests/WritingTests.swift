import JSONValues
import Testing

@Suite struct WritingTests {
  private let value: JSON = [
    "name": "Grüße \"you\"\\\n\u{1}\u{1F}", "list": [1, 2.asNumber, .null], "none": [], "empty": [:],
    "on": true,
  ]

  @Test func `writes on one line`() {
    #expect(
      value.text()
        == #"{"name":"Grüße \"you\"\\\n\u0001\u001f","list":[1,2.50,null],"none":[],"empty":{},"on":true}"#)
  }

  @Test func `indents by two spaces`() {
    #expect(
      value.text(pretty: true) == """
        {
          "name": "Grüße \\"you\\"\\\\\\n\\u0001\\u001f",
          "list": [
            1,
            2.50,
            null
          ],
          "none": [],
          "empty": {},
          "on": true
        }
        """)
  }

  @Test(arguments: [true, false]) func `reads back what it wrote`(pretty: Bool) throws {
    #expect(try JSON(parsing: value.text(pretty: pretty)) == value)
    #expect(try JSON(parsing: value.bytes(pretty: pretty)) == value)
  }
}

extension Int {
  /// A number with trailing zeros, which must survive.
  fileprivate var asNumber: JSON { .number("\(self).50") }
}
