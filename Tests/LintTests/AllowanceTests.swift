import Diagnostics
import Lint
import Testing

struct AllowanceTests {
  private func found(_ text: String) -> [String] {
    Linter.lint(migrations([text])).map { "\($0.location?.line ?? 0) \($0.code)" }
  }

  @Test func `allows what follows the comment, and nothing after that`() {
    #expect(
      found(
        """
        -- nomdev: allow lint.if-not-exists because hosted got it by hand
        -- in May, see the log
        create table if not exists a (
          b int);
        create table if not exists c (b int);
        """) == ["5 lint.if-not-exists"])
  }

  @Test func `allows on the line of the code before the comment`() {
    #expect(
      found(
        """
        alter table a
          add column if not exists b int, -- nomdev: allow lint.if-not-exists because hosted has it
          add column if not exists c int;
        """) == ["3 lint.if-not-exists"])
  }

  @Test func `allows inside a body, and a whole body from above`() {
    #expect(
      found(
        """
        do $$ begin
          -- nomdev: allow lint.if-not-exists because hosted has it
          create table if not exists a (b int);
          create table if not exists c (b int);
        end $$;
        -- nomdev: allow lint.if-not-exists because hosted has them
        do $$ begin
          create table if not exists a (b int);
          create table if not exists c (b int);
        end $$;
        """) == ["4 lint.if-not-exists"])
  }

  @Test func `asks for a reason`() {
    let found = Linter.lint(
      migrations(["-- nomdev: allow lint.if-not-exists\ncreate table if not exists a (b int);"]))

    #expect(found.map(\.code) == ["lint.allow-without-reason", "lint.if-not-exists"])
    #expect(found.map(\.severity) == [.error, .error])
  }

  @Test func `tells when a comment allows nothing, or a rule that doesn't exist`() {
    #expect(
      found(
        """
        -- nomdev: allow lint.if-not-exists because it was so
        create table a (b int);
        -- nomdev: allow lint.if-not-exist because it was so
        create table b (b int);
        -- nomdev: alow lint.if-not-exists
        create table c (b int);
        """) == ["1 lint.stale-allow", "3 lint.directive", "5 lint.directive"])
  }
}
