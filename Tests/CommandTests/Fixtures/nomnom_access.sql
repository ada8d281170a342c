-- What Nom Nom's database lets each person do, asked of the database itself.
--
-- Run on a migrated database without seeds, in one transaction that is rolled back, as a role that may become
-- the API roles (postgres or a superuser). Every statement that returns rows returns (check, ok, detail); any
-- row that isn't ok fails. A check holds under both grant profiles of the platform.
--
-- Numbers 1 to 33 are the app's access cases. The others are what those numbers don't reach.

-- The actors --------------------------------------------------------------------------------------------
create temporary table actor (name text primary key, id uuid not null, email text);
insert into actor (name, id, email) values
  ('cook', 'ac700000-0000-4000-8000-000000000001', 'cook@actors.test'),
  ('guest', 'ac700000-0000-4000-8000-000000000002', 'guest@actors.test'),
  ('outsider', 'ac700000-0000-4000-8000-000000000003', 'outsider@actors.test'),
  ('latecomer', 'ac700000-0000-4000-8000-000000000004', 'latecomer@actors.test'),
  ('friend', 'ac700000-0000-4000-8000-000000000005', 'friend@actors.test'),
  ('member', 'ac700000-0000-4000-8000-000000000006', 'member@actors.test'),
  ('nameless', 'ac700000-0000-4000-8000-000000000007', null);
-- Rows that cases refer to as {name}; no one signs in as these.
insert into actor (name, id) values
  ('dish', 'ac700000-0000-4000-8000-000000000011'), ('meal', 'ac700000-0000-4000-8000-000000000012'),
  ('kid', 'ac700000-0000-4000-8000-000000000013'), ('guest kid', 'ac700000-0000-4000-8000-000000000014'),
  ('invite', 'ac700000-0000-4000-8000-000000000015'), ('party', 'ac700000-0000-4000-8000-000000000016'),
  ('other dish', 'ac700000-0000-4000-8000-000000000017'), ('served', 'ac700000-0000-4000-8000-000000000018'),
  ('recipe', 'ac700000-0000-4000-8000-000000000019'), ('photo', 'ac700000-0000-4000-8000-00000000001a'),
  ('kid verdict', 'ac700000-0000-4000-8000-00000000001b');

-- Runs a statement the way a request does and says what came of it: 'N rows', 'privilege', 'policy',
-- 'constraint NAME', 'not null', or the SQLSTATE. A refused statement leaves nothing behind.
-- who: an actor; 'anon' or 'service_role' (a key, no account); 'auth' (the auth service); 'owner' (as run).
create function pg_temp.outcome(who text, statement text) returns text
language plpgsql
as $$
declare
  named record;
  touched bigint;
  violated text;
  refusal text;
  said text;
begin
  for named in select a.name, a.id, a.email from pg_temp.actor a loop
    statement := replace(statement, '{' || named.name || '}', named.id::text);
    statement := replace(statement, '{' || named.name || '.email}', coalesce(named.email, ''));
  end loop;
  begin
    if who = 'auth' then
      perform set_config('search_path', 'auth', true), set_config('role', 'supabase_auth_admin', true);
    elsif who in ('anon', 'service_role') then
      perform set_config('request.jwt.claims', json_build_object('role', who)::text, true),
        set_config('role', who, true);
    elsif who <> 'owner' then
      perform set_config('request.jwt.claims', json_build_object('role', 'authenticated', 'sub', a.id)::text, true)
      from pg_temp.actor a where a.name = who;
      if not found then
        raise exception 'no actor is called %', who;
      end if;
      perform set_config('role', 'authenticated', true);
    end if;
    execute statement;
    get diagnostics touched = row_count;
    refusal := touched || case when touched = 1 then ' row' else ' rows' end;
  exception
    when insufficient_privilege then
      get stacked diagnostics said = message_text;
      refusal := case
        when said like 'new row violates row-level security policy%' then 'policy'
        when said like 'permission denied for %' then 'privilege'
        else said end;
    when integrity_constraint_violation then
      get stacked diagnostics violated = constraint_name;
      refusal := 'constraint ' || violated;
    when others then
      refusal := sqlstate || ' ' || sqlerrm;
  end;
  reset role;
  perform set_config('request.jwt.claims', '', true), set_config('search_path', 'public, extensions', true);
  return refusal;
end;
$$;

-- One check: `who` runs `statement`, and what must come of it.
create function pg_temp.expect(title text, who text, statement text, wanted text)
returns table ("check" text, ok boolean, detail text)
language plpgsql
as $$
declare
  got text := pg_temp.outcome(who, statement);
begin
  return query select title, got = wanted, format('%s: expected %s, got %s', who, wanted, got);
end;
$$;

-- Accounts ----------------------------------------------------------------------------------------------
select * from pg_temp.expect('1 sign-up succeeds', 'auth', $$
  insert into users (instance_id, id, aud, role, email, raw_user_meta_data, created_at, updated_at)
  values
    ('00000000-0000-0000-0000-000000000000', '{cook}', 'authenticated', '', '{cook.email}', '{"full_name": " Ada "}', now(), now()),
    ('00000000-0000-0000-0000-000000000000', '{guest}', 'authenticated', '', '{guest.email}', '{"display_name": "Gus", "full_name": "Gustav"}', now(), now()),
    ('00000000-0000-0000-0000-000000000000', '{outsider}', 'authenticated', '', '{outsider.email}', '{"full_name": "  \t"}', now(), now()),
    ('00000000-0000-0000-0000-000000000000', '{friend}', 'authenticated', '', '{friend.email}', null, now(), now()),
    ('00000000-0000-0000-0000-000000000000', '{member}', 'authenticated', '', '{member.email}', '{}', now(), now()),
    ('00000000-0000-0000-0000-000000000000', '{nameless}', 'authenticated', '', null, '{"full_name": 5}', now(), now())
$$, '6 rows');
select * from pg_temp.expect('1 sign-up makes a profile', 'cook',
  $$ select from public.profiles where id = '{cook}' and display_name = 'Ada' $$, '1 row');
