/// The version of this build, as CHANGELOG.md names it: printed, and written beside what a run applies.
package enum ToolVersion {
  package static let current = "0.1.0"
  /// The day of that version's entry in CHANGELOG.md.
  package static let releaseDate = "2026-11-30"
}
