-- Nom Nom: what a household cooked, who ate it, and what they thought of it.
--
-- Rules this file keeps, and later ones with it:
--   * Plain `create`. A file runs once, on a schema it knows; `if not exists` would hide that it does not.
--   * Deny by default. Row security is on for every table, each policy is `to authenticated`, and every grant
--     comes after a revoke, so that the outcome is the same whether or not the platform grants by itself.
--   * Who owns a row is settled when it is made. UPDATE is granted column by column, without the owner.
--   * Helpers that look past row security live in `private`, a schema the API does not serve and on which no
--     API role has USAGE: policies reach them (a stored policy needs EXECUTE only), requests can't.

-- Privileges of what is made from here on ---------------------------------------------------------------
-- On a project with automatic grants, every table made by this role is readable and writable by anon until
-- somebody remembers row security. Without them a residue stays (TRUNCATE on tables, UPDATE on sequences).
-- Both end here. Defaults of other creators are not ours to change; migrations run as this role.
alter default privileges in schema public revoke all on tables from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from public, anon, authenticated, service_role;
-- That everybody may execute a new function is a global default. A revoke for one schema leaves it in force,
-- so this one names none.
alter default privileges revoke execute on functions from public;

revoke all on all tables in schema public from anon, authenticated;
revoke all on all sequences in schema public from anon, authenticated;
revoke all on all routines in schema public from public, anon, authenticated;

create schema private;
revoke all on schema private from public;

-- Profiles ----------------------------------------------------------------------------------------------
-- One for each account, made by a trigger; nobody inserts or deletes one. Other tables refer to profiles
-- rather than to auth.users, because the API can embed them and API roles can't read the auth schema.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  display_name text not null check (display_name ~ '\S' and char_length(display_name) <= 80),
  avatar_emoji text not null default '🍴' check (avatar_emoji ~ '\S' and char_length(avatar_emoji) <= 16),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Dishes ------------------------------------------------------------------------------------------------
-- normalized_name is the folded form of the name by which the app finds a dish again: decomposed, combining
-- marks dropped, lower case (dotless i as i, final sigma as sigma), apostrophes dropped, every run of other
-- signs one space; a name of signs alone keeps them. The app writes it, because it needs the same key to
-- complete what is being typed before anything is saved; a second implementation here could disagree with it.
create table public.dishes (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  name text not null check (name ~ '\S' and char_length(name) <= 200),
  normalized_name text not null check (normalized_name ~ '\S'),
  tags text[] not null default '{}' check (array_position(tags, null) is null),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (owner_id, normalized_name),
  unique (id, owner_id)  -- what meals refer to
);

-- Meals -------------------------------------------------------------------------------------------------
-- A meal is of a dish of the person who made it: the foreign key takes both columns, so that not even the
-- service role can put one cook's meal on another's dish. A photo is stored under the meal's own id, spelled
-- as here: a second spelling of the folder would be missed when the meal's photos are removed.
create table public.meals (
  id uuid primary key default gen_random_uuid(),
  dish_id uuid not null,
  created_by uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  eaten_on date not null default current_date,
  notes text,
  photo_path text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (dish_id, created_by) references public.dishes (id, owner_id) on delete cascade,
  constraint meals_photo_path_check
    check (photo_path ~ ('^' || id::text || '/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jpg$'))
);
create index meals_dish_id_idx on public.meals (dish_id, created_by);
create index meals_created_by_eaten_on_idx on public.meals (created_by, eaten_on desc);

