import Diagnostics
import SQLSyntax

/// Looks through migrations for statements that succeed without doing what they say.
package enum Linter {
  /// Every rule, in the order of their pages.
  package static let rules: [Rule] = [
    .alterIfExists, .bucketUnasserted, .dropIfExists, .equalsNull, .grantWithoutRevoke, .guardedCreate,
    .identifierTooLong,
    .ifNotExists, .insertWhereNotExists, .lostColumn, .lostViewOption, .mergeDoNothing, .notValid,
    .onConflictDoNothing, .policyWithoutRLS, .replaceDefiner, .replacesNothing, .revokeWithoutEffect,
    .ruleDoNothing, .swallowedException,
  ]

  /// Judges a whole chain.
  ///
  /// - Parameters:
  ///   - files: Every migration, oldest first. The order matters: a later file may put an earlier one right.
  ///   - rules: The rules to apply.
  ///   - isReported: Says of which files findings are wanted. The others are still read as the chain's past and
  ///     future, for instance the ones that are applied and can't be changed any more.
  /// - Returns: The findings by file and place. Errors and warnings are findings; notes (`lint.not-assessed`)
  ///   say what could not be judged.
  package static func lint(
    _ files: [SourceFile], rules: [Rule] = rules, isReported: (SourceFile) -> Bool = { _ in true }
  ) -> [Diagnostic] {
    let chain = Chain(files.map(Script.parse))
    var allowances = Allowances(chain, rules: rules.map(\.id))
    var found: [(site: Site, diagnostic: Diagnostic)] = []
    for rule in rules {
      for finding in rule.check(chain) where !allowances.allow(rule.id, at: finding.site) {
        found.append((finding.site, finding.diagnostic(of: rule, in: chain)))
      }
    }
    found += allowances.findings()
    found += notAssessed(chain)
    return
      found
      .filter { isReported(chain.scripts[$0.site.file].file) }
      .sorted {
        ($0.site.file, $0.site.offset, $0.diagnostic.code) < (
          $1.site.file, $1.site.offset, $1.diagnostic.code
        )
      }
      .map(\.diagnostic)
  }

  /// One note a file: which statements no rule has looked into.
  private static func notAssessed(_ chain: Chain) -> [(Site, Diagnostic)] {
    Dictionary(grouping: chain.unread, by: \.site.file).map { file, unread in
      let script = chain.scripts[file]
      func lines(_ isDynamic: Bool) -> String {
        var seen: Set<Int> = []
        return unread.filter { $0.isDynamic == isDynamic }.map { script.line(byte: $0.site.offset) }
          .filter { seen.insert($0).inserted }.map(String.init).joined(separator: ", ")
      }
      let details = [
        ("the built-in grammar (PostgreSQL 15) does not cover what begins on line", lines(false)),
        ("text is put together at run time on line", lines(true)),
      ]
      return (
        unread[0].site,
        Diagnostic(
          "lint.not-assessed",
          "\(unread.count == 1 ? "a statement was" : "\(unread.count) statements were") not assessed",
          detail: details.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" }.joined(separator: "\n"),
          hint: "look at it yourself; the rules have passed over it",
          at: script.location(byte: unread[0].site.offset), severity: .note)
      )
    }
  }
}

extension Finding {
  fileprivate func diagnostic(of rule: Rule, in chain: Chain) -> Diagnostic {
    let script = chain.scripts[site.file]
    return Diagnostic(
      rule.id, message, detail: detail, hint: hint,
      at: script.location(byte: site.offset, length: max(width, word(in: script))),
      severity: severity ?? rule.severity)
  }

  /// The length of the word at the place, so that the caret covers it.
  private func word(in script: Script) -> Int {
    var lexer = Lexer(script.source, in: site.offset..<min(site.offset + 200, script.source.bytes.count))
    guard let token = lexer.next(), token.kind == .word || token.kind == .quotedIdentifier else { return 1 }
    return token.range.count
  }
}
