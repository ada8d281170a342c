import Catalog
import CatalogChanges

/// One file that makes what a chain of migrations left behind.
package struct Baseline: Sendable {
  /// What a run of the chain under one grant profile left, and what there was before it.
  package struct Run: Sendable {
    /// The project's part, with what it needs.
    package let state: Snapshot
    package let pristine: Snapshot
    /// The last values of sequences that were used, by name.
    package let sequences: [String: String]

    package init(state: Snapshot, pristine: Snapshot, sequences: [String: String]) {
      self.state = state
      self.pristine = pristine
      self.sequences = sequences
    }
  }

  package let text: String

  /// - Parameter runs: One for each grant profile. What both need is written once; rights and default privileges
  ///   are written so that each profile ends as its own chain did.
  /// - Parameter versions: The versions folded, oldest first; a database that has them all has this file.
  package init(_ runs: [Run], versions: [String], earlier: [String] = [], origins: OriginFinder) {
    var steps: [Step] = []
    var places: [String: Int] = [:]
    for run in runs {
      for step in Self.plan(run).steps {
        guard let place = places[step.path] else {
          places[step.path] = steps.count
          steps.append(step)
          continue
        }
        for text in step.texts where !steps[place].texts.contains(text) { steps[place].texts.append(text) }
        if step.path.hasSuffix(" rights") || step.entry.kind == .defaultPrivilege {
          steps[place].texts.sort { Self.isRevoke($0) && !Self.isRevoke($1) }
        }
      }
    }
    text = Self.render(steps, runs[0], versions: versions, earlier: earlier, origins: origins)
  }

  private static func isRevoke(_ text: String) -> Bool {
    text.hasPrefix("revoke") || text.contains(" revoke ")
  }

  private static func plan(_ run: Run) -> ChangePlan {
    // What there is before: the platform's side of everything the chain changed.
    let before = run.state.entries.compactMap { entry -> Entry? in
      if entry.isAbsent, entry.kind != .grant { return nil }
      return run.pristine[entry.path]
    }
    let comparison = Comparison(declared: run.state, actual: run.pristine.with(before))
    return ChangePlan(comparison, .init(isCompact: true, base: run.pristine))
  }

  // MARK: - Text

  private static func render(
    _ steps: [Step], _ run: Run, versions: [String], earlier: [String], origins: OriginFinder
  ) -> String {
    var text = """
      -- What \(versions.count) migrations left behind, folded by `nomdev squash` and proven equal.
      -- \(foldMark)\(versions.joined(separator: " "))\(earlier.isEmpty ? "" : "\n-- Folded before: \(earlier.joined(separator: " "))")

      set check_function_bodies = off;

      """
    var section = ""
    var said: Set<String> = []
    for step in steps where !step.texts.allSatisfy(\.isEmpty) {
      let next = Self.section(step)
      if next != section {
        text += "\n-- \(next)\n"
        section = next
      }
      text += "\n"
      if !step.isRemoval, said.insert(step.entry.path).inserted,
        let origin = origins.origin(of: step.entry, in: run.state)
      {
        for comment in origin.comments where said.insert(comment).inserted { text += comment + "\n" }
      }
      text += step.texts.filter { !$0.isEmpty }.map { "\($0);\n" }.joined()
    }
    if !run.sequences.isEmpty {
      text += "\n-- Sequences go on where they were\n\n"
      for (name, value) in run.sequences.sorted(by: { $0.key < $1.key }) {
        text += "select pg_catalog.setval(\(literal(name)), \(value));\n"
      }
    }
    return text + "\nreset check_function_bodies;\n"
  }

  /// What begins the line with the folded versions.
  package static let foldMark = "Folds: "

  private static func literal(_ name: String) -> String {
    "'" + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  private static func section(_ step: Step) -> String {
    if step.isRemoval { return "What the platform brings and the project does not keep" }
    if step.path.hasSuffix(" rights") { return "Rights" }
    switch step.entry.kind {
    case .role, .membership, .setting, .databaseSetting, .database, .parameter: return "Roles and settings"
    case .schema, .extension: return "Schemas and extensions"
    case .defaultPrivilege: return "Default privileges"
    case .collation, .enum, .compositeType, .attribute, .rangeType, .domain, .domainConstraint: return "Types"
    case .function, .procedure, .aggregate, .operator, .cast: return "Functions"
    case .sequence, .table, .foreignTable, .column, .identitySequence:
      return step.path.hasSuffix(" finished") ? "Row level security" : "Tables"
    case .row, .bucket, .cronJob, .secret: return "Rows"
    case .constraint, .index, .statistics: return "Constraints and indexes"
    case .view, .materializedView, .rule: return "Views"
    case .trigger, .eventTrigger: return "Triggers"
    case .policy: return "Row level security"
    case .publication, .publishedTable, .publishedSchema, .subscription: return "Publications"
    default: return "Others"
    }
  }
}
