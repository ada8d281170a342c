import Diagnostics
import JSONValues

/// Where in a token's claims the role stands: `.role`, `."https://x/role"[0]`, `.roles[?(@ == "editor")]`.
struct RoleClaimPath: Sendable {
  private enum Step {
    case key(String)
    case index(Int)
    case filter(Comparison, String)
  }

  private enum Comparison: String, CaseIterable {
    // The longer ones first: reading takes the first that fits.
    case endsWith = "==^"
    case startsWith = "^=="
    case contains = "*=="
    case equals = "=="
    case differs = "!="
  }

  private let steps: [Step]

  /// - Throws: ``RoleClaimPathError``.
  init(_ text: String) throws {
    var rest = Substring(text)
    var steps: [Step] = []
    func fail() -> RoleClaimPathError { RoleClaimPathError(path: text) }
    func quoted() throws -> String {
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { throw fail() }
      defer { rest = rest[rest.index(after: end)...] }
      return String(rest[rest.index(after: rest.startIndex)..<end])
    }
    while let first = rest.first {
      if case .filter = steps.last { throw fail() }
      if first == "." {
        rest = rest.dropFirst()
        if rest.first == "\"" {
          steps.append(.key(try quoted()))
          continue
        }
        let name = rest.prefix { $0.isLetter || $0.isNumber || "_$@".contains($0) }
        guard !name.isEmpty else { throw fail() }
        steps.append(.key(String(name)))
        rest = rest.dropFirst(name.count)
      } else if rest.hasPrefix("[?(@") {
        rest = rest.dropFirst(4).drop { $0.isWhitespace }
        guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
          throw fail()
        }
        rest = rest.dropFirst(comparison.rawValue.count).drop { $0.isWhitespace }
        steps.append(.filter(comparison, try quoted()))
        guard rest.hasPrefix(")]") else { throw fail() }
        rest = rest.dropFirst(2)
      } else if first == "[", let end = rest.firstIndex(of: "]"), let index = Int(rest.dropFirst()[..<end]) {
        steps.append(.index(index))
        rest = rest[rest.index(after: end)...]
      } else {
        throw fail()
      }
    }
    guard !steps.isEmpty else { throw fail() }
    self.steps = steps
  }

  func value(in claims: JSON) -> JSON? {
    var value: JSON? = claims
    for step in steps {
      switch step {
      case .key(let key): value = value?.members?.last { $0.key == key }?.value
      case .index(let index):
        let items = value?.array ?? []
        value = items.indices.contains(index) ? items[index] : nil
      case .filter(let comparison, let text):
        value = value?.array?.first { item in item.string.map { matches($0, comparison, text) } ?? false }
      }
    }
    return value
  }

  private func matches(_ item: String, _ comparison: Comparison, _ text: String) -> Bool {
    switch comparison {
    case .equals: item == text
    case .differs: item != text
    case .startsWith: item.hasPrefix(text)
    case .endsWith: item.hasSuffix(text)
    case .contains: text.isEmpty || item.contains(text)
    }
  }
}

/// A role claim path that cannot be read.
struct RoleClaimPathError: Diagnosable, Equatable {
  let path: String

  var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        "rest.role-claim", "the role claim path cannot be read", detail: path,
        hint: "write it like .role or .app_metadata.role")
    ]
  }
}
