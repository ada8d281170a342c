import CPlatformSQL
import Tokens

/// One file of the platform's SQL.
package struct PlatformScript: Sendable, Hashable {
  /// The file's name, for error messages.
  package let name: String
  package let sql: String
}

/// One file of a stand-in for an extension: a control file or a script, to be laid into the server's folder
/// of extensions.
package struct ExtensionFile: Sendable, Hashable {
  package let name: String
  package let text: String
}

/// What turns a bare PostgreSQL cluster (15 to 18, `supabase_admin` its bootstrap superuser) into a
/// Supabase one. docs/platform.md says what it imitates and where it differs.
package enum Platform {
  /// The scripts in the order of application, each run once, as `supabase_admin`, in the database
  /// `postgres`. Other databases are copies of that one; what a copy lacks is in ``databaseSettings``.
  ///
  /// A script that fails leaves a cluster that is good for nothing: throw it away.
  package static let scripts: [PlatformScript] = files(
    nomdev_platform_scripts_pointer(), nomdev_platform_script_count
  ).map { PlatformScript(name: $0.name, sql: $0.text) }

  /// The stand-ins for extensions the server may lack. One whose control file is there already is not ours
  /// to replace.
  package static let extensionFiles: [ExtensionFile] = files(
    nomdev_extension_files_pointer(), nomdev_extension_file_count
  ).map { ExtensionFile(name: $0.name, text: $0.text) }

  /// Owner, rights and settings of the session's database, as SQL for `supabase_admin`. `create database …
  /// template` does not copy them; running it again changes nothing.
  package static var databaseSettings: String {
    scripts.first { $0.name.hasSuffix("_settings.sql") }?.sql ?? ""
  }

  /// Changes whenever a script, a stand-in or the list of trusted extensions does: what was made of them
  /// can be kept under this name. Hexadecimal, 64 characters.
  package static let digest: String = {
    let parts =
      scripts.flatMap { [$0.name, $0.sql] } + extensionFiles.flatMap { [$0.name, $0.text] }
      + trustedExtensions
    // Lengths keep two lists apart that only differ in where one part ends.
    return Digest.sha256(parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }()

  private static func files(
    _ start: UnsafePointer<nomdev_file>, _ count: Int
  ) -> [(name: String, text: String)] {
    UnsafeBufferPointer(start: start, count: count).map { file in
      let bytes = UnsafeBufferPointer(start: file.bytes, count: file.length)
      return (String(cString: file.name), String(decoding: bytes, as: UTF8.self))
    }
  }
}