select * from pg_temp.expect('profile: display_name before full_name', 'guest',
  $$ select from public.profiles where id = '{guest}' and display_name = 'Gus' $$, '1 row');
select * from pg_temp.expect('profile: a blank name is passed over for the part before @', 'outsider',
  $$ select from public.profiles where id = '{outsider}' and display_name = 'outsider' $$, '1 row');
select * from pg_temp.expect('profile: without metadata the part before @', 'friend',
  $$ select from public.profiles where id = '{friend}' and display_name = 'friend' $$, '1 row');
select * from pg_temp.expect('profile: an account without an address gets one too', 'nameless',
  $$ select from public.profiles where id = '{nameless}' and display_name = '5' $$, '1 row');
select * from pg_temp.expect('profile: strangers do not see it', 'outsider',
  $$ select from public.profiles where id <> '{outsider}' $$, '0 rows');
select * from pg_temp.expect('profile: one''s own is changed', 'cook',
  $$ update public.profiles set avatar_emoji = '🍲' where id = '{cook}' $$, '1 row');
select * from pg_temp.expect('profile: a stranger''s is not', 'outsider',
  $$ update public.profiles set display_name = 'x' where id = '{cook}' $$, '0 rows');
select * from pg_temp.expect('profile: nobody inserts one', 'cook',
  $$ insert into public.profiles (id, display_name) values (gen_random_uuid(), 'x') $$, 'privilege');
select * from pg_temp.expect('profile: nobody deletes one', 'cook',
  $$ delete from public.profiles where id = '{cook}' $$, 'privilege');
select * from pg_temp.expect('profile: its id can''t be changed', 'cook',
  $$ update public.profiles set id = gen_random_uuid() where id = '{cook}' $$, 'privilege');

-- Dishes and meals --------------------------------------------------------------------------------------
select * from pg_temp.expect('2 the cook inserts a dish', 'cook', $$
  insert into public.dishes (id, owner_id, name, normalized_name) values ('{dish}', '{cook}', 'Tacos', 'tacos')
  returning *
$$, '1 row');
select * from pg_temp.expect('dish: without naming the owner it is the caller''s', 'outsider', $$
  insert into public.dishes (id, name, normalized_name) values ('{other dish}', 'Soup', 'soup') returning owner_id
$$, '1 row');
select * from pg_temp.expect('dish: not for somebody else', 'outsider', $$
  insert into public.dishes (owner_id, name, normalized_name) values ('{cook}', 'Pie', 'pie')
$$, 'policy');
select * from pg_temp.expect('dish: one of a name', 'cook', $$
  insert into public.dishes (owner_id, name, normalized_name) values ('{cook}', 'TACOS', 'tacos')
$$, 'constraint dishes_owner_id_normalized_name_key');
select * from pg_temp.expect('dish: the name is not blank', 'cook', $$
  insert into public.dishes (owner_id, name, normalized_name) values ('{cook}', E' \t', 'x')
$$, 'constraint dishes_name_check');
select * from pg_temp.expect('dish: neither is the folded name', 'cook', $$
  insert into public.dishes (owner_id, name, normalized_name) values ('{cook}', 'x', ' ')
$$, 'constraint dishes_normalized_name_check');
select * from pg_temp.expect('dish: renamed by the owner', 'cook',
  $$ update public.dishes set name = 'Tacos!' where id = '{dish}' $$, '1 row');
select * from pg_temp.expect('dish: can''t be given away', 'cook',
  $$ update public.dishes set owner_id = '{guest}' where id = '{dish}' $$, 'privilege');
select * from pg_temp.expect('dish: its dates are the database''s', 'cook',
  $$ update public.dishes set created_at = now() where id = '{dish}' $$, 'privilege');
select * from pg_temp.expect('dish: an outsider changes nothing', 'outsider',
  $$ update public.dishes set name = 'x' where id = '{dish}' $$, '0 rows');
select * from pg_temp.expect('dish: an outsider deletes nothing', 'outsider',
  $$ delete from public.dishes where id = '{dish}' $$, '0 rows');

select * from pg_temp.expect('3 the cook inserts a meal', 'cook', $$
  insert into public.meals (id, dish_id, created_by) values ('{meal}', '{dish}', '{cook}') returning *
$$, '1 row');
select * from pg_temp.expect('meal: not as somebody else', 'outsider', $$
  insert into public.meals (dish_id, created_by) values ('{dish}', '{cook}')
$$, 'policy');
select * from pg_temp.expect('meal: not of somebody else''s dish', 'outsider', $$
  insert into public.meals (dish_id, created_by) values ('{dish}', '{outsider}')
$$, 'policy');
select * from pg_temp.expect('meal: not even the service role mixes cook and dish', 'service_role', $$
  insert into public.meals (dish_id, created_by) values ('{dish}', '{outsider}')
$$, 'constraint meals_dish_id_created_by_fkey');
select * from pg_temp.expect('meal: a photo lies in the meal''s folder', 'cook', $$
  update public.meals set photo_path = '{meal}/{photo}.jpg' where id = '{meal}'
$$, '1 row');
select * from pg_temp.expect('meal: a photo lies in no other folder', 'cook', $$
  update public.meals set photo_path = '{dish}/{photo}.jpg' where id = '{meal}'
$$, 'constraint meals_photo_path_check');
select * from pg_temp.expect('meal: can''t be given away', 'cook',
  $$ update public.meals set created_by = '{guest}' where id = '{meal}' $$, 'privilege');
select * from pg_temp.expect('meal: can''t be moved to another''s dish', 'cook',
  $$ update public.meals set dish_id = '{other dish}' where id = '{meal}' $$, 'policy');
select * from pg_temp.expect('4 an outsider can''t read the meal', 'outsider',
  $$ select from public.meals where id = '{meal}' $$, '0 rows');
select * from pg_temp.expect('5 nor the dish', 'outsider',
  $$ select from public.dishes where id = '{dish}' $$, '0 rows');