-- Eaters ------------------------------------------------------------------------------------------------
-- Members of a household who have no account: children, mostly. Whoever added one speaks for them.
create table public.eaters (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  name text not null check (name ~ '\S' and char_length(name) <= 80),
  avatar_emoji text not null default '🙂' check (avatar_emoji ~ '\S' and char_length(avatar_emoji) <= 16),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index eaters_owner_id_idx on public.eaters (owner_id);

-- Invites -----------------------------------------------------------------------------------------------
-- The invited is known by account, by address, or by both. Nulls don't collide in a unique index, so each
-- way of knowing them has its own.
create table public.meal_invites (
  id uuid primary key default gen_random_uuid(),
  meal_id uuid not null references public.meals (id) on delete cascade,
  inviter_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  invitee_id uuid references public.profiles (id) on delete cascade,
  invitee_email text check (invitee_email ~ '^[^@\s]+@[^@\s]+$'),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint meal_invites_somebody_check check (num_nonnulls(invitee_id, invitee_email) > 0)
);
create unique index meal_invites_by_person on public.meal_invites (meal_id, invitee_id)
  where invitee_id is not null;
create unique index meal_invites_by_address on public.meal_invites (meal_id, lower(invitee_email))
  where invitee_email is not null;
create index meal_invites_inviter_id_idx on public.meal_invites (inviter_id);
create index meal_invites_invitee_id_idx on public.meal_invites (invitee_id);
-- Signing up asks for these.
create index meal_invites_unclaimed on public.meal_invites (lower(invitee_email)) where invitee_id is null;

-- Verdicts ----------------------------------------------------------------------------------------------
-- 0 nope, 1 ok, 2 yes. The verdict is an account's own (rater_id) or an eater's (eater_id), never both:
-- a row claiming both would be counted for two people.
create table public.meal_ratings (
  id uuid primary key default gen_random_uuid(),
  meal_id uuid not null references public.meals (id) on delete cascade,
  rater_id uuid references public.profiles (id) on delete cascade,
  eater_id uuid references public.eaters (id) on delete cascade,
  reaction smallint not null check (reaction between 0 and 2),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint meal_ratings_one_source_check check (num_nonnulls(rater_id, eater_id) = 1),
  unique (meal_id, rater_id),
  unique (meal_id, eater_id)
);
create index meal_ratings_rater_id_idx on public.meal_ratings (rater_id);
create index meal_ratings_eater_id_idx on public.meal_ratings (eater_id);

-- Notifications -----------------------------------------------------------------------------------------
-- Written by triggers alone: a person who could insert here could put words into anybody's inbox.
create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null constraint notifications_kind_check check (kind in ('rating_request', 'rating')),
  title text not null check (title ~ '\S'),
  body text not null check (body ~ '\S'),
  meal_id uuid references public.meals (id) on delete cascade,
  read_at timestamptz,
  created_at timestamptz not null default now()
);
create index notifications_user_id_idx on public.notifications (user_id, created_at desc);
create index notifications_meal_id_idx on public.notifications (meal_id);

-- Device tokens -----------------------------------------------------------------------------------------
-- Where to push to. Apple's two environments hand out tokens that only work in their own.
create table public.device_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  token text not null check (token ~ '\S'),
  environment text not null check (environment in ('sandbox', 'production')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, token)
);

-- updated_at --------------------------------------------------------------------------------------------
-- Set when a row really changes, unless the statement set it: API roles have no grant to, seeds do, and a
-- seed that finds its row as it left it must leave it so.
create function private.touch() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.updated_at is not distinct from old.updated_at then
    new.updated_at := now();
  end if;
  return new;
end;
$$;

create trigger touch before update on public.profiles
  for each row when (old.* is distinct from new.*) execute function private.touch();
create trigger touch before update on public.dishes
  for each row when (old.* is distinct from new.*) execute function private.touch();
create trigger touch before update on public.meals
  for each row when (old.* is distinct from new.*) execute function private.touch();
create trigger touch before update on public.eaters
  for each row when (old.* is distinct from new.*) execute function private.touch();
create trigger touch before update on public.meal_invites
  for each row when (old.* is distinct from new.*) execute function private.touch();
create trigger touch before update on public.meal_ratings
  for each row when (old.* is distinct from new.*) execute function private.touch();
create trigger touch before update on public.device_tokens
  for each row when (old.* is distinct from new.*) execute function private.touch();

