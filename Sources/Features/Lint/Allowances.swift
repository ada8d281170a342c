import Diagnostics
import SQLSyntax

/// The comments that allow findings: `-- nomdev: allow RULE because REASON`.
///
/// One that stands alone on its line allows what is found in the statement that follows, at top level or in a
/// body; one behind code allows what is found on its own line.
struct Allowances {
  private struct Allowance {
    let rules: [String]
    let isAlone: Bool
    let next: Int?
    let line: Int
    let site: Site
    var used: Set<String> = []
  }

  private let chain: Chain
  private let known: [String]
  private var allowances: [Allowance] = []
  private var faults: [(Site, Diagnostic)] = []

  init(_ chain: Chain, rules: [String]) {
    self.chain = chain
    known = rules
    for placed in chain.directives { take(placed) }
  }

  private mutating func take(_ placed: PlacedDirective) {
    let site = Site(file: placed.file, offset: placed.offset, statements: [])
    switch placed.directive.request {
    case .noTransaction: break
    case .unknown(let words):
      fault(
        "lint.directive", "nomdev does not know \"\(words)\"",
        hint: "write -- nomdev: allow RULE because REASON, or -- nomdev: no-transaction", at: site)
    case .allow(let rules):
      for rule in rules where !Linter.rules.contains(where: { $0.id == rule }) {
        fault(
          "lint.directive", "there is no rule \(rule) to allow",
          hint: "copy the rule's id from the finding", at: site)
      }
      guard placed.directive.reason != nil else {
        fault(
          "lint.allow-without-reason", "this comment allows something without saying why",
          hint: "add the reason: -- nomdev: allow \(rules.joined(separator: ", ")) because …", at: site,
          severity: .error)
        return
      }
      allowances.append(
        Allowance(
          rules: rules, isAlone: placed.directive.isAlone, next: placed.next,
          line: chain.scripts[placed.file].line(byte: placed.offset), site: site))
    }
  }

  /// Whether a comment allows the rule here. The comment then counts as needed.
  mutating func allow(_ rule: String, at place: Site) -> Bool {
    let script = chain.scripts[place.file]
    var allowed = false
    for index in allowances.indices {
      let allowance = allowances[index]
      guard allowance.site.file == place.file, allowance.rules.contains(rule) else { continue }
      let line = script.line(byte: place.offset)
      let covers =
        if allowance.isAlone {
          allowance.next.map { place.statements.contains($0) || script.line(byte: $0) == line } ?? false
        } else {
          allowance.line == line
        }
      if covers {
        allowances[index].used.insert(rule)
        allowed = true
      }
    }
    return allowed
  }

  /// What is wrong with the comments themselves. To be asked when every finding has been shown to
  /// ``allow(_:at:)``.
  func findings() -> [(Site, Diagnostic)] {
    var findings = faults
    for allowance in allowances {
      for rule in allowance.rules where known.contains(rule) && !allowance.used.contains(rule) {
        findings.append(
          (
            allowance.site,
            Diagnostic(
              "lint.stale-allow", "nothing here is found by \(rule) any more",
              hint: "delete the comment", at: location(of: allowance.site), severity: .warning)
          ))
      }
    }
    return findings
  }

  private mutating func fault(
    _ code: String, _ message: String, hint: String, at site: Site, severity: Severity = .warning
  ) {
    faults.append((site, Diagnostic(code, message, hint: hint, at: location(of: site), severity: severity)))
  }

  private func location(of site: Site) -> SourceLocation {
    chain.scripts[site.file].location(byte: site.offset, length: 2)
  }
}
