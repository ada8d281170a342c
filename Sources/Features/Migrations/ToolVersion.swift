/// The version of nomdev that is written beside what it applies.
package enum ToolVersion {
  package static let current = "0.1.0"
}