-- Sign-up -----------------------------------------------------------------------------------------------
-- The auth service inserts with its own role and search_path, and whatever fails here fails the sign-up:
-- hence definer, qualified names, and a name for every account, also one without an address.
create function private.make_profile() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  candidates text[] := array[
    new.raw_user_meta_data ->> 'display_name', new.raw_user_meta_data ->> 'full_name',
    new.raw_user_meta_data ->> 'name', split_part(new.email, '@', 1), 'Someone'];
begin
  insert into public.profiles (id, display_name)
  select new.id, shown.name
  from unnest(candidates) with ordinality as c (name, place)
  cross join lateral (values (left(regexp_replace(c.name, '^\s+|\s+$', '', 'g'), 80))) as shown (name)
  where shown.name ~ '\S'
  order by c.place
  limit 1;
  return null;
end;
$$;

-- Triggers of one event run in the order of their names: the profile first, the claims refer to it.
create trigger nomnom_1_profile after insert on auth.users
  for each row execute function private.make_profile();

-- The account behind an address. Nothing that an API role may call returns this: it would tell anybody
-- which addresses have an account. It is used by triggers, which run as its owner.
create function private.account_with_address(address text) returns uuid
language sql stable security definer set search_path = ''
as $$
  select p.id
  from auth.users u
  join public.profiles p on p.id = u.id
  where lower(u.email) = lower(address) and not u.is_sso_user and u.deleted_at is null
$$;

-- An address decides who is invited, whatever account the request named beside it.
create function private.address_meal_invite() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.invitee_email := btrim(new.invitee_email);
  if new.invitee_email is not null then
    new.invitee_id := private.account_with_address(new.invitee_email);
  end if;
  return new;
end;
$$;

create trigger address_invite before insert on public.meal_invites
  for each row execute function private.address_meal_invite();

create function private.claim_meal_invites() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.meal_invites i
  set invitee_id = new.id
  where i.invitee_id is null and lower(i.invitee_email) = lower(new.email)
    -- Invited to the same meal already, under another address: a second claim would fail the sign-up.
    and not exists (
      select from public.meal_invites mine where mine.meal_id = i.meal_id and mine.invitee_id = new.id);
  return null;
end;
$$;

-- An address may come with the account or later (an anonymous account that gets one, a change of address).
-- An account that hasn't confirmed its address holds the claim too, but can't sign in to see it.
create trigger nomnom_2_claim_meal_invites after insert on auth.users
  for each row when (new.email is not null) execute function private.claim_meal_invites();
create trigger nomnom_2_claim_meal_invites_later after update of email on auth.users
  for each row when (new.email is not null and new.email is distinct from old.email)
  execute function private.claim_meal_invites();

-- Notifications -----------------------------------------------------------------------------------------
-- Once an invite has an account, that account is asked for a verdict. Linked on insert or claimed later,
-- an invite gets its account exactly once, so it asks exactly once. Inviting oneself asks nobody.
create function private.request_rating() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, kind, title, body, meal_id)
  select new.invitee_id, 'rating_request', 'How was it?',
    format('%s asks what you think of %s', inviter.display_name, d.name), m.id
  from public.meals m
  join public.dishes d on d.id = m.dish_id
  join public.profiles inviter on inviter.id = new.inviter_id
  where m.id = new.meal_id;
  return null;
end;
$$;

create trigger request_rating_linked after insert on public.meal_invites
  for each row when (new.invitee_id is not null and new.invitee_id <> new.inviter_id)
  execute function private.request_rating();
create trigger request_rating_claimed after update of invitee_id on public.meal_invites
  for each row when (old.invitee_id is null and new.invitee_id is not null and new.invitee_id <> new.inviter_id)
  execute function private.request_rating();

-- A verdict is news to the cook unless the cook recorded it. An eater's was recorded by the eater's owner,
-- and is told under the eater's name. Whoever recorded one has thereby answered their invite.
create function private.announce_rating() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  recorder uuid;
  speaker text;