select * from pg_temp.expect('6 nor rate it', 'outsider',
  $$ insert into public.meal_ratings (meal_id, rater_id, reaction) values ('{meal}', '{outsider}', 2) $$, 'policy');
select * from pg_temp.expect('meal: an outsider changes nothing', 'outsider',
  $$ update public.meals set notes = 'x' where id = '{meal}' $$, '0 rows');
select * from pg_temp.expect('meal: an outsider deletes nothing', 'outsider',
  $$ delete from public.meals where id = '{meal}' $$, '0 rows');

-- A guest -----------------------------------------------------------------------------------------------
select * from pg_temp.expect('invite: an outsider can''t invite to the meal', 'outsider', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_id) values ('{meal}', '{outsider}', '{outsider}')
$$, 'policy');
select * from pg_temp.expect('invite: nor in the cook''s name', 'outsider', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_id) values ('{meal}', '{cook}', '{outsider}')
$$, 'policy');
select * from pg_temp.expect('invite: of nobody is refused', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id) values ('{meal}', '{cook}')
$$, 'constraint meal_invites_somebody_check');
select * from pg_temp.expect('invite: can''t begin as accepted', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_id, status) values ('{meal}', '{cook}', '{guest}', 'accepted')
$$, 'privilege');
select * from pg_temp.expect('7 the cook invites a guest who has an account', 'cook', $$
  insert into public.meal_invites (id, meal_id, inviter_id, invitee_id) values ('{invite}', '{meal}', '{cook}', '{guest}')
  returning *
$$, '1 row');
select * from pg_temp.expect('invite: once per person', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_id) values ('{meal}', '{cook}', '{guest}')
$$, 'constraint meal_invites_by_person');
select * from pg_temp.expect('invite: once per person, also by address', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_email) values ('{meal}', '{cook}', '{guest.email}')
$$, 'constraint meal_invites_by_person');
select * from pg_temp.expect('8 the guest gets exactly one rating request', 'guest',
  $$ select from public.notifications where meal_id = '{meal}' and kind = 'rating_request' and body = 'Ada asks what you think of Tacos!' $$,
  '1 row');
select * from pg_temp.expect('8 and nothing else', 'guest', $$ select from public.notifications $$, '1 row');
select * from pg_temp.expect('9 reads the meal', 'guest',
  $$ select from public.meals where id = '{meal}' $$, '1 row');
select * from pg_temp.expect('10 and the dish', 'guest',
  $$ select from public.dishes where id = '{dish}' $$, '1 row');
select * from pg_temp.expect('guest: reads the cook''s profile', 'guest',
  $$ select from public.profiles where id = '{cook}' $$, '1 row');
select * from pg_temp.expect('guest: is not known to the cook before answering', 'cook',
  $$ select from public.profiles where id = '{guest}' $$, '0 rows');
select * from pg_temp.expect('guest: does not change the meal', 'guest',
  $$ update public.meals set notes = 'x' where id = '{meal}' $$, '0 rows');
select * from pg_temp.expect('guest: does not delete the meal', 'guest',
  $$ delete from public.meals where id = '{meal}' $$, '0 rows');
select * from pg_temp.expect('guest: does not change the dish', 'guest',
  $$ update public.dishes set name = 'x' where id = '{dish}' $$, '0 rows');
select * from pg_temp.expect('guest: does not invite further guests', 'guest', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_id) values ('{meal}', '{guest}', '{outsider}')
$$, 'policy');
select * from pg_temp.expect('guest: does not withdraw the invite', 'guest',
  $$ delete from public.meal_invites where id = '{invite}' $$, '0 rows');
select * from pg_temp.expect('invite: an outsider does not see it', 'outsider',
  $$ select from public.meal_invites $$, '0 rows');
select * from pg_temp.expect('invite: an outsider does not answer it', 'outsider',
  $$ update public.meal_invites set status = 'accepted' where id = '{invite}' $$, '0 rows');
select * from pg_temp.expect('invite: the inviter does not answer it', 'cook',
  $$ update public.meal_invites set status = 'accepted' where id = '{invite}' $$, '0 rows');
select * from pg_temp.expect('invite: can''t be passed on', 'guest',
  $$ update public.meal_invites set invitee_id = '{outsider}' where id = '{invite}' $$, 'privilege');
select * from pg_temp.expect('invite: the guest may decline', 'guest',
  $$ update public.meal_invites set status = 'declined' where id = '{invite}' $$, '1 row');
select * from pg_temp.expect('invite: which ends the reading', 'guest',
  $$ select from public.meals where id = '{meal}' $$, '0 rows');
select * from pg_temp.expect('invite: and the rating', 'guest',
  $$ insert into public.meal_ratings (meal_id, rater_id, reaction) values ('{meal}', '{guest}', 2) $$, 'policy');
select * from pg_temp.expect('invite: and may think again', 'guest',
  $$ update public.meal_invites set status = 'pending' where id = '{invite}' $$, '1 row');

-- Verdicts ----------------------------------------------------------------------------------------------
select * from pg_temp.expect('11 records a verdict', 'guest',
  $$ insert into public.meal_ratings (meal_id, rater_id, reaction) values ('{meal}', '{guest}', 2) returning * $$, '1 row');
select * from pg_temp.expect('12 not as somebody else', 'guest',
  $$ insert into public.meal_ratings (meal_id, rater_id, reaction) values ('{meal}', '{cook}', 2) $$, 'policy');
select * from pg_temp.expect('14 the cook adds an eater', 'cook',
  $$ insert into public.eaters (id, owner_id, name) values ('{kid}', '{cook}', 'Kim') returning * $$, '1 row');
select * from pg_temp.expect('13 nor for the cook''s kid', 'guest',
  $$ insert into public.meal_ratings (meal_id, eater_id, reaction) values ('{meal}', '{kid}', 2) $$, 'policy');
select * from pg_temp.expect('15 and records the kid''s verdict', 'cook',
  $$ insert into public.meal_ratings (id, meal_id, eater_id, reaction) values ('{kid verdict}', '{meal}', '{kid}', 1) returning * $$,
  '1 row');
