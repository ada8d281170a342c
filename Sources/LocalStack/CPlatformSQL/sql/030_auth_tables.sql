-- The auth schema: what Auth stores. Columns, defaults and constraints are the platform's, also where one
-- would wish for others: auth.users.id, created_at and updated_at have no default, refresh_tokens.user_id is
-- text, some times carry no zone. Code that relies on a nicer table would fail on the platform.
-- Order of columns matters: dumps and `insert … values` without a column list depend on it.

create schema auth authorization supabase_admin;
grant usage on schema auth to anon, authenticated, service_role, postgres;
grant all on schema auth to supabase_auth_admin, dashboard_user;

alter default privileges for role supabase_auth_admin in schema auth
  grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth
  grant all on sequences to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth
  grant all on functions to postgres, dashboard_user;

-- Owned by the service from the start: its default privileges then grant what follows.
set role supabase_auth_admin;

create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.code_challenge_method as enum ('s256', 'plain');
create type auth.factor_status as enum ('unverified', 'verified');
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.oauth_authorization_status as enum ('pending', 'approved', 'denied', 'expired');
create type auth.oauth_client_type as enum ('public', 'confidential');
create type auth.oauth_registration_type as enum ('dynamic', 'manual');
create type auth.oauth_response_type as enum ('code');
create type auth.one_time_token_type as enum (
  'confirmation_token', 'reauthentication_token', 'recovery_token',
  'email_change_token_new', 'email_change_token_current', 'phone_change_token');

-- MARK: people

create table auth.users (
  instance_id uuid,
  id uuid not null constraint users_pkey primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255),
  confirmation_sent_at timestamptz,
  recovery_token varchar(255),
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255),
  email_change varchar(255),
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text default null::varchar constraint users_phone_key unique,
  phone_confirmed_at timestamptz,
  phone_change text default ''::varchar,
  phone_change_token varchar(255) default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '',
  email_change_confirm_status smallint default 0
    constraint users_email_change_confirm_status_check
      check (email_change_confirm_status >= 0 and email_change_confirm_status <= 2),
  banned_until timestamptz,
  reauthentication_token varchar(255) default '',
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false);
comment on table auth.users is 'Auth: people who can sign in.';
create index users_instance_id_idx on auth.users (instance_id);
create index users_instance_id_email_idx on auth.users (instance_id, lower(email));
create index users_is_anonymous_idx on auth.users (is_anonymous);
-- Addresses are unique as written: Auth lower-cases them before it stores them, so must a seed.
create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
-- Any number of empty or purely numeric tokens may be stored, real ones once each.
create unique index confirmation_token_idx on auth.users (confirmation_token)
  where confirmation_token::text !~ '^[0-9 ]*$';
create unique index recovery_token_idx on auth.users (recovery_token)
  where recovery_token::text !~ '^[0-9 ]*$';
create unique index email_change_token_current_idx on auth.users (email_change_token_current)
  where email_change_token_current::text !~ '^[0-9 ]*$';
create unique index email_change_token_new_idx on auth.users (email_change_token_new)
  where email_change_token_new::text !~ '^[0-9 ]*$';
create unique index reauthentication_token_idx on auth.users (reauthentication_token)
  where reauthentication_token::text !~ '^[0-9 ]*$';

create table auth.identities (
  provider_id text not null,
  user_id uuid not null constraint identities_user_id_fkey references auth.users on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid not null default gen_random_uuid() constraint identities_pkey primary key,
  constraint identities_provider_id_provider_unique unique (provider_id, provider));
comment on table auth.identities is 'Auth: the ways a person signs in.';
create index identities_email_idx on auth.identities (email text_pattern_ops);
create index identities_user_id_idx on auth.identities (user_id);

create table auth.one_time_tokens (
  id uuid not null constraint one_time_tokens_pkey primary key,
  user_id uuid not null constraint one_time_tokens_user_id_fkey references auth.users on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null constraint one_time_tokens_token_hash_check check (char_length(token_hash) > 0),
  relates_to text not null,
  created_at timestamp not null default now(),
  updated_at timestamp not null default now());