begin
  if new.eater_id is null then
    select p.id, p.display_name into recorder, speaker from public.profiles p where p.id = new.rater_id;
  else
    select e.owner_id, e.name into recorder, speaker from public.eaters e where e.id = new.eater_id;
  end if;

  update public.meal_invites
  set status = 'accepted'
  where meal_id = new.meal_id and invitee_id = recorder and status = 'pending';

  insert into public.notifications (user_id, kind, title, body, meal_id)
  select m.created_by, 'rating', 'A verdict',
    format('%s says %s to %s', speaker, (array['nope', 'ok', 'yes'])[new.reaction + 1], d.name), m.id
  from public.meals m
  join public.dishes d on d.id = m.dish_id
  where m.id = new.meal_id and m.created_by <> recorder;
  return null;
end;
$$;

create trigger announce_rating after insert on public.meal_ratings
  for each row execute function private.announce_rating();

-- Who shares a table with the caller --------------------------------------------------------------------
-- Policies of one table that read another are subject to that table's policies; two tables whose policies
-- read each other are an error. These helpers break the circle. They return sets, so a policy's
-- `in (select ...)` asks once for a statement and not once for a row. They are STABLE, hence blind to rows
-- the running statement inserts: a select policy tests the owning column first, or INSERT ... RETURNING fails.

create function private.meals_shared_with_me() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select i.meal_id
  from public.meal_invites i
  where i.invitee_id = auth.uid() and i.status <> 'declined'
$$;

create function private.dishes_shared_with_me() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.dish_id
  from public.meals m
  where m.id in (select private.meals_shared_with_me())
$$;

create function private.eaters_at_my_table() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select r.eater_id
  from public.meal_ratings r
  join public.meals m on m.id = r.meal_id
  where r.eater_id is not null
    and (m.created_by = auth.uid() or m.id in (select private.meals_shared_with_me()))
$$;

-- Cooks and guests know one another's names. Somebody who was only asked is not shown until they accept:
-- inviting an address must not be a way to learn the name behind it.
create function private.people_at_my_table() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  with my_table as (
    select m.id, m.created_by
    from public.meals m
    where m.created_by = auth.uid() or m.id in (select private.meals_shared_with_me())
  )
  select created_by from my_table
  union
  select i.invitee_id
  from my_table t
  join public.meal_invites i on i.meal_id = t.id
  where i.invitee_id is not null and i.status = 'accepted'
$$;

-- The meal a stored photo belongs to, from the first folder of its name; null when that isn't a uuid spelled
-- as the database spells it. The cast stands behind the guard: a bad name is nobody's, not an error.
create function private.photo_meal(object_name text) returns uuid
language sql stable set search_path = ''
as $$
  select case
    when folder ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then folder::uuid
  end
  from (values ((storage.foldername(object_name))[1])) as f (folder)
$$;

-- Row security ------------------------------------------------------------------------------------------
alter table public.profiles enable row level security;
alter table public.dishes enable row level security;
alter table public.meals enable row level security;
alter table public.eaters enable row level security;
alter table public.meal_invites enable row level security;
alter table public.meal_ratings enable row level security;
alter table public.notifications enable row level security;
alter table public.device_tokens enable row level security;

create policy "own profile and those at my table" on public.profiles for select to authenticated
  using (id = (select auth.uid()) or id in (select private.people_at_my_table()));
create policy "own is changed" on public.profiles for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));

create policy "owner and guests read" on public.dishes for select to authenticated
  using (owner_id = (select auth.uid()) or id in (select private.dishes_shared_with_me()));
create policy "owner adds" on public.dishes for insert to authenticated
  with check (owner_id = (select auth.uid()));
create policy "owner changes" on public.dishes for update to authenticated
  using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
create policy "owner deletes" on public.dishes for delete to authenticated
  using (owner_id = (select auth.uid()));

create policy "cook and guests read" on public.meals for select to authenticated
  using (created_by = (select auth.uid()) or id in (select private.meals_shared_with_me()));
create policy "cook adds, of an own dish" on public.meals for insert to authenticated
  with check (
    created_by = (select auth.uid())
    and dish_id in (select d.id from public.dishes d where d.owner_id = (select auth.uid()))
  );
create policy "cook changes, to an own dish" on public.meals for update to authenticated
  using (created_by = (select auth.uid()))
  with check (
    created_by = (select auth.uid())
    and dish_id in (select d.id from public.dishes d where d.owner_id = (select auth.uid()))
  );
