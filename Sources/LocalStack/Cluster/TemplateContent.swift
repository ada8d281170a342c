import Platform

/// What turns a bare cluster into a Supabase one. A value, so that tests can make templates of their own.
package struct TemplateContent: Sendable {
  package struct Script: Sendable {
    package let name: String
    package let sql: String

    package init(name: String, sql: String) {
      self.name = name
      self.sql = sql
    }
  }

  /// Run in this order as the superuser in the database `postgres`.
  package var scripts: [Script]
  /// Control and script files of the stand-ins for extensions that are not installed.
  package var extensionFiles: [(name: String, text: String)]
  /// Extensions that an ordinary role may create.
  package var trustedExtensions: [String]
  /// Changes whenever any of the others does.
  package var digest: String

  package init(
    scripts: [Script], extensionFiles: [(name: String, text: String)] = [],
    trustedExtensions: [String] = [], digest: String
  ) {
    self.scripts = scripts
    self.extensionFiles = extensionFiles
    self.trustedExtensions = trustedExtensions
    self.digest = digest
  }

  /// The platform as nomdev ships it.
  package static let platform = TemplateContent(
    scripts: Platform.scripts.map { Script(name: $0.name, sql: $0.sql) },
    extensionFiles: Platform.extensionFiles.map { ($0.name, $0.text) },
    trustedExtensions: Platform.trustedExtensions, digest: Platform.digest)
}
