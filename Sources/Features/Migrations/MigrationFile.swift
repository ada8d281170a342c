import Diagnostics
import Tokens

/// One file of a migrations folder: `<digits>_<name>.sql`.
package struct MigrationFile: Sendable, Hashable {
  /// The digits before the first underscore, compared as text and never as a number.
  package let version: String
  /// What follows the version in the file's name, without `.sql`.
  package let name: String
  /// The path as the user knows it, and the text without a byte order mark.
  package let source: SourceFile

  package init(version: String, name: String, source: SourceFile) {
    self.version = version
    self.name = name
    self.source = source
  }

  package var fileName: String { "\(version)_\(name).sql" }

  /// sha256 of the text, in hex. Line ends are counted as LF, so that a checkout on Windows is the same file.
  package var checksum: String { Digest.sha256(Array(source.text.withUnixLineEnds.utf8)) }

  /// Reads a file name by the platform's rule; nil for any other name.
  package static func parse(fileName: String) -> (version: String, name: String)? {
    guard fileName.hasSuffix(".sql") else { return nil }
    let stem = fileName.dropLast(4)
    guard let underscore = stem.firstIndex(of: "_") else { return nil }
    let version = stem[..<underscore]
    guard !version.isEmpty, version.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return (String(version), String(stem[stem.index(after: underscore)...]))
  }
}

extension String {
  /// With every CR LF as LF.
  package var withUnixLineEnds: String {
    guard utf8.contains(UInt8(ascii: "\r")) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var previousWasReturn = false
    for byte in utf8 {
      if byte == UInt8(ascii: "\n"), previousWasReturn { bytes.removeLast() }
      bytes.append(byte)
      previousWasReturn = byte == UInt8(ascii: "\r")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