create index one_time_tokens_relates_to_hash_idx on auth.one_time_tokens using hash (relates_to);
create index one_time_tokens_token_hash_hash_idx on auth.one_time_tokens using hash (token_hash);
create unique index one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type);

create table auth.instances (
  id uuid not null constraint instances_pkey primary key,
  uuid uuid,
  raw_base_config text,
  created_at timestamptz,
  updated_at timestamptz);
comment on table auth.instances is 'Auth: sites that share one service; there is one.';

create table auth.audit_log_entries (
  instance_id uuid,
  id uuid not null constraint audit_log_entries_pkey primary key,
  payload json,
  created_at timestamptz,
  ip_address varchar(64) not null default '');
comment on table auth.audit_log_entries is 'Auth: what people did.';
create index audit_logs_instance_id_idx on auth.audit_log_entries (instance_id);

create table auth.schema_migrations (version varchar(255) not null constraint schema_migrations_pkey primary key);
comment on table auth.schema_migrations is 'Auth: versions of this schema.';

-- MARK: OAuth server (sessions refer to its clients)

create table auth.oauth_clients (
  id uuid not null constraint oauth_clients_pkey primary key,
  client_secret_hash text,
  registration_type auth.oauth_registration_type not null,
  redirect_uris text not null,
  grant_types text not null,
  client_name text constraint oauth_clients_client_name_length check (char_length(client_name) <= 1024),
  client_uri text constraint oauth_clients_client_uri_length check (char_length(client_uri) <= 2048),
  logo_uri text constraint oauth_clients_logo_uri_length check (char_length(logo_uri) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  client_type auth.oauth_client_type not null default 'confidential',
  token_endpoint_auth_method text not null
    constraint oauth_clients_token_endpoint_auth_method_check
      check (token_endpoint_auth_method = any (array['client_secret_basic', 'client_secret_post', 'none'])));
create index oauth_clients_deleted_at_idx on auth.oauth_clients (deleted_at);

create table auth.oauth_authorizations (
  id uuid not null constraint oauth_authorizations_pkey primary key,
  authorization_id text not null constraint oauth_authorizations_authorization_id_key unique,
  client_id uuid not null
    constraint oauth_authorizations_client_id_fkey references auth.oauth_clients on delete cascade,
  user_id uuid constraint oauth_authorizations_user_id_fkey references auth.users on delete cascade,
  redirect_uri text not null
    constraint oauth_authorizations_redirect_uri_length check (char_length(redirect_uri) <= 2048),
  scope text not null constraint oauth_authorizations_scope_length check (char_length(scope) <= 4096),
  state text constraint oauth_authorizations_state_length check (char_length(state) <= 4096),
  resource text constraint oauth_authorizations_resource_length check (char_length(resource) <= 2048),
  code_challenge text
    constraint oauth_authorizations_code_challenge_length check (char_length(code_challenge) <= 128),
  code_challenge_method auth.code_challenge_method,
  response_type auth.oauth_response_type not null default 'code',
  status auth.oauth_authorization_status not null default 'pending',
  authorization_code text
    constraint oauth_authorizations_authorization_code_key unique
    constraint oauth_authorizations_authorization_code_length check (char_length(authorization_code) <= 255),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default (now() + interval '3 minutes'),
  approved_at timestamptz,
  nonce text constraint oauth_authorizations_nonce_length check (char_length(nonce) <= 255),
  constraint oauth_authorizations_expires_at_future check (expires_at > created_at));
create index oauth_auth_pending_exp_idx on auth.oauth_authorizations (expires_at) where status = 'pending';

create table auth.oauth_consents (
  id uuid not null constraint oauth_consents_pkey primary key,
  user_id uuid not null constraint oauth_consents_user_id_fkey references auth.users on delete cascade,
  client_id uuid not null
    constraint oauth_consents_client_id_fkey references auth.oauth_clients on delete cascade,
  scopes text not null
    constraint oauth_consents_scopes_length check (char_length(scopes) <= 2048)
    constraint oauth_consents_scopes_not_empty check (char_length(trim(scopes)) > 0),
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint oauth_consents_revoked_after_granted check (revoked_at is null or revoked_at >= granted_at),
  constraint oauth_consents_user_client_unique unique (user_id, client_id));
create index oauth_consents_active_client_idx on auth.oauth_consents (client_id) where revoked_at is null;
create index oauth_consents_active_user_client_idx on auth.oauth_consents (user_id, client_id)
  where revoked_at is null;
create index oauth_consents_user_order_idx on auth.oauth_consents (user_id, granted_at desc);

create table auth.oauth_client_states (
  id uuid not null constraint oauth_client_states_pkey primary key,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null);
comment on table auth.oauth_client_states is 'Auth: sign-ins under way at other providers.';
create index idx_oauth_client_states_created_at on auth.oauth_client_states (created_at);

create table auth.custom_oauth_providers (
  id uuid not null default gen_random_uuid() constraint custom_oauth_providers_pkey primary key,
  provider_type text not null
    constraint custom_oauth_providers_provider_type_check
      check (provider_type = any (array['oauth2', 'oidc'])),
  identifier text not null
    constraint custom_oauth_providers_identifier_key unique
    constraint custom_oauth_providers_identifier_format
      check (identifier ~ '^[a-z0-9][a-z0-9:-]{0,48}[a-z0-9]$'),
  name text not null
    constraint custom_oauth_providers_name_length check (char_length(name) >= 1 and char_length(name) <= 100),
  client_id text not null
    constraint custom_oauth_providers_client_id_length
      check (char_length(client_id) >= 1 and char_length(client_id) <= 512),
  client_secret text not null,
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  email_optional boolean not null default false,
  issuer text
    constraint custom_oauth_providers_issuer_length
      check (issuer is null or (char_length(issuer) >= 1 and char_length(issuer) <= 2048)),
  discovery_url text
    constraint custom_oauth_providers_discovery_url_length
      check (discovery_url is null or char_length(discovery_url) <= 2048),
  skip_nonce_check boolean not null default false,
  cached_discovery jsonb,
  discovery_cached_at timestamptz,
  authorization_url text
    constraint custom_oauth_providers_authorization_url_https
      check (authorization_url is null or authorization_url like 'https://%')
    constraint custom_oauth_providers_authorization_url_length
      check (authorization_url is null or char_length(authorization_url) <= 2048),
  token_url text
    constraint custom_oauth_providers_token_url_https check (token_url is null or token_url like 'https://%')
    constraint custom_oauth_providers_token_url_length
      check (token_url is null or char_length(token_url) <= 2048),
  userinfo_url text
    constraint custom_oauth_providers_userinfo_url_https
      check (userinfo_url is null or userinfo_url like 'https://%')
    constraint custom_oauth_providers_userinfo_url_length
      check (userinfo_url is null or char_length(userinfo_url) <= 2048),
  jwks_uri text
    constraint custom_oauth_providers_jwks_uri_https check (jwks_uri is null or jwks_uri like 'https://%')
    constraint custom_oauth_providers_jwks_uri_length check (jwks_uri is null or char_length(jwks_uri) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  custom_claims_allowlist text[] not null default '{}',
  constraint custom_oauth_providers_oauth2_requires_endpoints
    check (provider_type <> 'oauth2'
      or (authorization_url is not null and token_url is not null and userinfo_url is not null)),
  constraint custom_oauth_providers_oidc_requires_issuer check (provider_type <> 'oidc' or issuer is not null),
  constraint custom_oauth_providers_oidc_issuer_https
    check (provider_type <> 'oidc' or issuer is null or issuer like 'https://%'),
  constraint custom_oauth_providers_oidc_discovery_url_https
    check (provider_type <> 'oidc' or discovery_url is null or discovery_url like 'https://%'));
create index custom_oauth_providers_created_at_idx on auth.custom_oauth_providers (created_at);
create index custom_oauth_providers_enabled_idx on auth.custom_oauth_providers (enabled);
create index custom_oauth_providers_identifier_idx on auth.custom_oauth_providers (identifier);
create index custom_oauth_providers_provider_type_idx on auth.custom_oauth_providers (provider_type);

-- MARK: sessions

create table auth.sessions (
  id uuid not null constraint sessions_pkey primary key,
  user_id uuid not null constraint sessions_user_id_fkey references auth.users on delete cascade,
  created_at timestamptz,
  updated_at timestamptz,
  factor_id uuid,
  aal auth.aal_level,
  not_after timestamptz,
  refreshed_at timestamp,
  user_agent text,
  ip inet,
  tag text,
  oauth_client_id uuid
    constraint sessions_oauth_client_id_fkey references auth.oauth_clients on delete cascade,
  refresh_token_hmac_key text,
  refresh_token_counter bigint,
  scopes text constraint sessions_scopes_length check (char_length(scopes) <= 4096));
comment on table auth.sessions is 'Auth: who is signed in, and since when.';
create index sessions_not_after_idx on auth.sessions (not_after desc);
create index sessions_oauth_client_id_idx on auth.sessions (oauth_client_id);
create index sessions_user_id_idx on auth.sessions (user_id);
create index user_id_created_at_idx on auth.sessions (user_id, created_at);

create table auth.refresh_tokens (
  instance_id uuid,
  id bigserial not null constraint refresh_tokens_pkey primary key,
  token varchar(255) constraint refresh_tokens_token_unique unique,
  user_id varchar(255),
  revoked boolean,
  created_at timestamptz,
  updated_at timestamptz,
  parent varchar(255),
  session_id uuid constraint refresh_tokens_session_id_fkey references auth.sessions on delete cascade);
comment on table auth.refresh_tokens is 'Auth: what a session renews its access token with.';
create index refresh_tokens_instance_id_idx on auth.refresh_tokens (instance_id);
create index refresh_tokens_instance_id_user_id_idx on auth.refresh_tokens (instance_id, user_id);
create index refresh_tokens_parent_idx on auth.refresh_tokens (parent);
create index refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create index refresh_tokens_updated_at_idx on auth.refresh_tokens (updated_at desc);

-- MARK: second factors

create table auth.mfa_factors (
  id uuid not null constraint mfa_factors_pkey primary key,
  user_id uuid not null constraint mfa_factors_user_id_fkey references auth.users on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  secret text,
  phone text,
  last_challenged_at timestamptz constraint mfa_factors_last_challenged_at_key unique,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  last_webauthn_challenge_data jsonb);
comment on table auth.mfa_factors is 'Auth: second factors people enrolled.';
create index factor_id_created_at_idx on auth.mfa_factors (user_id, created_at);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);
create unique index mfa_factors_user_friendly_name_unique on auth.mfa_factors (friendly_name, user_id)
  where trim(friendly_name) <> '';
create unique index unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);

