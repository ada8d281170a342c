-- Stand-in for plpgsql_check: nothing is checked, and a check that can't be made is an error, not a pass.

create function _stand_in_plpgsql_check() returns void
  language plpgsql
as $$
begin
  raise exception 'functions are not checked: plpgsql_check is a nomdev stand-in'
    using errcode = 'feature_not_supported';
end $$;

create function plpgsql_check_function(
  funcoid regprocedure, relid regclass default 0, format text default 'text', fatal_errors boolean default true,
  other_warnings boolean default true, performance_warnings boolean default false,
  extra_warnings boolean default true, security_warnings boolean default false
) returns setof text
  language sql volatile
begin atomic
  select _stand_in_plpgsql_check()::text;
end;

create function plpgsql_check_function(
  name text, relid regclass default 0, format text default 'text', fatal_errors boolean default true,
  other_warnings boolean default true, performance_warnings boolean default false,
  extra_warnings boolean default true, security_warnings boolean default false
) returns setof text
  language sql volatile
begin atomic
  select _stand_in_plpgsql_check()::text;
end;

create function plpgsql_check_function_tb(
  funcoid regprocedure, relid regclass default 0, fatal_errors boolean default true,
  other_warnings boolean default true, performance_warnings boolean default false,
  extra_warnings boolean default true, security_warnings boolean default false
) returns table (
  functionid regproc, lineno integer, statement text, sqlstate text, message text, detail text, hint text,
  level text, "position" integer, query text, context text
)
  language sql volatile
begin atomic
  select null::regproc, null::integer, _stand_in_plpgsql_check()::text, null::text, null::text, null::text,
    null::text, null::text, null::integer, null::text, null::text;
end;
