-- Stand-in for pg_ivm: a view that isn't kept up to date would be a wrong one, so none is made.

create schema if not exists pgivm;
create function pgivm.create_immv(text, text) returns bigint
  language plpgsql
as $$
begin
  raise exception 'views are not maintained: pg_ivm is a nomdev stand-in'
    using errcode = 'feature_not_supported';
end $$;
create function pgivm.refresh_immv(text, boolean) returns bigint
  language plpgsql
as $$
begin
  raise exception 'views are not maintained: pg_ivm is a nomdev stand-in'
    using errcode = 'feature_not_supported';
end $$;
grant usage on schema pgivm to public;
