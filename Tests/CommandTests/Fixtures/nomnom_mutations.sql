-- Ways to break Nom Nom's schema, each with the check of nomnom_access.sql that must notice.
--
-- A block is a line `-- fails: <check>` and the statements up to the next one. To try a block: in one
-- transaction run it as a superuser, then nomnom_access.sql, and roll back. The named check must fail
-- (others may, too); a block after which every check holds shows a hole in the checks.

-- fails: 1 sign-up makes a profile
create or replace function private.make_profile() returns trigger language plpgsql security definer as
  $$ begin insert into public.profiles (id, display_name) values (new.id, 'Someone'); return null; end $$;
-- fails: profile: strangers do not see it
create policy broken on public.profiles for select to authenticated using (true);
-- fails: profile: a stranger's is not
alter policy "own is changed" on public.profiles using (true) with check (true);
create policy broken on public.profiles for select to authenticated using (true);
-- fails: 2 the cook inserts a dish
drop policy "owner adds" on public.dishes;
-- fails: dish: not for somebody else
alter policy "owner adds" on public.dishes with check (true);
-- fails: 2 the cook inserts a dish
alter policy "owner and guests read" on public.dishes using (id in (select private.dishes_shared_with_me()));
-- fails: 3 the cook inserts a meal
alter policy "cook and guests read" on public.meals using (id in (select private.meals_shared_with_me()));
-- fails: meal: not of somebody else's dish
alter policy "cook adds, of an own dish" on public.meals with check (created_by = (select auth.uid()));
-- fails: meal: can't be given away
grant update on public.meals to authenticated;
-- fails: 4 an outsider can't read the meal
alter policy "cook and guests read" on public.meals using (true);
-- fails: 5 nor the dish
alter policy "owner and guests read" on public.dishes using (true);
-- fails: 6 nor rate it
alter policy "cook and guests record" on public.meal_ratings with check (rater_id = (select auth.uid()) or true);
-- fails: 6 nor rate it
alter policy "cook and guests record" on public.meal_ratings with check (
  (rater_id is null or rater_id = (select auth.uid()))
  and (eater_id is null or eater_id in (select e.id from public.eaters e where e.owner_id = (select auth.uid()))));
-- fails: 7 the cook invites a guest who has an account
drop policy "cook invites" on public.meal_invites;
-- fails: 8 the guest gets exactly one rating request
drop trigger request_rating_linked on public.meal_invites;
-- fails: 8 and nothing else
create trigger twice after insert on public.meal_invites for each row
  when (new.invitee_id is not null and new.invitee_id <> new.inviter_id) execute function private.request_rating();
-- fails: 9 reads the meal
alter policy "cook and guests read" on public.meals using (created_by = (select auth.uid()));
-- fails: 10 and the dish
alter policy "owner and guests read" on public.dishes using (owner_id = (select auth.uid()));
-- fails: 11 records a verdict
alter policy "cook and guests record" on public.meal_ratings with check (
  meal_id in (select m.id from public.meals m where m.created_by = (select auth.uid())));
-- fails: 12 not as somebody else
alter policy "cook and guests record" on public.meal_ratings with check (
  eater_id is null or eater_id in (select e.id from public.eaters e where e.owner_id = (select auth.uid())));
-- fails: 13 nor for the cook's kid
alter policy "cook and guests record" on public.meal_ratings with check (
  rater_id is null or rater_id = (select auth.uid()));
-- fails: 13 neither once the kid is at the same table
alter policy "cook and guests record" on public.meal_ratings with check (
  (rater_id is null or rater_id = (select auth.uid()))
  and (eater_id is null or eater_id in (select e.id from public.eaters e))
  and (meal_id in (select m.id from public.meals m)));