create policy "cook deletes" on public.meals for delete to authenticated
  using (created_by = (select auth.uid()));

create policy "owner and the table read" on public.eaters for select to authenticated
  using (owner_id = (select auth.uid()) or id in (select private.eaters_at_my_table()));
create policy "owner adds" on public.eaters for insert to authenticated
  with check (owner_id = (select auth.uid()));
create policy "owner changes" on public.eaters for update to authenticated
  using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
create policy "owner deletes" on public.eaters for delete to authenticated
  using (owner_id = (select auth.uid()));

create policy "both sides read" on public.meal_invites for select to authenticated
  using (inviter_id = (select auth.uid()) or invitee_id = (select auth.uid()));
create policy "cook invites" on public.meal_invites for insert to authenticated
  with check (
    inviter_id = (select auth.uid())
    and meal_id in (select m.id from public.meals m where m.created_by = (select auth.uid()))
  );
create policy "invited answers" on public.meal_invites for update to authenticated
  using (invitee_id = (select auth.uid())) with check (invitee_id = (select auth.uid()));
create policy "inviter withdraws" on public.meal_invites for delete to authenticated
  using (inviter_id = (select auth.uid()));

-- A verdict is read by whoever reads the meal. It is recorded by the cook and by guests, each for themselves
-- and for their own eaters. Both sources at once pass here if both are the caller's: the check constraint is
-- what refuses that, and says so.
create policy "recorder and the table read" on public.meal_ratings for select to authenticated
  using (
    rater_id = (select auth.uid())
    or eater_id in (select e.id from public.eaters e where e.owner_id = (select auth.uid()))
    or meal_id in (select m.id from public.meals m)
  );
create policy "cook and guests record" on public.meal_ratings for insert to authenticated
  with check (
    (rater_id is null or rater_id = (select auth.uid()))
    and (eater_id is null
      or eater_id in (select e.id from public.eaters e where e.owner_id = (select auth.uid())))
    and (meal_id in (select m.id from public.meals m where m.created_by = (select auth.uid()))
      or meal_id in (select private.meals_shared_with_me()))
  );
create policy "recorder changes" on public.meal_ratings for update to authenticated
  using (
    rater_id = (select auth.uid())
    or eater_id in (select e.id from public.eaters e where e.owner_id = (select auth.uid()))
  )
  with check (
    rater_id = (select auth.uid())
    or eater_id in (select e.id from public.eaters e where e.owner_id = (select auth.uid()))
  );
create policy "recorder clears" on public.meal_ratings for delete to authenticated
  using (
    rater_id = (select auth.uid())
    or eater_id in (select e.id from public.eaters e where e.owner_id = (select auth.uid()))
  );

create policy "own inbox" on public.notifications for select to authenticated
  using (user_id = (select auth.uid()));
create policy "own is marked read" on public.notifications for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "own is cleared" on public.notifications for delete to authenticated
  using (user_id = (select auth.uid()));

create policy "own devices" on public.device_tokens for select to authenticated
  using (user_id = (select auth.uid()));
create policy "own is added" on public.device_tokens for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy "own is changed" on public.device_tokens for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "own is removed" on public.device_tokens for delete to authenticated
  using (user_id = (select auth.uid()));

-- Grants ------------------------------------------------------------------------------------------------
-- Row security filters rows of a privilege one has; what nobody should do is not granted at all. Columns
-- left out of INSERT and UPDATE are the database's (timestamps), or settled for good (owners, both ends).
revoke all on public.profiles, public.dishes, public.meals, public.eaters, public.meal_invites,
  public.meal_ratings, public.notifications, public.device_tokens
  from public, anon, authenticated, service_role;

grant select on public.profiles, public.dishes, public.meals, public.eaters, public.meal_invites,
  public.meal_ratings, public.notifications, public.device_tokens to authenticated;

grant update (display_name, avatar_emoji) on public.profiles to authenticated;

