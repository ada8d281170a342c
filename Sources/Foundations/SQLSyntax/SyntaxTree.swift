import JSONValues

/// A statement's parse tree, as libpg_query writes it: `{"CreateStmt": {…}}`.
package struct SyntaxTree: Sendable {
  package let node: JSON
  /// What to add to a node's `location` to get a byte offset in the text the statement stands in.
  package let base: Int

  /// The node's type and its fields.
  package var content: (type: String, fields: JSON)? {
    node.members?.first.map { ($0.key, $0.value) }
  }
}

extension Script {
  /// Each statement's parse tree, in the order of ``statements``; nil where the grammar does not know the
  /// statement or it nests too deeply. Made anew by each call, so keep the result.
  package func trees() -> [SyntaxTree?] {
    if case .postgres = parser, nesting.allSatisfy({ $0 <= Grammar.deepest }),
      case .success(let nodes) = Grammar.trees(sql.bytes), nodes.count == statements.count
    {
      return nodes.map { SyntaxTree(node: $0, base: 0) }
    }
    return zip(statements, nesting).map { statement, nesting in
      guard nesting <= Grammar.deepest else { return nil }
      let bytes = Array(sql.bytes[statement.range])
      guard case .success(let nodes) = Grammar.trees(bytes), nodes.count == 1 else { return nil }
      return SyntaxTree(node: nodes[0], base: statement.range.lowerBound)
    }
  }
}
