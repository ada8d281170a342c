-- Ten invented people. All sign in with the same password, "foodlog-demo". The first is the account the
-- app's debug build signs in as.

create temporary table seed_person on commit drop as
select pg_temp.seed_id('person', p.number) as id, p.*, p.handle || '@foodlog.test' as email,
  (pg_temp.seed_day() - 220 + p.number + time '08:30') at time zone 'UTC' as joined
from (values
  (1, 'cook', 'Vera Lindqvist', '👩‍🍳'),
  (2, 'jonas', 'Jonas Lindqvist', '🧔'),
  (3, 'aylin', 'Aylin Demir', '🌷'),
  (4, 'eleni', 'Eleni Papadaki', '🫒'),
  (5, 'mateo', 'Mateo Ruiz', '🎸'),
  (6, 'priya', 'Priya Raman', '🌶️'),
  (7, 'hana', 'Hana Sato', '🍙'),
  (8, 'tomas', 'Tomáš Novák', '🥟'),
  (9, 'amina', 'Amina Bello', '🦋'),
  (10, 'lucien', 'Lucien Moreau', '🧀')
) as p (number, handle, display_name, avatar_emoji);

-- The auth service scans several columns into plain strings: '' where a token could stand, never null.
-- The salts are fixed so that a second run writes the same hash; cost 4 keeps ten of them quick.
insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,
  confirmation_token, confirmation_sent_at, recovery_token, recovery_sent_at,
  email_change_token_new, email_change_token_current, email_change, email_change_sent_at,
  email_change_confirm_status, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, is_super_admin,
  created_at, updated_at, phone, phone_confirmed_at, phone_change, phone_change_token, phone_change_sent_at,
  reauthentication_token, reauthentication_sent_at, banned_until, deleted_at, is_sso_user, is_anonymous)
select '00000000-0000-0000-0000-000000000000', p.id, 'authenticated', 'authenticated', p.email,
  extensions.crypt('foodlog-demo', '$2a$04$' || rpad('NomNomSeed' || p.number || 'saltO', 21, 'x') || 'O'),
  p.joined, null,
  '', null, '', null,
  '', '', '', null,
  0, null, '{"provider": "email", "providers": ["email"]}',
  jsonb_build_object('sub', p.id, 'email', p.email, 'email_verified', true, 'phone_verified', false,
    'display_name', p.display_name), null,
  p.joined, p.joined, null, null, '', '', null,
  '', null, null, null, false, false
from seed_person p
order by p.number
on conflict (id) do update set
  instance_id = excluded.instance_id, aud = excluded.aud, role = excluded.role, email = excluded.email,
  encrypted_password = excluded.encrypted_password, email_confirmed_at = excluded.email_confirmed_at,
  invited_at = excluded.invited_at, confirmation_token = excluded.confirmation_token,
  confirmation_sent_at = excluded.confirmation_sent_at, recovery_token = excluded.recovery_token,
  recovery_sent_at = excluded.recovery_sent_at, email_change_token_new = excluded.email_change_token_new,
  email_change_token_current = excluded.email_change_token_current, email_change = excluded.email_change,
  email_change_sent_at = excluded.email_change_sent_at,
  email_change_confirm_status = excluded.email_change_confirm_status,
  last_sign_in_at = excluded.last_sign_in_at, raw_app_meta_data = excluded.raw_app_meta_data,
  raw_user_meta_data = excluded.raw_user_meta_data, is_super_admin = excluded.is_super_admin,
  created_at = excluded.created_at, updated_at = excluded.updated_at, phone = excluded.phone,
  phone_confirmed_at = excluded.phone_confirmed_at, phone_change = excluded.phone_change,
  phone_change_token = excluded.phone_change_token, phone_change_sent_at = excluded.phone_change_sent_at,
  reauthentication_token = excluded.reauthentication_token,
  reauthentication_sent_at = excluded.reauthentication_sent_at, banned_until = excluded.banned_until,
  deleted_at = excluded.deleted_at, is_sso_user = excluded.is_sso_user, is_anonymous = excluded.is_anonymous;

-- Password sign-in works without these, a second sign-up with the address fails badly without them.
insert into auth.identities (
  id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select pg_temp.seed_id('identity', p.number), p.id::text, p.id,
  jsonb_build_object('sub', p.id, 'email', p.email, 'email_verified', true, 'phone_verified', false),
  'email', p.joined, p.joined, p.joined
from seed_person p
on conflict (id) do update set
  provider_id = excluded.provider_id, user_id = excluded.user_id, identity_data = excluded.identity_data,
  provider = excluded.provider, last_sign_in_at = excluded.last_sign_in_at, created_at = excluded.created_at,
  updated_at = excluded.updated_at;

-- Signing up made the profiles; this asserts what they say.
insert into public.profiles (id, display_name, avatar_emoji, created_at, updated_at)
select p.id, p.display_name, p.avatar_emoji, p.joined, p.joined
from seed_person p
on conflict (id) do update set
  display_name = excluded.display_name, avatar_emoji = excluded.avatar_emoji,
  created_at = excluded.created_at, updated_at = excluded.updated_at;

create temporary table seed_eater on commit drop as
select pg_temp.seed_id('eater', e.number) as id, e.number, p.id as owner_id, e.name, e.avatar_emoji,
  p.joined + interval '1 day' as joined
from (values
  (1, 'cook', 'Alma', '🦄'),
  (2, 'cook', 'Nils', '🦖'),
  (3, 'aylin', 'Deniz', '🐬'),
  (4, 'mateo', 'Luz', '🌞'),
  (5, 'mateo', 'Pau', '🚲'),
  (6, 'amina', 'Sade', '🎈'),
  (7, 'tomas', 'Babička', '🧶')
) as e (number, owner, name, avatar_emoji)
join seed_person p on p.handle = e.owner;

insert into public.eaters (id, owner_id, name, avatar_emoji, created_at, updated_at)
select e.id, e.owner_id, e.name, e.avatar_emoji, e.joined, e.joined
from seed_eater e
on conflict (id) do update set
  owner_id = excluded.owner_id, name = excluded.name, avatar_emoji = excluded.avatar_emoji,
  created_at = excluded.created_at, updated_at = excluded.updated_at;

insert into public.device_tokens (id, user_id, token, environment, created_at, updated_at)
select pg_temp.seed_id('device', d.number), p.id, d.token, d.environment, p.joined, p.joined
from (values
  (1, 'cook', 'seeded-simulator-token', 'sandbox'),
  (2, 'cook', 'seeded-phone-token', 'production'),
  (3, 'jonas', 'seeded-phone-token', 'production')
) as d (number, owner, token, environment)
join seed_person p on p.handle = d.owner
on conflict (id) do update set
  user_id = excluded.user_id, token = excluded.token, environment = excluded.environment,
  created_at = excluded.created_at, updated_at = excluded.updated_at;
