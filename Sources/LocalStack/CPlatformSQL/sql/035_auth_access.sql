-- Who may do what in the auth schema, and the functions policies ask who is calling.

set role supabase_auth_admin;

-- Row level security without a policy: nobody but the owner, a BYPASSRLS role and a superuser sees a row.
-- The API's roles hold no privilege either, so a policy that reads auth.users fails with 42501 for them.
do $$
declare
  name text;
begin
  foreach name in array array[
    'audit_log_entries', 'flow_state', 'identities', 'instances', 'mfa_amr_claims', 'mfa_challenges',
    'mfa_factors', 'one_time_tokens', 'refresh_tokens', 'saml_providers', 'saml_relay_states',
    'schema_migrations', 'sessions', 'sso_domains', 'sso_providers', 'users']
  loop
    execute pg_catalog.format('alter table auth.%I enable row level security', name);
    -- So that `postgres` can let a project's own roles read them.
    execute pg_catalog.format('grant select on auth.%I to postgres with grant option', name);
  end loop;
end $$;
-- The schema's ledger is the service's own.
revoke all on auth.schema_migrations from postgres;

-- Legacy per-claim settings win over the JSON of all claims, and an empty setting counts as absent: after
-- a `set local` was rolled back a setting reads as '' for the rest of the session.
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
$$;
create function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
$$;
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;
comment on function auth.uid() is 'Deprecated: auth.jwt() -> ''sub'' says the same.';
comment on function auth.role() is 'Deprecated: auth.jwt() -> ''role'' says the same.';
comment on function auth.email() is 'Deprecated: auth.jwt() -> ''email'' says the same.';

reset role;
