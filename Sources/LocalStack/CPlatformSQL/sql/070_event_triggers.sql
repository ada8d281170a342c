-- What the platform does by itself after DDL: tell the API that the schema changed, and grant access to an
-- extension that was just created.

-- Grants and policies are not watched: they do not change the API's picture of the schema.
create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$
begin
  if exists (
    select from pg_event_trigger_ddl_commands() as c
    where c.schema_name is distinct from 'pg_temp'
      and c.command_tag in (
        'CREATE SCHEMA', 'ALTER SCHEMA', 'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
        'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE', 'CREATE VIEW', 'ALTER VIEW',
        'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER FUNCTION',
        'CREATE TRIGGER', 'CREATE TYPE', 'ALTER TYPE', 'CREATE RULE', 'COMMENT'))
  then
    notify pgrst, 'reload schema';
  end if;
end $$;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();

create function extensions.pgrst_drop_watch() returns event_trigger language plpgsql as $$
begin
  if exists (
    select from pg_event_trigger_dropped_objects() as d
    where not d.is_temporary
      and d.object_type in ('schema', 'table', 'foreign table', 'view', 'materialized view', 'function',
        'trigger', 'type', 'rule'))
  then
    notify pgrst, 'reload schema';
  end if;
end $$;
create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();

-- Runs as its owner: the schema belongs to the superuser that created the extension for `postgres`.
create function extensions.grant_pg_cron_access() returns event_trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from pg_catalog.pg_event_trigger_ddl_commands() as c
    join pg_catalog.pg_extension as e on e.oid = c.objid and c.object_type = 'extension'
    where e.extname = 'pg_cron') and pg_catalog.to_regnamespace('cron') is not null
  then
    grant usage on schema cron to postgres with grant option;
    grant all on all tables in schema cron to postgres with grant option;
    grant all on all sequences in schema cron to postgres with grant option;
    grant all on all functions in schema cron to postgres with grant option;
    -- Jobs are made through cron.schedule(), which is what checks whose they are.
    revoke all on table cron.job from postgres;
    grant select on table cron.job to postgres with grant option;
  end if;
end $$;
create event trigger issue_pg_cron_access on ddl_command_end when tag in ('CREATE EXTENSION')
  execute function extensions.grant_pg_cron_access();

create function extensions.grant_pg_net_access() returns event_trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from pg_catalog.pg_event_trigger_ddl_commands() as c
    join pg_catalog.pg_extension as e on e.oid = c.objid and c.object_type = 'extension'
    where e.extname = 'pg_net') and pg_catalog.to_regnamespace('net') is not null
  then
    grant usage on schema net to supabase_functions_admin, postgres, anon, authenticated, service_role;
    grant all on all tables in schema net to postgres;
    grant all on all sequences in schema net to postgres;
  end if;
end $$;
create event trigger issue_pg_net_access on ddl_command_end when tag in ('CREATE EXTENSION')
  execute function extensions.grant_pg_net_access();

create function extensions.grant_pg_graphql_access() returns event_trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from pg_catalog.pg_event_trigger_ddl_commands() as c
    join pg_catalog.pg_extension as e on e.oid = c.objid and c.object_type = 'extension'
    where e.extname = 'pg_graphql') and pg_catalog.to_regnamespace('graphql') is not null
  then
    grant usage on schema graphql to anon, authenticated, service_role;
    grant usage on schema graphql to postgres with grant option;
    grant select on all tables in schema graphql to postgres, anon, authenticated, service_role;
    grant all on all sequences in schema graphql to postgres, anon, authenticated, service_role;
    grant execute on all functions in schema graphql to postgres, anon, authenticated, service_role;
    -- Dropped and made anew, so that it goes again with the extension it calls.
    create or replace function graphql_public.graphql(
      "operationName" text default null, query text default null, variables jsonb default null,
      extensions jsonb default null)
    returns jsonb language sql as $body$
      select graphql.resolve(query => query, variables => coalesce(variables, '{}'),
        "operationName" => "operationName", extensions => extensions)
    $body$;
  end if;
end $$;
create event trigger issue_pg_graphql_access on ddl_command_end when tag in ('CREATE EXTENSION')
  execute function extensions.grant_pg_graphql_access();

create function extensions.set_graphql_placeholder() returns event_trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from pg_catalog.pg_event_trigger_dropped_objects() as d
    where d.object_type = 'extension' and d.object_name = 'pg_graphql')
  then
    create or replace function graphql_public.graphql(
      "operationName" text default null, query text default null, variables jsonb default null,
      extensions jsonb default null)
    returns jsonb language plpgsql as $body$
    begin
      return jsonb_build_object(
        'data', null::jsonb, 'errors', jsonb_build_array('pg_graphql extension is not enabled.'));
    end $body$;
  end if;
end $$;
create event trigger issue_graphql_placeholder on sql_drop when tag in ('DROP EXTENSION')
  execute function extensions.set_graphql_placeholder();

-- The wrapper belongs to everyone who may create a foreign server with it, which is `postgres` here.
create function extensions.grant_fdw_access() returns event_trigger
language plpgsql security definer set search_path = '' as $$
declare
  wrapper name;
begin
  for wrapper in
    select w.fdwname
    from pg_catalog.pg_event_trigger_ddl_commands() as c
    join pg_catalog.pg_depend as d on d.refclassid = 'pg_catalog.pg_extension'::regclass
      and d.refobjid = c.objid and d.classid = 'pg_catalog.pg_foreign_data_wrapper'::regclass
    join pg_catalog.pg_foreign_data_wrapper as w on w.oid = d.objid
  loop
    execute pg_catalog.format(
      'grant usage on foreign data wrapper %I to postgres with grant option', wrapper);
  end loop;
end $$;
create event trigger nomdev_fdw_access on ddl_command_end when tag in ('CREATE EXTENSION')
  execute function extensions.grant_fdw_access();