select * from pg_temp.expect('13 neither once the kid is at the same table', 'guest',
  $$ insert into public.meal_ratings (meal_id, eater_id, reaction) values ('{meal}', '{kid}', 2) $$, 'policy');
select * from pg_temp.expect('16 a rating can''t claim both sources', 'cook',
  $$ insert into public.meal_ratings (meal_id, rater_id, eater_id, reaction) values ('{meal}', '{cook}', '{kid}', 1) $$,
  'constraint meal_ratings_one_source_check');
select * from pg_temp.expect('verdict: nor none', 'cook',
  $$ insert into public.meal_ratings (meal_id, reaction) values ('{meal}', 1) $$,
  'constraint meal_ratings_one_source_check');
select * from pg_temp.expect('verdict: 3 is none', 'cook',
  $$ insert into public.meal_ratings (meal_id, rater_id, reaction) values ('{meal}', '{cook}', 3) $$,
  'constraint meal_ratings_reaction_check');
select * from pg_temp.expect('verdict: one per person', 'guest',
  $$ insert into public.meal_ratings (meal_id, rater_id, reaction) values ('{meal}', '{guest}', 1) $$,
  'constraint meal_ratings_meal_id_rater_id_key');
select * from pg_temp.expect('verdict: one per eater', 'cook',
  $$ insert into public.meal_ratings (meal_id, eater_id, reaction) values ('{meal}', '{kid}', 2) $$,
  'constraint meal_ratings_meal_id_eater_id_key');
select * from pg_temp.expect('17 the guest''s verdict notifies the cook', 'cook',
  $$ select from public.notifications where meal_id = '{meal}' and kind = 'rating' and body = 'Gus says yes to Tacos!' $$,
  '1 row');
select * from pg_temp.expect('29 recording your own kid''s verdict notifies nobody', 'cook',
  $$ select from public.notifications where meal_id = '{meal}' $$, '1 row');
select * from pg_temp.expect('verdict: answers the invite', 'guest',
  $$ select from public.meal_invites where id = '{invite}' and status = 'accepted' $$, '1 row');
select * from pg_temp.expect('verdict: after which the cook knows the guest''s name', 'cook',
  $$ select from public.profiles where id = '{guest}' $$, '1 row');
select * from pg_temp.expect('verdict: the guest reads all of the meal', 'guest',
  $$ select from public.meal_ratings where meal_id = '{meal}' $$, '2 rows');
select * from pg_temp.expect('verdict: an outsider reads none', 'outsider',
  $$ select from public.meal_ratings $$, '0 rows');
select * from pg_temp.expect('verdict: one''s own is changed', 'guest',
  $$ update public.meal_ratings set reaction = 1 where meal_id = '{meal}' and rater_id = '{guest}' $$, '1 row');
select * from pg_temp.expect('verdict: the cook does not change the guest''s', 'cook',
  $$ update public.meal_ratings set reaction = 2 where meal_id = '{meal}' and rater_id = '{guest}' $$, '0 rows');
select * from pg_temp.expect('verdict: nor clear it', 'cook',
  $$ delete from public.meal_ratings where meal_id = '{meal}' and rater_id = '{guest}' $$, '0 rows');
select * from pg_temp.expect('verdict: the guest does not change the kid''s', 'guest',
  $$ update public.meal_ratings set reaction = 0 where id = '{kid verdict}' $$, '0 rows');
select * from pg_temp.expect('verdict: can''t be ascribed to another', 'guest',
  $$ update public.meal_ratings set rater_id = '{cook}' where meal_id = '{meal}' and rater_id = '{guest}' $$, 'privilege');

-- Eaters ------------------------------------------------------------------------------------------------
select * from pg_temp.expect('eater: at the same table is read', 'guest',
  $$ select from public.eaters where id = '{kid}' $$, '1 row');
select * from pg_temp.expect('eater: is not read by an outsider', 'outsider',
  $$ select from public.eaters where id = '{kid}' $$, '0 rows');
select * from pg_temp.expect('eater: is not renamed by a guest', 'guest',
  $$ update public.eaters set name = 'x' where id = '{kid}' $$, '0 rows');
select * from pg_temp.expect('eater: is not removed by a guest', 'guest',
  $$ delete from public.eaters where id = '{kid}' $$, '0 rows');
select * from pg_temp.expect('eater: is not added to another household', 'guest',
  $$ insert into public.eaters (owner_id, name) values ('{cook}', 'x') $$, 'policy');
select * from pg_temp.expect('eater: can''t be given away', 'cook',
  $$ update public.eaters set owner_id = '{guest}' where id = '{kid}' $$, 'privilege');
select * from pg_temp.expect('30 a guest adds their own kid', 'guest',
  $$ insert into public.eaters (id, owner_id, name) values ('{guest kid}', '{guest}', 'Lou') returning * $$, '1 row');
select * from pg_temp.expect('31 records that kid''s verdict on the cook''s meal', 'guest',
  $$ insert into public.meal_ratings (meal_id, eater_id, reaction) values ('{meal}', '{guest kid}', 0) returning * $$,
  '1 row');
select * from pg_temp.expect('32 which notifies the cook', 'cook',
  $$ select from public.notifications where meal_id = '{meal}' and kind = 'rating' $$, '2 rows');
select * from pg_temp.expect('33 and names the child', 'cook',
  $$ select from public.notifications where meal_id = '{meal}' and body = 'Lou says nope to Tacos!' $$, '1 row');

-- Inboxes and devices -----------------------------------------------------------------------------------
select * from pg_temp.expect('18 nobody can write a notification into another''s inbox', 'guest', $$
  insert into public.notifications (user_id, kind, title, body) values ('{cook}', 'rating', 'x', 'x')
$$, 'privilege');
select * from pg_temp.expect('18 nor into their own', 'cook', $$
  insert into public.notifications (user_id, kind, title, body) values ('{cook}', 'rating', 'x', 'x')
$$, 'privilege');
select '18 no API role has INSERT on notifications' as "check",
  not bool_or(has_table_privilege(r.name, 'public.notifications', 'INSERT')
    or has_any_column_privilege(r.name, 'public.notifications', 'INSERT')) as ok,
  coalesce(string_agg(r.name, ', ') filter (
    where has_any_column_privilege(r.name, 'public.notifications', 'INSERT')), 'none') as detail
