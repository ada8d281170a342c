/// The version of this build, as CHANGELOG.md names it.
let nomdevVersion = "0.1.0"

/// The day of that version's entry in CHANGELOG.md.
let nomdevReleaseDate = "2026-11-30"
