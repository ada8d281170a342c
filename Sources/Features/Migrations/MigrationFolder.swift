import Diagnostics

/// The files of a migrations folder in the order they are applied, with everything worth a word about them.
package struct MigrationFolder: Sendable {
  /// The folder as the user named it.
  package let path: String
  /// In file-name order, byte by byte, as the platform's own tool sorts them.
  package let files: [MigrationFile]
  package let warnings: [Diagnostic]

  /// A file as it lies in the folder, before its name and bytes were looked at.
  package struct Entry: Sendable {
    package let fileName: String
    package let bytes: [UInt8]

    package init(fileName: String, bytes: [UInt8]) {
      self.fileName = fileName
      self.bytes = bytes
    }
  }

  /// Judges the entries of a folder. Nothing is run when one of them is wrong.
  ///
  /// - Throws: A ``DiagnosticList`` with every problem of the folder: two files of one version, bytes that
  ///   are not UTF-8, NUL.
  package init(path: String, entries: [Entry]) throws {
    var files: [MigrationFile] = []
    var warnings: [Diagnostic] = []
    var problems: [Diagnostic] = []
    for entry in entries.sorted(by: { $0.fileName.precedesBytewise($1.fileName) }) {
      let path = path.isEmpty || path == "." ? entry.fileName : "\(path)/\(entry.fileName)"
      guard let (version, name) = MigrationFile.parse(fileName: entry.fileName) else {
        if entry.fileName.hasSuffix(".sql") { warnings.append(.misnamed(path)) }
        continue
      }
      var bytes = entry.bytes[...]
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        bytes = bytes.dropFirst(3)
        warnings.append(.byteOrderMark(path))
      }
      guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
        problems.append(.undecodable(path, bytes))
        continue
      }
      files.append(.init(version: version, name: name, source: SourceFile(path: path, text: text)))
    }
    if let first = files.first, first.isLegacyInit {
      warnings.append(.legacyInit(first.source.path))
      files.removeFirst()
    }
    problems += Self.duplicates(in: files)
    guard problems.isEmpty else { throw DiagnosticList(problems) }
    self.path = path
    self.files = files
    self.warnings = warnings
  }

  private init(path: String, files: [MigrationFile]) {
    self.path = path
    self.files = files
    warnings = []
  }

  /// The same folder with these files alone, judged already.
  package func holding(_ files: [MigrationFile]) -> MigrationFolder {
    MigrationFolder(path: path, files: files)
  }

  private static func duplicates(in files: [MigrationFile]) -> [Diagnostic] {
    var first: [String: MigrationFile] = [:]
    var problems: [Diagnostic] = []
    for file in files {
      if let other = first[file.version] {
        problems.append(.duplicate(file, other))
      } else {
        first[file.version] = file
      }
    }
    return problems
  }
}

extension MigrationFile {
  /// The platform's own tool once wrote a dump of the platform under this name; it skips it, and so do we.
  fileprivate var isLegacyInit: Bool {
    version.utf8.count == 14 && version < "20211209000000" && name == "init"
  }
}

extension String {
  /// Byte order, which neither locale nor Unicode normalisation changes.
  package func precedesBytewise(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension Diagnostic {
  fileprivate static func misnamed(_ path: String) -> Diagnostic {
    Diagnostic(
      "migrate.file-name", "\(path) is not run: its name is not <digits>_<name>.sql",
      hint: "rename it, or move it out of the folder", severity: .warning)
  }

  fileprivate static func byteOrderMark(_ path: String) -> Diagnostic {
    Diagnostic(
      "migrate.byte-order-mark", "\(path) begins with a byte order mark, which is left out",
      hint: "save it as UTF-8 without BOM: other tools send it to the server as a syntax error",
      severity: .warning)
  }

  fileprivate static func legacyInit(_ path: String) -> Diagnostic {
    Diagnostic(
      "migrate.legacy-init", "\(path) is not run: it is the old dump of the platform's own objects",
      hint: "rename it if it is a migration of yours", severity: .warning)
  }

  fileprivate static func undecodable(_ path: String, _ bytes: ArraySlice<UInt8>) -> Diagnostic {
    if let zero = bytes.firstIndex(of: 0) {
      return Diagnostic(
        "migrate.encoding", "\(path) holds a NUL byte at offset \(zero)",
        hint: "save it as UTF-8; UTF-16 files look like this")
    }
    let valid = String(decoding: bytes, as: UTF8.self)
    let line = valid.prefix { $0 != "\u{FFFD}" }.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    return Diagnostic(
      "migrate.encoding", "\(path):\(line) is not UTF-8",
      hint: "convert the file, for instance: iconv -f latin1 -t utf-8")
  }

  fileprivate static func duplicate(_ file: MigrationFile, _ other: MigrationFile) -> Diagnostic {
    Diagnostic(
      "migrate.duplicate-version", "version \(file.version) is used by two files",
      detail: "\(other.source.path)\n\(file.source.path)",
      hint: "give the later one a version of its own")
  }
}