from unnest(array['anon', 'authenticated', 'service_role']) as r (name);
select * from pg_temp.expect('inbox: another''s is not read', 'guest',
  $$ select from public.notifications where user_id = '{cook}' $$, '0 rows');
select * from pg_temp.expect('inbox: another''s is not marked', 'guest',
  $$ update public.notifications set read_at = now() where user_id = '{cook}' $$, '0 rows');
select * from pg_temp.expect('inbox: another''s is not cleared', 'guest',
  $$ delete from public.notifications where user_id = '{cook}' $$, '0 rows');
select * from pg_temp.expect('inbox: one''s own is marked read', 'guest',
  $$ update public.notifications set read_at = now() where meal_id = '{meal}' $$, '1 row');
select * from pg_temp.expect('inbox: its words are not changed', 'guest',
  $$ update public.notifications set body = 'x' where meal_id = '{meal}' $$, 'privilege');
select * from pg_temp.expect('device: one''s own is registered', 'cook', $$
  insert into public.device_tokens (user_id, token, environment) values ('{cook}', 't', 'sandbox') returning *
$$, '1 row');
select * from pg_temp.expect('device: and again, by upsert', 'cook', $$
  insert into public.device_tokens (user_id, token, environment) values ('{cook}', 't', 'production')
  on conflict (user_id, token) do update set user_id = excluded.user_id, token = excluded.token, environment = excluded.environment
$$, '1 row');
select * from pg_temp.expect('device: once per person and token', 'cook', $$
  insert into public.device_tokens (user_id, token, environment) values ('{cook}', 't', 'sandbox')
$$, 'constraint device_tokens_user_id_token_key');
select * from pg_temp.expect('device: no third environment', 'cook', $$
  insert into public.device_tokens (user_id, token, environment) values ('{cook}', 'u', 'staging')
$$, 'constraint device_tokens_environment_check');
select * from pg_temp.expect('device: not for somebody else', 'guest', $$
  insert into public.device_tokens (user_id, token, environment) values ('{cook}', 'v', 'sandbox')
$$, 'policy');
-- Without a condition: with one, the select policy is tested for the new row as well and hides a weak check.
select * from pg_temp.expect('device: can''t be given away', 'cook',
  $$ update public.device_tokens set user_id = '{guest}' $$, 'policy');
select * from pg_temp.expect('device: another''s is not read', 'guest',
  $$ select from public.device_tokens $$, '0 rows');
select * from pg_temp.expect('device: nor changed', 'guest',
  $$ update public.device_tokens set environment = 'sandbox' where token = 't' $$, '0 rows');
select * from pg_temp.expect('device: nor removed', 'guest',
  $$ delete from public.device_tokens where token = 't' $$, '0 rows');

-- Addresses ---------------------------------------------------------------------------------------------
select * from pg_temp.expect('19 the cook invites an address without an account', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_email) values ('{meal}', '{cook}', ' Latecomer@Actors.test ')
  returning *
$$, '1 row');
select * from pg_temp.expect('invite: once per address, whatever its case', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_email) values ('{meal}', '{cook}', 'latecomer@actors.test')
$$, 'constraint meal_invites_by_address');
select * from pg_temp.expect('invite: an address is one', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_email) values ('{meal}', '{cook}', 'nobody')
$$, 'constraint meal_invites_invitee_email_check');
select * from pg_temp.expect('20 whose sign-up claims the invite', 'auth', $$
  insert into users (instance_id, id, aud, role, email, created_at, updated_at)
  values ('00000000-0000-0000-0000-000000000000', '{latecomer}', 'authenticated', '', '{latecomer.email}', now(), now())
$$, '1 row');
-- What the auth service does after its insert must not claim twice.
select * from pg_temp.expect('20 with the updates of a sign-up', 'auth', $$
  update users set role = 'authenticated', email = email, email_confirmed_at = now() where id = '{latecomer}'
$$, '1 row');
select * from pg_temp.expect('20 the invite is theirs', 'latecomer',
  $$ select from public.meal_invites where meal_id = '{meal}' and invitee_id = '{latecomer}' and status = 'pending' $$,
  '1 row');
select * from pg_temp.expect('20 and the meal read', 'latecomer',
  $$ select from public.meals where id = '{meal}' $$, '1 row');
select * from pg_temp.expect('21 with exactly one notification', 'latecomer',
  $$ select from public.notifications $$, '1 row');
select * from pg_temp.expect('22 inviting an address that has an account', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_email) values ('{meal}', '{cook}', 'FRIEND@actors.test')
$$, '1 row');
select * from pg_temp.expect('22 links on insert', 'cook',
  $$ select from public.meal_invites where meal_id = '{meal}' and invitee_id = '{friend}' $$, '1 row');
select * from pg_temp.expect('23 notifies once', 'friend', $$ select from public.notifications $$, '1 row');
select * from pg_temp.expect('24 lets that person see the invite', 'friend',
  $$ select from public.meal_invites where meal_id = '{meal}' $$, '1 row');
select * from pg_temp.expect('25 read the meal', 'friend',
  $$ select from public.meals where id = '{meal}' $$, '1 row');
select * from pg_temp.expect('26 and rate it', 'friend',
  $$ insert into public.meal_ratings (meal_id, rater_id, reaction) values ('{meal}', '{friend}', 1) $$, '1 row');
select * from pg_temp.expect('invite: the address decides over the account named', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_id, invitee_email)
  values ('{meal}', '{cook}', '{outsider}', 'nobody@actors.test')
$$, '1 row');
select * from pg_temp.expect('invite: and the account named sees nothing', 'outsider',
  $$ select from public.meal_invites $$, '0 rows');
