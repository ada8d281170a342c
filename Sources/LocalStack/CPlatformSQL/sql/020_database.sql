-- The database: who may do what in `public` and `extensions`, and what future objects are granted.

alter schema public owner to pg_database_owner;
grant usage on schema public to postgres, anon, authenticated, service_role;

create schema extensions authorization postgres;
grant usage on schema extensions to anon, authenticated, service_role;
grant all on schema extensions to dashboard_user;

-- What an extension's objects in `extensions` are granted is decided here, before the first of them.
alter default privileges for role supabase_admin in schema extensions
  grant all on tables to postgres with grant option;
alter default privileges for role supabase_admin in schema extensions
  grant all on sequences to postgres with grant option;
alter default privileges for role supabase_admin in schema extensions
  grant all on functions to postgres with grant option;

-- Everything made in `public` is granted to the API's roles: row level security is the only protection.
-- This is the `legacy` profile; the `explicit` one takes most of it back (Platform.grants).
alter default privileges for role supabase_admin in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema public
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on functions to postgres, anon, authenticated, service_role;

create extension "uuid-ossp" with schema extensions;
create extension pgcrypto with schema extensions;

-- Preinstalled on the platform, and not with every server: as far as it is there. pgjwt left the platform
-- with PostgreSQL 17.
do $$
declare
  wanted record;
begin
  for wanted in
    select name from pg_catalog.pg_available_extensions
    where name = 'pg_stat_statements'
      or name = 'pgjwt' and pg_catalog.current_setting('server_version_num')::int < 170000
    order by name
  loop
    execute pg_catalog.format('create extension %I with schema extensions', wanted.name);
  end loop;
end $$;

grant all on all tables in schema extensions to dashboard_user;
grant all on all routines in schema extensions to dashboard_user;

-- Realtime listens to this one; no table is in it at first.
create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;
