import Diagnostics
import JSONValues

extension Rule {
  static let swallowedException = Rule(
    id: "lint.swallowed-exception", severity: .error,
    summary: "an exception handler goes on as if nothing had happened",
    problem: """
      EXCEPTION WHEN duplicate_object THEN NULL is IF NOT EXISTS by other means: whatever has the name stays. \
      WHEN OTHERS swallows every error there is, a misspelt column included, and the migration is recorded as \
      applied. A RAISE NOTICE nobody reads does not change that.
      """,
    solution: """
      Leave the handler out: a migration that can't do its work should fail. Where something has to be done first, \
      do it in the handler and raise again, or look for the state beforehand and raise when it is another.
      """,
    firing: [
      "do $$ begin\n  create type mood as enum ('ok');\nexception\n  ↓when duplicate_object then null;\nend $$;",
      "do $$ begin\n  perform 1;\nexception ↓when others then\n  raise notice 'skipped: %', sqlerrm;\nend $$;",
      "do $$ begin\n  begin perform 1; exception ↓when undefined_table or duplicate_table then end;\nend $$;",
      """
      create function on_new_user() returns trigger language plpgsql as $$ begin
        insert into profile values (new.id);
        return new;
      exception ↓when others then
        return new;
      end $$;
      """,
    ],
    quiet: [
      "do $$ begin\n  perform 1;\nexception when others then\n  raise exception 'no: %', sqlerrm;\nend $$;",
      "do $$ begin\n  perform 1;\nexception when others then\n  insert into failed values (sqlerrm);\n  raise;\nend $$;",
      """
      create function as_uuid(t text) returns uuid language plpgsql as $$ begin
        return t::uuid;
      exception when others then
        return null;
      end $$;
      """,
      """
      create function claim(k int) returns boolean language plpgsql as $$ begin
        insert into claim values (k);
        return true;
      exception when unique_violation then
        return false;
      end $$;
      """,
    ]
  ) { chain in
    chain.handlers.compactMap { handler in
      let action = Action(handler.action)
      let atOnce = chain.runsWhileMigrating(handler.context)
      let catchesAll = handler.conditions.contains("others")
      if action.raises || (!catchesAll && action.works) { return nil }
      if !atOnce, !catchesAll || action.works || action.answers { return nil }
      let names = handler.conditions.isEmpty ? "this error" : handler.conditions.joined(separator: " or ")
      return Finding(
        site: handler.site,
        message: catchesAll ? "every error is swallowed here" : "\(names) is swallowed here",
        hint: "leave the handler out, or end it with raise", severity: atOnce ? nil : .warning)
    }
  }
}

/// What an exception handler does.
private struct Action {
  /// It ends in an error of its own.
  private(set) var raises = false
  /// It runs SQL: it deals with the error in some way.
  private(set) var works = false
  /// It returns a value that tells the caller (`false`, `null`), not the row of a trigger.
  private(set) var answers = false

  init(_ statements: [JSON]) {
    for statement in statements {
      statement.walk { name, node in
        switch name {
        // 21 is ERROR, which a bare RAISE has, too.
        case "PLpgSQL_stmt_raise": raises = raises || (node["elog_level"]?.int ?? 21) >= 21
        case "PLpgSQL_stmt_execsql", "PLpgSQL_stmt_dynexecute", "PLpgSQL_stmt_perform", "PLpgSQL_stmt_call":
          works = true
        case "PLpgSQL_stmt_return":
          let value = node["expr"]?["PLpgSQL_expr"]?["query"]?.string?.lowercased()
          answers = answers || (value != nil && value != "new" && value != "old")
        case "PLpgSQL_stmt_assign": answers = true
        default: break
        }
      }
    }
  }
}