select * from pg_temp.expect('27 inviting your own address is accepted', 'cook', $$
  insert into public.meal_invites (meal_id, inviter_id, invitee_email) values ('{meal}', '{cook}', '{cook.email}')
  returning *
$$, '1 row');
select * from pg_temp.expect('28 and notifies nobody', 'cook',
  $$ select from public.notifications where kind = 'rating_request' $$, '0 rows');
select * from pg_temp.expect('invite: an account that changes its address claims too', 'auth',
  $$ update users set email = 'nobody@actors.test' where id = '{member}' $$, '1 row');
select * from pg_temp.expect('invite: and is asked once', 'member',
  $$ select from public.notifications where kind = 'rating_request' $$, '1 row');
select * from pg_temp.expect('invite: the cook withdraws it', 'cook',
  $$ delete from public.meal_invites where invitee_id = '{member}' $$, '1 row');
select * from pg_temp.expect('invite: after which nothing is read', 'member',
  $$ select from public.meals $$, '0 rows');
-- The account behind an address is known to triggers alone.
select * from pg_temp.expect('lookup: not by function', 'cook',
  $$ select private.account_with_address('{guest.email}') $$, 'privilege');
select * from pg_temp.expect('lookup: not by table', 'cook', $$ select from auth.users $$, 'privilege');

-- Recipes -----------------------------------------------------------------------------------------------
select * from pg_temp.expect('recipe: the dish''s owner adds it', 'cook', $$
  insert into public.recipes (id, dish_id, servings, minutes, cuisine, ingredients, steps)
  values ('{recipe}', '{dish}', 4, 30, 'Mexican', array['12 tortillas'], array['Fill']) returning *
$$, '1 row');
select * from pg_temp.expect('recipe: one to a dish', 'cook', $$
  insert into public.recipes (dish_id, servings, minutes, cuisine, ingredients, steps)
  values ('{dish}', 4, 30, 'Mexican', array['x'], array['x'])
$$, 'constraint recipes_dish_id_key');
select * from pg_temp.expect('recipe: has ingredients', 'outsider', $$
  insert into public.recipes (dish_id, servings, minutes, cuisine, ingredients, steps)
  values ('{other dish}', 4, 30, 'Mexican', '{}', array['x'])
$$, 'constraint recipes_ingredients_check');
select * from pg_temp.expect('recipe: not for another''s dish', 'guest', $$
  insert into public.recipes (dish_id, servings, minutes, cuisine, ingredients, steps)
  values ('{dish}', 4, 30, 'Mexican', array['x'], array['x'])
$$, 'policy');
select * from pg_temp.expect('recipe: read by a reader of the dish', 'guest',
  $$ select from public.recipes where id = '{recipe}' $$, '1 row');
select * from pg_temp.expect('recipe: not by an outsider', 'outsider', $$ select from public.recipes $$, '0 rows');
select * from pg_temp.expect('recipe: not changed by a reader', 'guest',
  $$ update public.recipes set minutes = 1 where id = '{recipe}' $$, '0 rows');
select * from pg_temp.expect('recipe: not deleted by a reader', 'guest',
  $$ delete from public.recipes where id = '{recipe}' $$, '0 rows');
select * from pg_temp.expect('recipe: can''t be moved to another dish', 'cook',
  $$ update public.recipes set dish_id = '{other dish}' where id = '{recipe}' $$, 'privilege');
select * from pg_temp.expect('recipe: changed by the owner', 'cook',
  $$ update public.recipes set minutes = 25 where id = '{recipe}' $$, '1 row');

-- Parties -----------------------------------------------------------------------------------------------
select * from pg_temp.expect('party: anybody gives one', 'cook', $$
  insert into public.parties (id, created_by, name) values ('{party}', '{cook}', 'Sunday table') returning *
$$, '1 row');
select * from pg_temp.expect('party: not in another''s name', 'guest', $$
  insert into public.parties (created_by, name) values ('{cook}', 'x')
$$, 'policy');
select * from pg_temp.expect('party: its creator is the first member', 'cook',
  $$ select from public.party_members where party_id = '{party}' and person_id = '{cook}' $$, '1 row');
select * from pg_temp.expect('party: nobody seats themselves', 'guest',
  $$ insert into public.party_members (party_id, person_id) values ('{party}', '{guest}') $$, 'privilege');
select * from pg_temp.expect('party: an outsider sees none', 'outsider', $$ select from public.parties $$, '0 rows');
select * from pg_temp.expect('party: nor its members', 'outsider', $$ select from public.party_members $$, '0 rows');
select * from pg_temp.expect('party: an outsider does not invite', 'outsider', $$
  insert into public.party_invites (party_id, inviter_id, invitee_email) values ('{party}', '{outsider}', '{outsider.email}')
$$, 'policy');
select * from pg_temp.expect('party: the host invites by address', 'cook', $$
  insert into public.party_invites (party_id, inviter_id, invitee_email) values ('{party}', '{cook}', 'Nobody@actors.test')
  returning *
$$, '1 row');
select * from pg_temp.expect('party: once per address', 'cook', $$
  insert into public.party_invites (party_id, inviter_id, invitee_email) values ('{party}', '{cook}', 'gone@actors.test '),
    ('{party}', '{cook}', 'GONE@actors.test')
$$, 'constraint party_invites_by_address');
select * from pg_temp.expect('party: which links and tells once', 'member',
  $$ select from public.notifications where party_id = '{party}' and kind = 'party_invite' and body = 'Ada invites you to Sunday table' $$,
  '1 row');
select * from pg_temp.expect('party: the invited see what they are invited to', 'member',
  $$ select from public.parties where id = '{party}' $$, '1 row');
select * from pg_temp.expect('party: but not yet who comes', 'member', $$ select from public.party_members $$, '0 rows');
select * from pg_temp.expect('party: the cook serves a meal', 'cook',
  $$ insert into public.meal_parties (meal_id, party_id) values ('{meal}', '{party}') returning * $$, '1 row');
select * from pg_temp.expect('party: the invited do not read it yet', 'member', $$ select from public.meals $$, '0 rows');
select * from pg_temp.expect('party: the inviter does not accept for them', 'cook',
  $$ update public.party_invites set status = 'accepted' where party_id = '{party}' $$, '0 rows');
