import Diagnostics

/// One statement of a script, as it is written there.
package struct Statement: Sendable {
  /// The statement's own bytes: from its first key word to its last, without the blanks and comments around
  /// it and without its semicolon.
  package let range: Range<Int>
  /// The bytes of `range` as text.
  package let text: String
  /// Where its first key word stands; the width is 1.
  package let location: SourceLocation
  package let kind: Kind
  /// The comments between the statement before and this one, in their order.
  package let leadingComments: [Range<Int>]
  /// The rows that follow a `COPY … FROM STDIN;`, without the closing `\.` line. Empty where there are none.
  package let copyData: Range<Int>?

  /// What the runner of a script has to know about a statement.
  package enum Kind: Sendable, Hashable {
    /// Runs anywhere.
    case ordinary
    /// `COPY … FROM STDIN`: its rows are ``Statement/copyData``.
    case copyFromStdin
    /// Begins, ends or marks a transaction.
    case transaction(TransactionControl)
    /// The server refuses it inside a transaction block.
    case outsideTransaction(OutsideTransaction)
  }

  package var control: TransactionControl? {
    if case .transaction(let control) = kind { control } else { nil }
  }

  /// Why the statement can't run in a transaction block; nil where it can.
  package var outsideTransaction: OutsideTransaction? {
    if case .outsideTransaction(let why) = kind { why } else { nil }
  }
}

/// A statement that controls transactions.
package enum TransactionControl: String, Sendable, Hashable {
  case begin, commit, rollback, savepoint
  case releaseSavepoint = "release savepoint"
  case rollbackToSavepoint = "rollback to savepoint"
  case prepareTransaction = "prepare transaction"

  /// Whether it opens or ends a transaction; the savepoint statements stay inside one.
  package var isBoundary: Bool {
    switch self {
    case .begin, .commit, .rollback, .prepareTransaction: true
    case .savepoint, .releaseSavepoint, .rollbackToSavepoint: false
    }
  }
}

/// A statement PostgreSQL refuses inside a transaction block.
package enum OutsideTransaction: Sendable, Hashable {
  /// CREATE INDEX CONCURRENTLY: a broken try leaves an INVALID index of this name behind.
  case createIndexConcurrently(ConcurrentIndex)
  /// Any other, by the words a user would look for (`vacuum`, `drop index concurrently`).
  case other(String)

  /// The statement's name in lower-case words.
  package var name: String {
    switch self {
    case .createIndexConcurrently: "create index concurrently"
    case .other(let name): name
    }
  }
}

/// What a CREATE INDEX CONCURRENTLY will be called.
package struct ConcurrentIndex: Sendable, Hashable {
  /// The index's own name; nil where the server chooses it.
  package let name: String?
  /// The table's schema, which is the index's; nil where the search path decides.
  package let schema: String?
  package let table: String
  package let ifNotExists: Bool

  package init(name: String?, schema: String?, table: String, ifNotExists: Bool) {
    self.name = name
    self.schema = schema
    self.table = table
    self.ifNotExists = ifNotExists
  }
}
