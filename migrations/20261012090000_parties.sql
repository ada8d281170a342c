-- Parties: a table that stays. People join by invitation; what a member serves there, every member may read.

create table public.parties (
  id uuid primary key default gen_random_uuid(),
  created_by uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  name text not null check (name ~ '\S' and char_length(name) <= 120),
  held_on date,  -- null: a standing table, not one evening
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index parties_created_by_idx on public.parties (created_by);

create table public.party_members (
  party_id uuid not null references public.parties (id) on delete cascade,
  person_id uuid not null references public.profiles (id) on delete cascade,
  joined_at timestamptz not null default now(),
  primary key (party_id, person_id)
);
create index party_members_person_id_idx on public.party_members (person_id);

-- By address only: a party is a standing right to read, so it is offered to somebody the host can name.
create table public.party_invites (
  id uuid primary key default gen_random_uuid(),
  party_id uuid not null references public.parties (id) on delete cascade,
  inviter_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  invitee_id uuid references public.profiles (id) on delete cascade,
  invitee_email text not null check (invitee_email ~ '^[^@\s]+@[^@\s]+$'),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index party_invites_by_person on public.party_invites (party_id, invitee_id)
  where invitee_id is not null;
create unique index party_invites_by_address on public.party_invites (party_id, lower(invitee_email));
create index party_invites_inviter_id_idx on public.party_invites (inviter_id);
create index party_invites_invitee_id_idx on public.party_invites (invitee_id);
create index party_invites_unclaimed on public.party_invites (lower(invitee_email)) where invitee_id is null;

create table public.meal_parties (
  meal_id uuid not null references public.meals (id) on delete cascade,
  party_id uuid not null references public.parties (id) on delete cascade,
  served_at timestamptz not null default now(),
  primary key (meal_id, party_id)
);
create index meal_parties_party_id_idx on public.meal_parties (party_id);

-- A notification may be about a party from now on.
alter table public.notifications
  add column party_id uuid references public.parties (id) on delete cascade,
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('rating_request', 'rating', 'party_invite'));
create index notifications_party_id_idx on public.notifications (party_id);

create trigger touch before update on public.parties
  for each row when (old.* is distinct from new.*) execute function private.touch();
create trigger touch before update on public.party_invites
  for each row when (old.* is distinct from new.*) execute function private.touch();

-- Membership --------------------------------------------------------------------------------------------
-- Nobody inserts a member: the creator becomes the first one, the others by accepting.
create function private.seat_host() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.party_members (party_id, person_id) values (new.id, new.created_by);
  return null;
end;
$$;

create trigger seat_host after insert on public.parties
  for each row execute function private.seat_host();

create function private.seat_guest() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.party_members (party_id, person_id)
  select new.party_id, new.invitee_id
  where not exists (
    select from public.party_members m where m.party_id = new.party_id and m.person_id = new.invitee_id);
  return null;
end;
$$;

create trigger seat_guest after update of status on public.party_invites
  for each row when (new.status = 'accepted' and old.status <> 'accepted' and new.invitee_id is not null)
  execute function private.seat_guest();

-- An accepted invite that outlived the membership would be a way back in for somebody who was shown out.
create function private.void_invites() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.party_invites where party_id = old.party_id and invitee_id = old.person_id;
  return null;
end;
$$;

create trigger void_invites after delete on public.party_members
  for each row execute function private.void_invites();

-- Invites: resolved, claimed and announced like those to meals ------------------------------------------
create function private.address_party_invite() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.invitee_email := btrim(new.invitee_email);
  new.invitee_id := private.account_with_address(new.invitee_email);
  return new;
end;
$$;

create trigger address_invite before insert on public.party_invites
  for each row execute function private.address_party_invite();

create function private.claim_party_invites() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.party_invites i
  set invitee_id = new.id
  where i.invitee_id is null and lower(i.invitee_email) = lower(new.email)
    and not exists (
      select from public.party_invites mine where mine.party_id = i.party_id and mine.invitee_id = new.id);
  return null;
end;
$$;

create trigger nomnom_3_claim_party_invites after insert on auth.users
  for each row when (new.email is not null) execute function private.claim_party_invites();
create trigger nomnom_3_claim_party_invites_later after update of email on auth.users
  for each row when (new.email is not null and new.email is distinct from old.email)
  execute function private.claim_party_invites();

create function private.announce_party() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, kind, title, body, party_id)
  select new.invitee_id, 'party_invite', 'You are invited',
    format('%s invites you to %s', inviter.display_name, p.name), p.id
  from public.parties p
  join public.profiles inviter on inviter.id = new.inviter_id
  where p.id = new.party_id;
  return null;
end;
$$;

create trigger announce_linked after insert on public.party_invites
  for each row when (new.invitee_id is not null and new.invitee_id <> new.inviter_id)
  execute function private.announce_party();
create trigger announce_claimed after update of invitee_id on public.party_invites
  for each row when (old.invitee_id is null and new.invitee_id is not null and new.invitee_id <> new.inviter_id)
  execute function private.announce_party();

-- What membership shows ---------------------------------------------------------------------------------
-- Sets, definer and STABLE, for the reasons given in the baseline.
create function private.my_parties() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.party_id from public.party_members m where m.person_id = auth.uid()
$$;

create function private.parties_offered_to_me() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select i.party_id
  from public.party_invites i
  where i.invitee_id = auth.uid() and i.status <> 'declined'
$$;

create function private.meals_at_my_parties() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select s.meal_id from public.meal_parties s where s.party_id in (select private.my_parties())
$$;