select * from pg_temp.expect('party: they accept', 'member',
  $$ update public.party_invites set status = 'accepted' where party_id = '{party}' $$, '1 row');
select * from pg_temp.expect('party: and are a member', 'member',
  $$ select from public.party_members where party_id = '{party}' $$, '2 rows');
select * from pg_temp.expect('party: a member reads the meal served', 'member',
  $$ select from public.meals where id = '{meal}' $$, '1 row');
select * from pg_temp.expect('party: and its dish', 'member', $$ select from public.dishes where id = '{dish}' $$, '1 row');
select * from pg_temp.expect('party: and the recipe', 'member', $$ select from public.recipes where id = '{recipe}' $$, '1 row');
select * from pg_temp.expect('party: and the verdicts', 'member',
  $$ select from public.meal_ratings where meal_id = '{meal}' $$, '4 rows');
select * from pg_temp.expect('party: and whose they are', 'member',
  $$ select from public.eaters where id in ('{kid}', '{guest kid}') $$, '2 rows');
select * from pg_temp.expect('party: and the members'' profiles', 'member',
  $$ select from public.profiles where id = '{cook}' $$, '1 row');
select * from pg_temp.expect('party: a member who wasn''t invited to the meal does not rate it', 'member',
  $$ insert into public.meal_ratings (meal_id, rater_id, reaction) values ('{meal}', '{member}', 1) $$, 'policy');
select * from pg_temp.expect('party: a member does not serve another''s meal', 'member',
  $$ insert into public.meal_parties (meal_id, party_id) values ('{meal}', '{party}') $$, 'policy');
select * from pg_temp.expect('party: a member does not take it back', 'member',
  $$ delete from public.meal_parties where meal_id = '{meal}' $$, '0 rows');
select * from pg_temp.expect('party: a member does not rename it', 'member',
  $$ update public.parties set name = 'x' where id = '{party}' $$, '0 rows');
select * from pg_temp.expect('party: nor call it off', 'member',
  $$ delete from public.parties where id = '{party}' $$, '0 rows');
select * from pg_temp.expect('party: nor show the host out', 'member',
  $$ delete from public.party_members where person_id = '{cook}' $$, '0 rows');
select * from pg_temp.expect('party: the host does not leave', 'cook',
  $$ delete from public.party_members where person_id = '{cook}' $$, '0 rows');
select * from pg_temp.expect('party: can''t be given away', 'cook',
  $$ update public.parties set created_by = '{member}' where id = '{party}' $$, 'privilege');
select * from pg_temp.expect('party: a non-member has an own meal', 'outsider',
  $$ insert into public.meals (id, dish_id, created_by) values ('{served}', '{other dish}', '{outsider}') $$, '1 row');
select * from pg_temp.expect('party: which they do not serve there', 'outsider',
  $$ insert into public.meal_parties (meal_id, party_id) values ('{served}', '{party}') $$, 'policy');
select * from pg_temp.expect('party: the host shows a member out', 'cook',
  $$ delete from public.party_members where person_id = '{member}' $$, '1 row');
select * from pg_temp.expect('party: who then reads nothing', 'member', $$ select from public.meals $$, '0 rows');
select * from pg_temp.expect('party: and has no way back in', 'member',
  $$ update public.party_invites set status = 'accepted' where party_id = '{party}' $$, '0 rows');

-- Photos ------------------------------------------------------------------------------------------------
select 'photo: the bucket is private, 10 MiB, JPEG only' as "check",
  count(*) = 1 and bool_and(not b.public and b.name = 'meal-photos' and b.file_size_limit = 10485760
    and b.allowed_mime_types = array['image/jpeg']) as ok,
  coalesce(string_agg(to_jsonb(b)::text, ''), 'no bucket') as detail
from storage.buckets b where b.id = 'meal-photos';
select * from pg_temp.expect('photo: the cook adds one', 'cook',
  $$ insert into storage.objects (bucket_id, name) values ('meal-photos', '{meal}/{photo}.jpg') $$, '1 row');
select * from pg_temp.expect('photo: the cook sees it', 'cook',
  $$ select from storage.objects where bucket_id = 'meal-photos' $$, '1 row');
select * from pg_temp.expect('photo: a guest sees it', 'guest', $$ select from storage.objects $$, '1 row');
select * from pg_temp.expect('photo: an outsider does not', 'outsider', $$ select from storage.objects $$, '0 rows');
select * from pg_temp.expect('photo: anon does not', 'anon', $$ select from storage.objects $$, '0 rows');
select * from pg_temp.expect('photo: a guest adds none', 'guest',
  $$ insert into storage.objects (bucket_id, name) values ('meal-photos', '{meal}/{guest}.jpg') $$, 'policy');
select * from pg_temp.expect('photo: an outsider adds none', 'outsider',
  $$ insert into storage.objects (bucket_id, name) values ('meal-photos', '{meal}/{outsider}.jpg') $$, 'policy');
select * from pg_temp.expect('photo: anon adds none', 'anon',
  $$ insert into storage.objects (bucket_id, name) values ('meal-photos', '{meal}/{outsider}.jpg') $$, 'policy');
select * from pg_temp.expect('photo: not into the folder of no meal', 'cook',
  $$ insert into storage.objects (bucket_id, name) values ('meal-photos', '{dish}/{photo}.jpg') $$, 'policy');
select * from pg_temp.expect('photo: not into a folder that is no uuid', 'cook',
  $$ insert into storage.objects (bucket_id, name) values ('meal-photos', 'holiday/{photo}.jpg') $$, 'policy');
select * from pg_temp.expect('photo: not into no folder', 'cook',
  $$ insert into storage.objects (bucket_id, name) values ('meal-photos', '{photo}.jpg') $$, 'policy');
select * from pg_temp.expect('photo: not under another spelling of the meal', 'cook',
  $$ insert into storage.objects (bucket_id, name) select 'meal-photos', upper('{meal}') || '/{photo}.jpg' $$, 'policy');