create table auth.mfa_challenges (
  id uuid not null constraint mfa_challenges_pkey primary key,
  factor_id uuid not null
    constraint mfa_challenges_auth_factor_id_fkey references auth.mfa_factors on delete cascade,
  created_at timestamptz not null,
  verified_at timestamptz,
  ip_address inet not null,
  otp_code text,
  web_authn_session_data jsonb);
comment on table auth.mfa_challenges is 'Auth: second factors that were asked for.';
create index mfa_challenge_created_at_idx on auth.mfa_challenges (created_at desc);

create table auth.mfa_amr_claims (
  session_id uuid not null
    constraint mfa_amr_claims_session_id_fkey references auth.sessions on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authentication_method text not null,
  id uuid not null constraint amr_id_pk primary key,
  constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method));
comment on table auth.mfa_amr_claims is 'Auth: how a session was authenticated.';

create table auth.webauthn_credentials (
  id uuid not null default gen_random_uuid() constraint webauthn_credentials_pkey primary key,
  user_id uuid not null constraint webauthn_credentials_user_id_fkey references auth.users on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz);
create unique index webauthn_credentials_credential_id_key on auth.webauthn_credentials (credential_id);
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table auth.webauthn_challenges (
  id uuid not null default gen_random_uuid() constraint webauthn_challenges_pkey primary key,
  user_id uuid constraint webauthn_challenges_user_id_fkey references auth.users on delete cascade,
  challenge_type text not null
    constraint webauthn_challenges_challenge_type_check
      check (challenge_type = any (array['signup', 'registration', 'authentication'])),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);
