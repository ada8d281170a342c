-- Stand-in for supabase_vault. Secrets work, and the same roles may read them as on the platform.
-- They are stored base64-encoded, not encrypted: the encoding only makes a query that reads `secret`
-- where it means `decrypted_secret` fail here as it fails there.

create table vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea default uuid_send(gen_random_uuid()),
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
comment on table vault.secrets is 'nomdev stand-in: secrets are encoded, not encrypted';
create unique index secrets_name_idx on vault.secrets using btree (name) where name is not null;

create function vault._crypto_aead_det_encrypt(
  message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
) returns bytea
  language sql immutable
  return message;

create function vault._crypto_aead_det_decrypt(
  message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
) returns bytea
  language sql immutable
  return message;

create function vault._crypto_aead_det_noncegen() returns bytea
  language sql volatile
  return uuid_send(gen_random_uuid());

create view vault.decrypted_secrets as
select s.id, s.name, s.description, s.secret,
  convert_from(vault._crypto_aead_det_decrypt(decode(s.secret, 'base64'), convert_to(s.id::text, 'UTF8'), 0,
    'pgsodium', s.nonce), 'UTF8') as decrypted_secret,
  s.key_id, s.nonce, s.created_at, s.updated_at
from vault.secrets s;

create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
) returns uuid
  language sql volatile security definer set search_path = ''
begin atomic
  insert into vault.secrets (secret, name, description, key_id)
  values (encode(convert_to(new_secret, 'UTF8'), 'base64'), new_name, new_description, new_key_id)
  returning id;
end;

create function vault.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
  new_key_id uuid default null
) returns void
  language sql volatile security definer set search_path = ''
begin atomic
  update vault.secrets s set
    secret = coalesce(encode(convert_to(new_secret, 'UTF8'), 'base64'), s.secret),
    name = coalesce(new_name, s.name),
    description = coalesce(new_description, s.description),
    updated_at = now()
  where s.id = secret_id;
end;

revoke all on function vault.create_secret, vault.update_secret, vault._crypto_aead_det_encrypt,
  vault._crypto_aead_det_decrypt, vault._crypto_aead_det_noncegen from public;

-- The platform's own grants: secrets are written by function only.
do $$
begin
  if to_regrole('postgres') is not null then
    grant usage on schema vault to postgres with grant option;
    grant select, delete on vault.secrets, vault.decrypted_secrets to postgres with grant option;
    grant execute on function vault.create_secret, vault.update_secret, vault._crypto_aead_det_decrypt
      to postgres with grant option;
  end if;
  if to_regrole('service_role') is not null then
    grant usage on schema vault to service_role;
    grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
    grant execute on function vault.create_secret, vault.update_secret, vault._crypto_aead_det_decrypt
      to service_role;
  end if;
end $$;
