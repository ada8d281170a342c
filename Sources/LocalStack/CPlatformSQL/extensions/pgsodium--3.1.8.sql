-- Stand-in for pgsodium. What is encrypted here can be decrypted here and nowhere else: the cipher is
-- pgcrypto's AES, with a key derived from the key's row. Keys lie in the table in plain.

create type pgsodium.key_status as enum ('default', 'valid', 'invalid', 'expired');
create type pgsodium.key_type as enum ('aead-ietf', 'aead-det', 'hmacsha512', 'hmacsha256', 'auth',
  'shorthash', 'generichash', 'kdf', 'secretbox', 'secretstream', 'stream_xchacha20');

create table pgsodium.key (
  id uuid primary key default gen_random_uuid(),
  status pgsodium.key_status default 'valid',
  created timestamptz not null default current_timestamp,
  expires timestamptz,
  key_type pgsodium.key_type,
  key_id bigserial,
  key_context bytea default '\x7067736f6469756d' check (length(key_context) = 8),
  name text unique,
  associated_data text default 'associated',
  raw_key bytea,
  raw_key_nonce bytea,
  parent_key uuid references pgsodium.key (id),
  comment text,
  user_data text
);
comment on table pgsodium.key is 'nomdev stand-in: keys are kept in plain';

create view pgsodium.valid_key as
select id, name, status, key_type, key_id, key_context, created, expires, associated_data
from pgsodium.key
where status in ('valid', 'default') and (expires is null or expires > now());

create function pgsodium.create_key(
  key_type pgsodium.key_type default 'aead-det', name text default null, raw_key bytea default null,
  raw_key_nonce bytea default null, parent_key uuid default null, key_context bytea default '\x7067736f6469756d',
  expires timestamptz default null, associated_data text default ''
) returns pgsodium.valid_key
  language plpgsql security definer set search_path = ''
as $$
declare
  made uuid;
  result pgsodium.valid_key;
begin
  insert into pgsodium.key as k (key_type, name, raw_key, raw_key_nonce, parent_key, key_context, expires,
    associated_data)
  values (create_key.key_type, create_key.name, create_key.raw_key, create_key.raw_key_nonce,
    create_key.parent_key, create_key.key_context, create_key.expires, create_key.associated_data)
  returning k.id into made;
  select * into result from pgsodium.valid_key v where v.id = made;
  return result;
end $$;

create function pgsodium.get_key_by_id(uuid) returns pgsodium.valid_key
  language sql stable security definer
begin atomic
  select * from pgsodium.valid_key v where v.id = $1;
end;
create function pgsodium.get_key_by_name(text) returns pgsodium.valid_key
  language sql stable security definer
begin atomic
  select * from pgsodium.valid_key v where v.name = $1;
end;

create function pgsodium.randombytes_buf(size integer) returns bytea
  language sql volatile
  return gen_random_bytes(size);
create function pgsodium.randombytes_random() returns integer
  language sql volatile
  return ('x' || encode(gen_random_bytes(4), 'hex'))::bit(32)::integer;
create function pgsodium.randombytes_uniform(upper_bound integer) returns integer
  language sql volatile
  return mod(('x0' || substr(encode(gen_random_bytes(4), 'hex'), 2))::bit(32)::integer, upper_bound);
create function pgsodium.crypto_aead_det_keygen() returns bytea
  language sql volatile
  return gen_random_bytes(32);
create function pgsodium.crypto_aead_det_noncegen() returns bytea
  language sql volatile
  return gen_random_bytes(16);
create function pgsodium.crypto_secretbox_keygen() returns bytea
  language sql volatile
  return gen_random_bytes(32);
create function pgsodium.crypto_secretbox_noncegen() returns bytea
  language sql volatile
  return gen_random_bytes(24);

-- The tag binds message, additional data and nonce, so that a change of any is noticed on the way back.
create function pgsodium._stand_in_tag(message bytea, additional bytea, key bytea, nonce bytea) returns bytea
  language sql immutable
  return hmac(message || coalesce(additional, '') || coalesce(nonce, ''), key, 'sha256');

create function pgsodium._stand_in_decrypt(ciphertext bytea, key bytea) returns bytea
  language sql immutable
  return decrypt_iv(substr(ciphertext, 33), sha256(key), substr(ciphertext, 1, 16), 'aes');

create function pgsodium.crypto_aead_det_encrypt(
  message bytea, additional bytea, key bytea, nonce bytea default null
) returns bytea
  language sql immutable
  return (
    select t.tag || encrypt_iv(message, sha256(key), substr(t.tag, 1, 16), 'aes')
    from (select pgsodium._stand_in_tag(message, additional, key, nonce) as tag) t
  );

create function pgsodium.crypto_aead_det_decrypt(
  ciphertext bytea, additional bytea, key bytea, nonce bytea default null
) returns bytea
  language plpgsql immutable
as $$
declare
  message constant bytea := pgsodium._stand_in_decrypt(ciphertext, key);
begin
  if substr(ciphertext, 1, 32) <> pgsodium._stand_in_tag(message, additional, key, nonce) then
    raise exception 'pgsodium_crypto_aead_det_decrypt: invalid ciphertext' using errcode = 'data_exception';
  end if;
  return message;
end $$;

-- The secret of a key's row; never null, so that a missing key is an error and not a plain message.
create function pgsodium._stand_in_secret(key_uuid uuid) returns bytea
  language plpgsql stable security definer set search_path = ''
as $$
declare
  secret bytea;
begin
  select sha256(coalesce(k.raw_key, uuid_send(k.id))) into secret
  from pgsodium.key k join pgsodium.valid_key v on v.id = k.id where k.id = key_uuid;
  if secret is null then
    raise exception 'no valid key %', key_uuid using errcode = 'invalid_parameter_value';
  end if;
  return secret;
end $$;
revoke all on function pgsodium._stand_in_secret from public;

create function pgsodium.crypto_aead_det_encrypt(
  message bytea, additional bytea, key_uuid uuid, nonce bytea default null
) returns bytea
  language sql stable security definer
  return pgsodium.crypto_aead_det_encrypt(message, additional, pgsodium._stand_in_secret(key_uuid), nonce);
create function pgsodium.crypto_aead_det_decrypt(
  message bytea, additional bytea, key_uuid uuid, nonce bytea default null
) returns bytea
  language sql stable security definer
  return pgsodium.crypto_aead_det_decrypt(message, additional, pgsodium._stand_in_secret(key_uuid), nonce);

-- What may use keys on the platform: whoever holds the key roles, postgres and service_role among them.
revoke all on all functions in schema pgsodium from public;
grant usage on schema pgsodium to public;
do $$
declare
  role_name text;
begin
  foreach role_name in array array['postgres', 'service_role', 'pgsodium_keyiduser', 'pgsodium_keymaker'] loop
    continue when to_regrole(role_name) is null;
    execute format('grant select on pgsodium.valid_key to %I', role_name);
    execute format('grant execute on all functions in schema pgsodium to %I', role_name);
    execute format('revoke execute on function pgsodium._stand_in_secret from %I', role_name);
  end loop;
  if to_regrole('postgres') is not null then
    grant select, insert, update, delete on pgsodium.key to postgres;
    grant usage on all sequences in schema pgsodium to postgres;
  end if;
end $$;