create function private.dishes_at_my_parties() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.dish_id from public.meals m where m.id in (select private.meals_at_my_parties())
$$;

create function private.eaters_at_my_parties() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select r.eater_id
  from public.meal_ratings r
  where r.eater_id is not null and r.meal_id in (select private.meals_at_my_parties())
$$;

-- Fellow members, whoever invited one to a party, and whose verdicts stand beside what was served.
create function private.people_at_my_parties() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.person_id from public.party_members m where m.party_id in (select private.my_parties())
  union
  select i.inviter_id from public.party_invites i where i.invitee_id = auth.uid() and i.status <> 'declined'
  union
  select r.rater_id
  from public.meal_ratings r
  where r.rater_id is not null and r.meal_id in (select private.meals_at_my_parties())
$$;

-- Row security ------------------------------------------------------------------------------------------
alter table public.parties enable row level security;
alter table public.party_members enable row level security;
alter table public.party_invites enable row level security;
alter table public.meal_parties enable row level security;

create policy "host, members and invited read" on public.parties for select to authenticated
  using (
    created_by = (select auth.uid())
    or id in (select private.my_parties())
    or id in (select private.parties_offered_to_me())
  );
create policy "anybody gives one" on public.parties for insert to authenticated
  with check (created_by = (select auth.uid()));
create policy "host changes" on public.parties for update to authenticated
  using (created_by = (select auth.uid())) with check (created_by = (select auth.uid()));
create policy "host calls off" on public.parties for delete to authenticated
  using (created_by = (select auth.uid()));

create policy "members read" on public.party_members for select to authenticated
  using (person_id = (select auth.uid()) or party_id in (select private.my_parties()));
-- Others leave, the host shows others out; the host's own seat lasts as long as the party.
create policy "leave, or be shown out by the host" on public.party_members for delete to authenticated
  using (
    (person_id = (select auth.uid()))
    <> (party_id in (select p.id from public.parties p where p.created_by = (select auth.uid())))
  );

create policy "both sides and the host read" on public.party_invites for select to authenticated
  using (
    inviter_id = (select auth.uid())
    or invitee_id = (select auth.uid())
    or party_id in (select p.id from public.parties p where p.created_by = (select auth.uid()))
  );
create policy "members invite" on public.party_invites for insert to authenticated
  with check (inviter_id = (select auth.uid()) and party_id in (select private.my_parties()));
create policy "invited answers" on public.party_invites for update to authenticated
  using (invitee_id = (select auth.uid())) with check (invitee_id = (select auth.uid()));
create policy "inviter or host withdraws" on public.party_invites for delete to authenticated
  using (
    inviter_id = (select auth.uid())
    or party_id in (select p.id from public.parties p where p.created_by = (select auth.uid()))
  );

create policy "cook and members read" on public.meal_parties for select to authenticated
  using (
    party_id in (select private.my_parties())
    or meal_id in (select m.id from public.meals m where m.created_by = (select auth.uid()))
  );
create policy "member serves an own meal" on public.meal_parties for insert to authenticated
  with check (
    party_id in (select private.my_parties())
    and meal_id in (select m.id from public.meals m where m.created_by = (select auth.uid()))
  );
create policy "cook takes it back" on public.meal_parties for delete to authenticated
  using (meal_id in (select m.id from public.meals m where m.created_by = (select auth.uid())));

-- Members read what was served to them. Verdicts, recipes and photos follow meals and dishes by themselves.
create policy "served at my parties" on public.meals for select to authenticated
  using (id in (select private.meals_at_my_parties()));
create policy "served at my parties" on public.dishes for select to authenticated
  using (id in (select private.dishes_at_my_parties()));
create policy "heard at my parties" on public.eaters for select to authenticated
  using (id in (select private.eaters_at_my_parties()));
create policy "met at my parties" on public.profiles for select to authenticated
  using (id in (select private.people_at_my_parties()));

-- Grants ------------------------------------------------------------------------------------------------
revoke all on public.parties, public.party_members, public.party_invites, public.meal_parties
  from public, anon, authenticated, service_role;

grant select on public.parties, public.party_members, public.party_invites, public.meal_parties
  to authenticated;
grant insert (id, created_by, name, held_on) on public.parties to authenticated;
grant update (name, held_on) on public.parties to authenticated;
grant delete on public.parties to authenticated;
grant delete on public.party_members to authenticated;
grant insert (id, party_id, inviter_id, invitee_email) on public.party_invites to authenticated;
grant update (status) on public.party_invites to authenticated;
grant delete on public.party_invites to authenticated;
grant insert (meal_id, party_id) on public.meal_parties to authenticated;
grant delete on public.meal_parties to authenticated;

grant select, insert, update, delete on public.parties, public.party_members, public.party_invites,
  public.meal_parties to service_role;

-- Those of this file; the baseline's keep what they were granted there.
revoke all on function private.seat_host(), private.seat_guest(), private.void_invites(),
  private.address_party_invite(), private.claim_party_invites(), private.announce_party(),
  private.my_parties(), private.parties_offered_to_me(), private.meals_at_my_parties(),
  private.dishes_at_my_parties(), private.eaters_at_my_parties(), private.people_at_my_parties()
  from public, anon, authenticated, service_role;
grant execute on function private.my_parties(), private.parties_offered_to_me(),
  private.meals_at_my_parties(), private.dishes_at_my_parties(), private.eaters_at_my_parties(),
  private.people_at_my_parties() to authenticated;