grant insert (id, owner_id, name, normalized_name, tags) on public.dishes to authenticated;
grant update (name, normalized_name, tags) on public.dishes to authenticated;
grant delete on public.dishes to authenticated;

grant insert (id, dish_id, created_by, eaten_on, notes, photo_path) on public.meals to authenticated;
grant update (dish_id, eaten_on, notes, photo_path) on public.meals to authenticated;
grant delete on public.meals to authenticated;

grant insert (id, owner_id, name, avatar_emoji) on public.eaters to authenticated;
grant update (name, avatar_emoji) on public.eaters to authenticated;
grant delete on public.eaters to authenticated;

-- An invite begins as pending: its status isn't the inviter's to give.
grant insert (id, meal_id, inviter_id, invitee_id, invitee_email) on public.meal_invites to authenticated;
grant update (status) on public.meal_invites to authenticated;
grant delete on public.meal_invites to authenticated;

grant insert (id, meal_id, rater_id, eater_id, reaction) on public.meal_ratings to authenticated;
grant update (reaction) on public.meal_ratings to authenticated;
grant delete on public.meal_ratings to authenticated;

-- No INSERT, for any API role.
grant update (read_at) on public.notifications to authenticated;
grant delete on public.notifications to authenticated;

-- An app registers its token at every start with an upsert on (user_id, token), which sets what it names;
-- here alone the policy's check is what keeps a row from being given away.
grant insert (id, user_id, token, environment) on public.device_tokens to authenticated;
grant update (user_id, token, environment) on public.device_tokens to authenticated;
grant delete on public.device_tokens to authenticated;

-- The server's own key bypasses row security, not privileges.
grant select, insert, update, delete on public.profiles, public.dishes, public.meals, public.eaters,
  public.meal_invites, public.meal_ratings, public.device_tokens to service_role;
grant select, update, delete on public.notifications to service_role;

-- Only what policies call. Trigger functions need no EXECUTE to fire.
revoke all on all functions in schema private from public, anon, authenticated, service_role;
grant execute on function private.meals_shared_with_me(), private.dishes_shared_with_me(),
  private.eaters_at_my_table(), private.people_at_my_table(), private.photo_meal(text) to authenticated;

-- Photos ------------------------------------------------------------------------------------------------
-- The bucket may have been made by hand before this ran: every column is asserted, because a bucket left
-- public would serve every photo to whoever has the link, whatever the policies say.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('meal-photos', 'meal-photos', false, 10 * 1024 * 1024, array['image/jpeg'])
on conflict (id) do update set
  name = excluded.name,
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- The platform owns this table and turns row security on for it. Policies on a table without it are idle.
do $$
begin
  if not (select c.relrowsecurity from pg_catalog.pg_class c where c.oid = 'storage.objects'::regclass) then
    raise exception 'row security is off for storage.objects: every photo would be open to every account'
      using hint = 'enable it as the owner of the table, then run this migration again';
  end if;
end;
$$;

-- Named with the bucket, because all buckets share this table. Who reads the meal reads its photo.
create policy "meal-photos: the table looks" on storage.objects for select to authenticated
  using (bucket_id = 'meal-photos' and private.photo_meal(name) in (select m.id from public.meals m));
create policy "meal-photos: the cook adds" on storage.objects for insert to authenticated
  with check (
    bucket_id = 'meal-photos'
    and private.photo_meal(name) in (
      select m.id from public.meals m where m.created_by = (select auth.uid()))
  );
create policy "meal-photos: the cook replaces" on storage.objects for update to authenticated
  using (
    bucket_id = 'meal-photos'
    and private.photo_meal(name) in (
      select m.id from public.meals m where m.created_by = (select auth.uid()))
  )
  with check (
    bucket_id = 'meal-photos'
    and private.photo_meal(name) in (
      select m.id from public.meals m where m.created_by = (select auth.uid()))
  );
create policy "meal-photos: the cook deletes" on storage.objects for delete to authenticated
  using (
    bucket_id = 'meal-photos'
    and private.photo_meal(name) in (
      select m.id from public.meals m where m.created_by = (select auth.uid()))
  );
