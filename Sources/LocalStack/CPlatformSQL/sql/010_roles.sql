-- Roles, their settings and memberships. Cluster-wide: shared by every database of the cluster.
--
-- `supabase_admin` is the bootstrap superuser, made by initdb. `postgres`, which migrations run as, is an
-- ordinary role: a migration that only works for a superuser must fail here as it fails on the platform.
-- Passwords are all 'postgres', as in the Supabase CLI's local stack; the cluster listens on loopback only.

alter role supabase_admin set search_path = "$user", public, auth, extensions;

create role postgres login createrole createdb replication bypassrls password 'postgres';
-- With the backslash, as on the platform: a schema named after the role is not on the path.
alter role postgres set search_path = "\$user", public, extensions;

-- What requests run as. They inherit, so that a project's own role can be granted to `authenticated`.
create role anon nologin;
create role authenticated nologin;
create role service_role nologin bypassrls;
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';

-- The API's login. On the platform it also preloads `safeupdate`, a library that Debian lacks and whose
-- absence would refuse the connection: the API refuses UPDATE and DELETE without a filter by itself.
create role authenticator login noinherit password 'postgres';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';

create role supabase_auth_admin login noinherit createrole password 'postgres';
alter role supabase_auth_admin set search_path = auth;
alter role supabase_auth_admin set idle_in_transaction_session_timeout = 60000;
create role supabase_storage_admin login noinherit createrole password 'postgres';
alter role supabase_storage_admin set search_path = storage;
create role supabase_functions_admin login noinherit createrole password 'postgres';
alter role supabase_functions_admin set search_path = supabase_functions;
create role supabase_realtime_admin nologin noinherit;

create role supabase_replication_admin login replication password 'postgres';
create role supabase_etl_admin login replication password 'postgres';
create role supabase_read_only_user login bypassrls password 'postgres';
create role dashboard_user nologin createrole createdb replication;
create role pgbouncer login password 'postgres';

grant anon, authenticated, service_role to authenticator;
grant authenticator to supabase_storage_admin;
grant pg_read_all_data, pg_monitor to supabase_read_only_user;

-- The services' owner roles are granted to `postgres` because stock PostgreSQL lets only a table's owner
-- make policies on it and drop its triggers, which migrations do to auth.users and storage.objects every
-- day. What this would allow beyond the platform, 080_guard.sql takes away again.
-- From PostgreSQL 16 on a membership says what it is for: rights but no SET ROLE for the owner roles, and
-- ADMIN where `postgres` must be able to set a role's settings or pass it on.
do $$
begin
  if pg_catalog.current_setting('server_version_num')::int >= 160000 then
    execute 'grant anon, authenticated, service_role to postgres with admin option';
    execute 'grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres with admin option';
    execute 'grant authenticator to postgres with admin true, inherit false, set false';
    execute 'grant supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin, '
      || 'supabase_functions_admin to postgres with inherit true, set false';
  else
    grant anon, authenticated, service_role, pg_monitor, pg_read_all_data, pg_signal_backend to postgres;
    grant supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin, supabase_functions_admin
      to postgres;
  end if;
end $$;

-- Settings that need a superuser on stock PostgreSQL and not on the platform: some for the session, the
-- pgrst.* ones to configure the API with `alter role authenticator set …`.
do $$
declare
  parameter text;
begin
  foreach parameter in array array[
    'session_replication_role', 'track_io_timing', 'log_lock_waits', 'log_min_messages',
    'log_min_duration_statement', 'log_statement', 'log_duration', 'log_temp_files',
    'auto_explain.log_min_duration', 'auto_explain.log_nested_statements', 'auto_explain.log_analyze',
    'auto_explain.log_buffers', 'auto_explain.log_format', 'auto_explain.log_timing',
    'auto_explain.log_triggers', 'auto_explain.log_verbose', 'auto_explain.sample_rate',
    'pgaudit.log', 'pgaudit.log_catalog', 'pgaudit.log_client', 'pgaudit.log_level',
    'pgaudit.log_relation', 'pgaudit.log_rows', 'pgaudit.log_statement', 'pgaudit.log_statement_once',
    'pgaudit.role', 'pg_net.batch_size', 'pg_net.ttl', 'plan_filter.limit_select_only',
    'plan_filter.statement_cost_limit', 'safeupdate.enabled',
    'pgrst.admin_server_host', 'pgrst.admin_server_port', 'pgrst.app_settings', 'pgrst.client_error_verbosity',
    'pgrst.db_aggregates_enabled', 'pgrst.db_anon_role', 'pgrst.db_channel', 'pgrst.db_channel_enabled',
    'pgrst.db_config', 'pgrst.db_extra_search_path', 'pgrst.db_hoisted_tx_settings', 'pgrst.db_max_rows',
    'pgrst.db_plan_enabled', 'pgrst.db_pool', 'pgrst.db_pre_config', 'pgrst.db_pre_request',
    'pgrst.db_prepared_statements', 'pgrst.db_root_spec', 'pgrst.db_schema', 'pgrst.db_schemas',
    'pgrst.db_timezone_enabled', 'pgrst.db_tx_end', 'pgrst.db_use_legacy_gucs', 'pgrst.jwt_aud',
    'pgrst.jwt_cache_max_entries', 'pgrst.jwt_cache_max_lifetime', 'pgrst.jwt_role_claim_key',
    'pgrst.jwt_secret', 'pgrst.jwt_secret_is_base64', 'pgrst.log_level', 'pgrst.log_query', 'pgrst.max_rows',
    'pgrst.openapi_mode', 'pgrst.openapi_security_active', 'pgrst.openapi_server_proxy_uri',
    'pgrst.pre_request', 'pgrst.raw_media_types', 'pgrst.role_claim_key', 'pgrst.root_spec',
    'pgrst.server_cors_allowed_origins', 'pgrst.server_timing_enabled', 'pgrst.server_trace_header']
  loop
    execute pg_catalog.format('grant set on parameter %s to postgres', parameter);
  end loop;
end $$;
