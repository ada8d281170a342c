-- The smaller schemas: GraphQL, webhooks, the pooler's look-up, vault.

create schema graphql_public authorization supabase_admin;
grant usage on schema graphql_public to anon, authenticated, service_role;
grant usage on schema graphql_public to postgres with grant option;
alter default privileges for role supabase_admin in schema graphql_public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema graphql_public
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema graphql_public
  grant all on functions to postgres, anon, authenticated, service_role;

-- What answers until a project creates the extension pg_graphql, which is its own choice since 2026.
create function graphql_public.graphql(
  "operationName" text default null, query text default null, variables jsonb default null,
  extensions jsonb default null)
returns jsonb language plpgsql as $$
begin
  return jsonb_build_object(
    'data', null::jsonb, 'errors', jsonb_build_array('pg_graphql extension is not enabled.'));
end $$;

-- Empty until their extensions are made. Dumps of projects name them (`create extension ... with schema
-- graphql`) without making them.
create schema graphql authorization supabase_admin;
grant usage on schema graphql to anon, authenticated, service_role;
grant usage on schema graphql to postgres with grant option;
create schema pgsodium authorization supabase_admin;

create schema supabase_functions authorization supabase_admin;
grant usage on schema supabase_functions to postgres, anon, authenticated, service_role;
grant all on schema supabase_functions to supabase_functions_admin;
alter default privileges for role supabase_admin in schema supabase_functions
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema supabase_functions
  grant all on sequences to postgres, anon, authenticated, service_role;
alter default privileges for role supabase_admin in schema supabase_functions
  grant all on functions to postgres, anon, authenticated, service_role;

create table supabase_functions.migrations (
  version text primary key,
  inserted_at timestamptz not null default now());
create table supabase_functions.hooks (
  id bigserial primary key,
  hook_table_id integer not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint);
comment on table supabase_functions.hooks is 'Webhooks that were called; locally the requests are not sent.';
create index supabase_functions_hooks_request_id_idx on supabase_functions.hooks (request_id);
create index supabase_functions_hooks_h_table_id_h_name_idx
  on supabase_functions.hooks (hook_table_id, hook_name);
alter table supabase_functions.migrations owner to supabase_functions_admin;
alter table supabase_functions.hooks owner to supabase_functions_admin;

-- Trigger function of a database webhook: url, method, headers, params, timeout in milliseconds. The request
-- goes to pg_net's queue where a project has that extension, and the call is recorded in any case.
create function supabase_functions.http_request() returns trigger
language plpgsql security definer set search_path = supabase_functions as $$
declare
  url text := tg_argv[0];
  method text := upper(tg_argv[1]);
  headers jsonb := coalesce(nullif(tg_argv[2], 'null')::jsonb, '{}');
  params jsonb := coalesce(nullif(tg_argv[3], 'null')::jsonb, '{}');
  timeout integer := coalesce(nullif(tg_argv[4], 'null')::integer, 1000);
  payload jsonb;
  request bigint;
begin
  if coalesce(url, 'null') = 'null' then
    raise exception 'url argument is missing';
  end if;
  if method is null or method not in ('GET', 'POST') then
    raise exception 'method argument % is invalid', coalesce(method, 'null');
  end if;
  if to_regnamespace('net') is not null then
    if method = 'GET' then
      execute 'select net.http_get($1, $2, $3, $4)' into request using url, params, headers, timeout;
    else
      payload := jsonb_build_object(
        'old_record', case when tg_op <> 'INSERT' then to_jsonb(old) end,
        'record', case when tg_op <> 'DELETE' then to_jsonb(new) end,
        'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema);
      execute 'select net.http_post($1, $2, $3, $4, $5)' into request
        using url, payload, params, headers, timeout;
    end if;
  end if;
  insert into supabase_functions.hooks (hook_table_id, hook_name, request_id)
  values (tg_relid, tg_name, request);
  return new;
end $$;
alter function supabase_functions.http_request() owner to supabase_functions_admin;
revoke all on function supabase_functions.http_request() from public;
grant execute on function supabase_functions.http_request() to postgres, anon, authenticated, service_role;

create schema pgbouncer authorization pgbouncer;
create function pgbouncer.get_auth(p_usename text) returns table (username text, password text)
language sql security definer set search_path = '' as $$
  select rolname::text, case when rolvaliduntil < now() then null else rolpassword end
  from pg_catalog.pg_authid
  where rolname = p_usename and rolcanlogin
$$;
revoke all on function pgbouncer.get_auth(text) from public;
grant execute on function pgbouncer.get_auth(text) to pgbouncer;

create schema vault authorization supabase_admin;
do $$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'supabase_vault') then
    create extension supabase_vault with schema vault;
  end if;
end $$;
grant usage on schema vault to postgres with grant option;
grant usage on schema vault to service_role;
