-- Stand-in for pgaudit: nothing is logged. Its settings (pgaudit.log, ...) can be set and have no effect.

create function pgaudit_ddl_command_end() returns event_trigger
  language plpgsql
as $$
begin
  null; -- there is no log to write to
end $$;
create function pgaudit_sql_drop() returns event_trigger
  language plpgsql
as $$
begin
  null; -- there is no log to write to
end $$;
