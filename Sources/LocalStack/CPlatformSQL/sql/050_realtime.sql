-- The realtime schema as far as migrations need it: policies on messages, and functions that send.
-- Nothing is delivered locally; what was sent can be read in realtime.messages.

create schema realtime authorization supabase_admin;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
grant all on schema realtime to supabase_realtime_admin;

alter default privileges for role supabase_admin in schema realtime
  grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_admin in schema realtime
  grant all on sequences to postgres, dashboard_user;
alter default privileges for role supabase_admin in schema realtime
  grant all on functions to postgres, dashboard_user;

create type realtime.action as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'ERROR');
create type realtime.equality_op as enum ('eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in');
create type realtime.user_defined_filter as (column_name text, op realtime.equality_op, value text);
create type realtime.wal_column as (
  name text, type_name text, type_oid oid, value jsonb, is_pkey boolean, is_selectable boolean);
create type realtime.wal_rls as (wal jsonb, is_rls_enabled boolean, subscription_ids uuid[], errors text[]);

create table realtime.schema_migrations (version bigint primary key, inserted_at timestamp(0));

create function realtime.to_regrole(role_name text) returns regrole language sql immutable as $$
  select role_name::regrole
$$;

create table realtime.subscription (
  id bigint generated always as identity constraint pk_subscription primary key,
  subscription_id uuid not null,
  entity regclass not null,
  filters realtime.user_defined_filter[] not null default '{}',
  claims jsonb not null,
  claims_role regrole not null generated always as (realtime.to_regrole(claims ->> 'role')) stored,
  created_at timestamp not null default timezone('utc', now()));

-- Partitioned by day on the platform, where the service makes the partitions; here one holds them all.
create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  constraint messages_pkey primary key (id, inserted_at)) partition by range (inserted_at);
create table realtime.messages_all partition of realtime.messages default;
alter table realtime.messages enable row level security;
alter table realtime.messages owner to supabase_realtime_admin;

grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant select on realtime.subscription, realtime.schema_migrations to anon, authenticated, service_role;

create function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;

-- A message that cannot be sent must not undo what it tells of: a warning, as on the platform.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (payload, event, topic, private, extension)
  values (payload, event, topic, private, 'broadcast');
exception
  when others then
    raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
end $$;

create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record,
  old record, level text default 'ROW')
returns void language plpgsql as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name,
      'schema', table_schema),
    event_name, topic_name);
end $$;

alter function realtime.topic() owner to supabase_realtime_admin;

create schema _realtime authorization postgres;