create index webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);

-- MARK: single sign-on

create table auth.flow_state (
  id uuid not null constraint flow_state_pkey primary key,
  user_id uuid,
  auth_code text,
  code_challenge_method auth.code_challenge_method,
  code_challenge text,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  created_at timestamptz,
  updated_at timestamptz,
  authentication_method text not null,
  auth_code_issued_at timestamptz,
  invite_token text,
  referrer text,
  oauth_client_state_id uuid,
  linking_target_id uuid,
  email_optional boolean not null default false);
comment on table auth.flow_state is 'Auth: sign-ins under way.';
create index flow_state_created_at_idx on auth.flow_state (created_at desc);
create index idx_auth_code on auth.flow_state (auth_code);
create index idx_user_id_auth_method on auth.flow_state (user_id, authentication_method);

create table auth.sso_providers (
  id uuid not null constraint sso_providers_pkey primary key,
  -- `= null` is never true: the platform's constraint lets a null through only because null passes a check.
  resource_id text constraint "resource_id not empty"
    check (resource_id = null::text or char_length(resource_id) > 0),
  created_at timestamptz,
  updated_at timestamptz,
  disabled boolean);
comment on table auth.sso_providers is 'Auth: identity providers of organisations.';
create unique index sso_providers_resource_id_idx on auth.sso_providers (lower(resource_id));
create index sso_providers_resource_id_pattern_idx on auth.sso_providers (resource_id text_pattern_ops);