-- fails: 14 the cook adds an eater
alter policy "owner and the table read" on public.eaters using (id in (select private.eaters_at_my_table()));
-- fails: 15 and records the kid's verdict
alter policy "cook and guests record" on public.meal_ratings with check (rater_id = (select auth.uid()));
-- fails: 16 a rating can't claim both sources
alter table public.meal_ratings drop constraint meal_ratings_one_source_check;
-- fails: 17 the guest's verdict notifies the cook
drop trigger announce_rating on public.meal_ratings;
-- fails: 18 nobody can write a notification into another's inbox
grant insert on public.notifications to authenticated;
-- fails: 18 no API role has INSERT on notifications
grant insert (title) on public.notifications to service_role;
-- fails: invite: once per address, whatever its case
drop index public.meal_invites_by_address;
-- fails: invite: once per person
drop index public.meal_invites_by_person;
-- fails: 20 the invite is theirs
drop trigger nomnom_2_claim_meal_invites on auth.users;
-- fails: 21 with exactly one notification
drop trigger request_rating_claimed on public.meal_invites;
-- fails: 21 with exactly one notification
create trigger nomnom_4_again after update on auth.users for each row execute function private.claim_meal_invites();
create or replace function private.claim_meal_invites() returns trigger language plpgsql security definer as
  $$ begin
    update public.meal_invites set invitee_id = null where lower(invitee_email) = lower(new.email);
    update public.meal_invites set invitee_id = new.id where lower(invitee_email) = lower(new.email);
    return null; end $$;
-- fails: 22 links on insert
drop trigger address_invite on public.meal_invites;
-- fails: 23 notifies once
drop trigger request_rating_linked on public.meal_invites;
-- fails: 24 lets that person see the invite
alter policy "both sides read" on public.meal_invites using (inviter_id = (select auth.uid()));
-- fails: 25 read the meal
create or replace function private.meals_shared_with_me() returns setof uuid language sql stable security definer as
  $$ select meal_id from public.meal_invites where invitee_id = auth.uid() and status = 'accepted' $$;
-- fails: 26 and rate it
drop policy "cook and guests record" on public.meal_ratings;
-- fails: 27 inviting your own address is accepted
alter table public.meal_invites add check (invitee_id <> inviter_id);
-- fails: 28 and notifies nobody
create trigger broken after insert on public.meal_invites for each row
  when (new.invitee_id is not null) execute function private.request_rating();
-- fails: 29 recording your own kid's verdict notifies nobody
create or replace function private.announce_rating() returns trigger language plpgsql security definer as
  $$ begin
    insert into public.notifications (user_id, kind, title, body, meal_id)
    select created_by, 'rating', 'A verdict', 'x', id from public.meals
    where id = new.meal_id and created_by is distinct from new.rater_id;
    return null; end $$;
-- fails: 30 a guest adds their own kid
revoke insert on public.eaters from authenticated;
-- fails: 31 records that kid's verdict on the cook's meal
alter policy "cook and guests record" on public.meal_ratings with check (
  rater_id = (select auth.uid()) or meal_id in (select m.id from public.meals m where m.created_by = (select auth.uid())));
-- fails: 32 which notifies the cook
alter table public.meal_ratings disable trigger announce_rating;
-- fails: 33 and names the child
create or replace function private.announce_rating() returns trigger language plpgsql security definer as
  $$ begin
    insert into public.notifications (user_id, kind, title, body, meal_id)
    select m.created_by, 'rating', 'A verdict', coalesce(p.display_name, 'Someone') || ' says nope to Tacos!', m.id
    from public.meals m left join public.profiles p on p.id = new.rater_id where m.id = new.meal_id;
    return null; end $$;
