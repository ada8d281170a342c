-- Five parties: a household of two, a lunch of three, a supper club of four, a street party of seven, and one
-- whose host still sits alone.

create temporary table seed_party on commit drop as
select pg_temp.seed_id('party', y.number) as id, p.id as created_by, y.*,
  p.joined + interval '10 days' as founded
from (values
  (1, 'cook', 'Lindqvists at home', null::date),
  (2, 'priya', 'Desk lunch', null),
  (3, 'aylin', 'Supper club', null),
  (4, 'mateo', 'Street party', pg_temp.last_day('sat', 4)),
  (5, 'lucien', 'Fromage et compagnie', null)
) as y (number, host, name, held_on)
join seed_person p on p.handle = y.host;

insert into public.parties (id, created_by, name, held_on, created_at, updated_at)
select y.id, y.created_by, y.name, y.held_on, y.founded, y.founded
from seed_party y
on conflict (id) do update set
  created_by = excluded.created_by, name = excluded.name, held_on = excluded.held_on,
  created_at = excluded.created_at, updated_at = excluded.updated_at;

create temporary table seed_party_invite on commit drop as
select pg_temp.seed_id('party invite', i.party * 100 + coalesce(p.number, 90)) as id,
  i.party * 100 + coalesce(p.number, 90) as number,
  y.id as party_id, y.created_by as inviter_id, p.id as invitee_id, i.email as invitee_email, i.status,
  y.founded + interval '1 hour' as sent,
  y.founded + case when i.status = 'pending' then interval '1 hour' else interval '1 day' end as answered
from (values
  (1, 'jonas@foodlog.test', 'accepted'),
  (2, 'hana@foodlog.test', 'accepted'),
  (2, 'eleni@foodlog.test', 'accepted'),
  (2, 'tomas@foodlog.test', 'declined'),
  (3, 'cook@foodlog.test', 'accepted'),
  (3, 'eleni@foodlog.test', 'accepted'),
  (3, 'hana@foodlog.test', 'accepted'),
  (3, 'lucien@foodlog.test', 'declined'),
  (3, 'newcomer@elsewhere.test', 'pending'),
  (4, 'cook@foodlog.test', 'accepted'),
  (4, 'jonas@foodlog.test', 'accepted'),
  (4, 'aylin@foodlog.test', 'accepted'),
  (4, 'eleni@foodlog.test', 'accepted'),
  (4, 'tomas@foodlog.test', 'accepted'),
  (4, 'amina@foodlog.test', 'accepted'),
  (4, 'priya@foodlog.test', 'pending'),
  (5, 'cook@foodlog.test', 'pending'),
  (5, 'hana@foodlog.test', 'pending'),
  (5, 'granny@elsewhere.test', 'pending')
) as i (party, email, status)
join seed_party y on y.number = i.party
left join seed_person p on p.email = i.email;

-- A seeded invite that was answered since is open again, and the seat it led to free.
delete from public.party_members m
using seed_party_invite s
where m.party_id = s.party_id and m.person_id = s.invitee_id and s.status <> 'accepted';
delete from public.party_invites i
using seed_party_invite s
where i.party_id = s.party_id and i.id <> s.id
  and (i.invitee_id = s.invitee_id or lower(i.invitee_email) = s.invitee_email);

insert into public.party_invites (
  id, party_id, inviter_id, invitee_id, invitee_email, status, created_at, updated_at)
select s.id, s.party_id, s.inviter_id, s.invitee_id, s.invitee_email, s.status, s.sent, s.answered
from seed_party_invite s
on conflict (id) do update set
  party_id = excluded.party_id, inviter_id = excluded.inviter_id, invitee_id = excluded.invitee_id,
  invitee_email = excluded.invitee_email, status = excluded.status, created_at = excluded.created_at,
  updated_at = excluded.updated_at;

-- The host, and whoever accepted. Inserting an invite that is already accepted seats nobody by itself.
insert into public.party_members (party_id, person_id, joined_at)
select y.id, y.created_by, y.founded from seed_party y
union all
select s.party_id, s.invitee_id, s.answered from seed_party_invite s where s.status = 'accepted'
on conflict (party_id, person_id) do update set joined_at = excluded.joined_at;

insert into public.meal_parties (meal_id, party_id, served_at)
select m.id, y.id, m.logged + interval '5 minutes'
from (values
  (1, 11), (1, 16), (1, 24), (1, 39),
  (2, 47), (2, 51), (2, 52),
  (3, 35), (3, 43), (3, 46), (3, 55),
  (4, 45), (4, 50), (4, 57),
  (5, 58)
) as s (party, meal)
join seed_party y on y.number = s.party
join seed_meal m on m.number = s.meal
on conflict (meal_id, party_id) do update set served_at = excluded.served_at;