select * from pg_temp.expect('photo: the cook replaces it', 'cook',
  $$ update storage.objects set metadata = '{}' where name = '{meal}/{photo}.jpg' $$, '1 row');
select * from pg_temp.expect('photo: a guest does not', 'guest',
  $$ update storage.objects set metadata = '{}' where name = '{meal}/{photo}.jpg' $$, '0 rows');
select * from pg_temp.expect('photo: the cook moves it into no other folder', 'cook',
  $$ update storage.objects set name = '{served}/{photo}.jpg' $$, 'policy');
-- The storage service allows its own deletes by this setting; the policies decide which.
select 'photo: deletes as the storage service makes them' as "check",
  set_config('storage.allow_delete_query', 'true', true) = 'true' as ok, 'storage.allow_delete_query' as detail;
select * from pg_temp.expect('photo: a guest deletes none', 'guest', $$ delete from storage.objects $$, '0 rows');
select * from pg_temp.expect('photo: an outsider deletes none', 'outsider', $$ delete from storage.objects $$, '0 rows');
select * from pg_temp.expect('photo: the cook deletes it', 'cook', $$ delete from storage.objects $$, '1 row');

-- Anon, and what is made later --------------------------------------------------------------------------
set local role postgres;
create table public.made_later (id bigint generated always as identity primary key);
create sequence public.counted_later;
create function public.asked_later() returns integer language sql as $$ select 1 $$;
create function private.asked_later() returns integer language sql as $$ select 1 $$;
reset role;

select e.*
from pg_catalog.pg_class c
cross join lateral pg_temp.expect(
  format('anon: select on %s', c.oid::regclass), 'anon', format('select from %s', c.oid::regclass), 'privilege') e
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
order by c.relname;
select format('anon: holds nothing on %s', c.oid::regclass) as "check",
  not bool_or(case c.relkind
    when 'S' then has_sequence_privilege('anon', c.oid, p.name)
    else has_table_privilege('anon', c.oid, p.name)
      or (p.name in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') and has_any_column_privilege('anon', c.oid, p.name))
    end) as ok,
  coalesce(c.relacl::text, 'no privileges') as detail
from pg_catalog.pg_class c
cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'USAGE']) as p (name)
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  and (case when c.relkind = 'S' then p.name in ('SELECT', 'UPDATE', 'USAGE') else p.name <> 'USAGE' end)
group by c.oid, c.relname, c.relacl
order by c.relname;
select format('anon: does not execute %s', f.oid::regprocedure) as "check",
  not has_function_privilege('anon', f.oid, 'EXECUTE') as ok, coalesce(f.proacl::text, 'no privileges') as detail
from pg_catalog.pg_proc f
where f.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
order by 1;
select * from pg_temp.expect('anon: does not call a function made later', 'anon', $$ select public.asked_later() $$, 'privilege');
select * from pg_temp.expect('authenticated: neither does a signed-in user', 'cook', $$ select public.asked_later() $$, 'privilege');
select * from pg_temp.expect('authenticated: nor reads a table made later', 'cook', $$ select from public.made_later $$, 'privilege');
select * from pg_temp.expect('authenticated: nor advances a sequence', 'cook', $$ select nextval('public.counted_later') $$, 'privilege');
select 'anon: default privileges leave nothing' as "check", count(*) = 0 as ok,
  coalesce(string_agg(format('%s on %s', a.grantee::regrole, d.defaclobjtype), ', '), 'none') as detail
from pg_catalog.pg_default_acl d
cross join lateral aclexplode(d.defaclacl) a
where d.defaclrole = 'postgres'::regrole and d.defaclnamespace in (0, 'public'::regnamespace, 'private'::regnamespace)
  and (a.grantee = 0 or a.grantee in ('anon'::regrole, 'authenticated'::regrole));
select format('%s has row security', c.oid::regclass) as "check", c.relrowsecurity as ok,
  (select count(*) from pg_catalog.pg_policy p where p.polrelid = c.oid) || ' policies' as detail
from pg_catalog.pg_class c
where (c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'made_later')
  or c.oid = 'storage.objects'::regclass
order by c.relname;
select 'every policy is to authenticated alone' as "check", count(*) > 0 and count(*) = count(*) filter (
  where p.roles = array['authenticated']::name[]) as ok,
  count(*) || ' policies' as detail
from pg_catalog.pg_policies p
where p.schemaname = 'public' or (p.schemaname = 'storage' and p.policyname like 'meal-photos:%');
select format('%s fixes an empty search_path', f.oid::regprocedure) as "check",
  coalesce(f.proconfig @> array['search_path=""'], false) as ok, coalesce(f.proconfig::text, 'no settings') as detail
from pg_catalog.pg_proc f
where f.pronamespace = 'private'::regnamespace and f.proname <> 'asked_later'
order by 1;
select format('%s is not reachable', r.name) as "check", not has_schema_privilege(r.name, 'private', 'USAGE') as ok,
  'usage on schema private' as detail
from unnest(array['anon', 'authenticated', 'service_role']) as r (name);

-- An end ------------------------------------------------------------------------------------------------
select * from pg_temp.expect('a deleted meal leaves nothing', 'cook', $$ delete from public.meals where id = '{meal}' $$, '1 row');
select 'a deleted meal leaves nothing: rows about it' as "check", n = 0 as ok, n || ' rows' as detail
from (select (select count(*) from public.meal_invites) + (select count(*) from public.meal_ratings)
  + (select count(*) from public.notifications where meal_id is not null)
  + (select count(*) from public.meal_parties) as n) as rest;
select * from pg_temp.expect('an account can be deleted with all it owns', 'auth',
  $$ delete from users where id in ('{cook}', '{outsider}') $$, '2 rows');
select 'an account can be deleted with all it owns: rows left' as "check", n = 0 as ok, n || ' rows' as detail
from (select (select count(*) from public.dishes) + (select count(*) from public.meals)
  + (select count(*) from public.parties) + (select count(*) from public.party_invites) as n) as rest;