create table auth.sso_domains (
  id uuid not null constraint sso_domains_pkey primary key,
  sso_provider_id uuid not null
    constraint sso_domains_sso_provider_id_fkey references auth.sso_providers on delete cascade,
  domain text not null constraint "domain not empty" check (char_length(domain) > 0),
  created_at timestamptz,
  updated_at timestamptz);
comment on table auth.sso_domains is 'Auth: which e-mail domains belong to an identity provider.';
create unique index sso_domains_domain_idx on auth.sso_domains (lower(domain));
create index sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);

create table auth.saml_providers (
  id uuid not null constraint saml_providers_pkey primary key,
  sso_provider_id uuid not null
    constraint saml_providers_sso_provider_id_fkey references auth.sso_providers on delete cascade,
  entity_id text not null
    constraint saml_providers_entity_id_key unique
    constraint "entity_id not empty" check (char_length(entity_id) > 0),
  metadata_xml text not null constraint "metadata_xml not empty" check (char_length(metadata_xml) > 0),
  metadata_url text constraint "metadata_url not empty"
    check (metadata_url = null::text or char_length(metadata_url) > 0),
  attribute_mapping jsonb,
  created_at timestamptz,
  updated_at timestamptz,
  name_id_format text);
comment on table auth.saml_providers is 'Auth: SAML settings of an identity provider.';
create index saml_providers_sso_provider_id_idx on auth.saml_providers (sso_provider_id);

create table auth.saml_relay_states (
  id uuid not null constraint saml_relay_states_pkey primary key,
  sso_provider_id uuid not null
    constraint saml_relay_states_sso_provider_id_fkey references auth.sso_providers on delete cascade,
  request_id text not null constraint "request_id not empty" check (char_length(request_id) > 0),
  for_email text,
  redirect_to text,
  created_at timestamptz,
  updated_at timestamptz,
  flow_state_id uuid
    constraint saml_relay_states_flow_state_id_fkey references auth.flow_state on delete cascade);
comment on table auth.saml_relay_states is 'Auth: SAML sign-ins under way.';
create index saml_relay_states_created_at_idx on auth.saml_relay_states (created_at desc);
create index saml_relay_states_for_email_idx on auth.saml_relay_states (for_email);
create index saml_relay_states_sso_provider_id_idx on auth.saml_relay_states (sso_provider_id);

reset role;