-- fails: verdict: the cook does not change the guest's
alter policy "recorder changes" on public.meal_ratings using (true) with check (true);
-- fails: verdict: nor clear it
alter policy "recorder clears" on public.meal_ratings using (true);
-- fails: eater: is not read by an outsider
alter policy "owner and the table read" on public.eaters using (true);
-- fails: eater: is not added to another household
alter policy "owner adds" on public.eaters with check (true);
-- fails: invite: can't begin as accepted
grant insert (status) on public.meal_invites to authenticated;
-- fails: invite: can't be passed on
grant update on public.meal_invites to authenticated;
-- fails: inbox: another's is not read
alter policy "own inbox" on public.notifications using (true);
-- fails: device: can't be given away
alter policy "own is changed" on public.device_tokens with check (true);
-- fails: lookup: not by function
grant usage on schema private to authenticated;
grant execute on function private.account_with_address(text) to authenticated;
-- fails: recipe: not for another's dish
alter policy "owner of the dish adds" on public.recipes with check (dish_id in (select id from public.dishes));
-- fails: recipe: not by an outsider
alter policy "readers of the dish read" on public.recipes using (true);
-- fails: party: its creator is the first member
drop trigger seat_host on public.parties;
-- fails: party: nobody seats themselves
grant insert on public.party_members to authenticated;
create policy broken on public.party_members for insert to authenticated with check (person_id = auth.uid());
-- fails: party: which links and tells once
drop trigger announce_linked on public.party_invites;
-- fails: party: and are a member
drop trigger seat_guest on public.party_invites;
-- fails: party: the invited do not read it yet
create or replace function private.my_parties() returns setof uuid language sql stable security definer as
  $$ select party_id from public.party_members where person_id = auth.uid()
     union select party_id from public.party_invites where invitee_id = auth.uid() $$;
-- fails: party: a member reads the meal served
drop policy "served at my parties" on public.meals;
-- fails: party: and its dish
drop policy "served at my parties" on public.dishes;
-- fails: party: and whose they are
drop policy "heard at my parties" on public.eaters;
-- fails: party: and the members' profiles
drop policy "met at my parties" on public.profiles;
-- fails: party: which they do not serve there
alter policy "member serves an own meal" on public.meal_parties with check (
  meal_id in (select m.id from public.meals m where m.created_by = (select auth.uid())));
-- fails: party: a member does not serve another's meal
alter policy "member serves an own meal" on public.meal_parties with check (party_id in (select private.my_parties()));
-- fails: party: nor show the host out
alter policy "leave, or be shown out by the host" on public.party_members using (true);
-- fails: party: and has no way back in
drop trigger void_invites on public.party_members;
-- fails: photo: the bucket is private, 10 MiB, JPEG only
update storage.buckets set public = true where id = 'meal-photos';
-- fails: photo: a guest sees it
drop policy "meal-photos: the table looks" on storage.objects;
-- fails: photo: an outsider does not
alter policy "meal-photos: the table looks" on storage.objects using (bucket_id = 'meal-photos');
-- fails: photo: anon does not
create policy broken on storage.objects for select to anon using (true);
-- fails: photo: an outsider adds none
alter policy "meal-photos: the cook adds" on storage.objects with check (bucket_id = 'meal-photos');
-- fails: photo: not into a folder that is no uuid
create or replace function private.photo_meal(object_name text) returns uuid language sql stable as
  $$ select (storage.foldername(object_name))[1]::uuid $$;
-- fails: photo: the cook moves it into no other folder
alter policy "meal-photos: the cook replaces" on storage.objects with check (true);
-- fails: photo: a guest deletes none
alter policy "meal-photos: the cook deletes" on storage.objects using (true);
-- fails: anon: select on meals
grant select on public.meals to anon;
-- fails: anon: select on made_later
alter default privileges for role postgres in schema public grant select on tables to anon;
-- fails: anon: does not call a function made later
alter default privileges for role postgres grant execute on functions to public;
-- fails: anon: holds nothing on recipes
grant truncate on public.recipes to public;
-- fails: parties has row security
alter table public.parties disable row level security;
-- fails: every policy is to authenticated alone
alter policy "own inbox" on public.notifications to public;
-- fails: an account can be deleted with all it owns
alter table public.eaters drop constraint eaters_owner_id_fkey,
  add constraint eaters_owner_id_fkey foreign key (owner_id) references public.profiles (id);
