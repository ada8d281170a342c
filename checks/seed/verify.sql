-- What Nom Nom's sample data promises. Every row: check, ok, detail.
--
-- Asked of the seeded rows alone (their ids begin with 5eed and the kind's number): whatever else is in the
-- database is somebody's own and no concern of the seeds.

-- Counts ------------------------------------------------------------------------------------------------
select format('%s %s', c.wanted, c.what) as "check", c.found = c.wanted as ok, format('found %s', c.found) as detail
from (
  select 'accounts' as what, 10 as wanted, (select count(*) from auth.users where id::text like '5eed0001-%') as found
  union all select 'profiles', 10, (select count(*) from public.profiles where id::text like '5eed0001-%')
  union all select 'eaters', 7, (select count(*) from public.eaters where id::text like '5eed0003-%')
  union all select 'dishes', 40, (select count(*) from public.dishes where id::text like '5eed0004-%')
  union all select 'recipes', 40, (select count(*) from public.recipes where id::text like '5eed0005-%')
  union all select 'meals', 58, (select count(*) from public.meals where id::text like '5eed0006-%')
  union all select 'invites to meals', 75, (select count(*) from public.meal_invites where id::text like '5eed0007-%')
  union all select 'verdicts', 212, (select count(*) from public.meal_ratings where id::text like '5eed0008-%')
  union all select 'parties', 5, (select count(*) from public.parties where id::text like '5eed0009-%')
  union all select 'invites to parties', 19, (select count(*) from public.party_invites where id::text like '5eed0010-%')
  union all select 'notifications', 158, (select count(*) from public.notifications where id::text similar to '5eed001(2|3|4)-%')
) as c;

-- Accounts ----------------------------------------------------------------------------------------------
select 'cook@foodlog.test is the first account' as "check", count(*) = 1 as ok, count(*) || ' such' as detail
from auth.users
where id = '5eed0001-0000-4000-8000-000000000001' and email = 'cook@foodlog.test';

select 'every account can sign in with the password' as "check",
  count(*) = 10 and bool_and(
    -- Asked only of what is a hash: of anything else it would be an error.
    case when u.encrypted_password ~ '^\$2a\$04\$.{53}$'
      then u.encrypted_password = extensions.crypt('foodlog-demo', u.encrypted_password) else false end
    and u.instance_id = '00000000-0000-0000-0000-000000000000' and u.aud = 'authenticated'
    and u.email = lower(u.email) and u.email_confirmed_at is not null and not u.is_sso_user) as ok,
  count(*) || ' accounts' as detail
from auth.users u
where u.id::text like '5eed0001-%';

select 'no account holds a null the auth service can''t read' as "check",
  count(*) = 0 as ok, coalesce(string_agg(u.email, ', '), 'none') as detail
from auth.users u
where u.id::text like '5eed0001-%'
  and num_nulls(u.confirmation_token, u.recovery_token, u.email_change_token_new, u.email_change,
    u.email_change_token_current, u.phone_change, u.phone_change_token, u.reauthentication_token,
    u.role, u.created_at, u.updated_at) > 0;

select 'every account has its e-mail identity' as "check", count(*) = 10 as ok, count(*) || ' identities' as detail
from auth.users u
join auth.identities i on i.user_id = u.id and i.provider = 'email' and i.provider_id = u.id::text
where u.id::text like '5eed0001-%' and i.email = u.email;

-- Dishes and recipes ------------------------------------------------------------------------------------
select 'every dish has a recipe' as "check", count(*) = 0 as ok, coalesce(string_agg(d.name, ', '), 'all') as detail
from public.dishes d
where d.id::text like '5eed0004-%' and not exists (select from public.recipes r where r.dish_id = d.id);

select 'recipes come from many kitchens' as "check", count(distinct r.cuisine) >= 10 as ok,
  count(distinct r.cuisine) || ' cuisines' as detail
from public.recipes r
where r.id::text like '5eed0005-%';

select 'folded names are folded' as "check", count(*) = 0 as ok,
  coalesce(string_agg(d.normalized_name, ', '), 'all') as detail
from public.dishes d
where d.id::text like '5eed0004-%'
  and d.normalized_name !~ '^[0-9a-zα-ρσ-ω]+( [0-9a-zα-ρσ-ω]+)*$';

-- Meals -------------------------------------------------------------------------------------------------
with today as (select coalesce(nullif(current_setting('seed.today', true), '')::date, current_date) as day)
select 'meals fill about six months and end within the last week' as "check",
  max(m.eaten_on) between t.day - 7 and t.day - 1 and min(m.eaten_on) between t.day - 190 and t.day - 160 as ok,
  format('%s to %s, seeded on %s', min(m.eaten_on), max(m.eaten_on), t.day) as detail
from today t
left join public.meals m on m.id::text like '5eed0006-%'
group by t.day;

select 'every meal is of a dish of its cook' as "check", count(*) = 58 as ok, count(*) || ' meals' as detail
from public.meals m
join public.dishes d on d.id = m.dish_id and d.owner_id = m.created_by
where m.id::text like '5eed0006-%';

select 'nobody cooks twice on a day' as "check", count(*) = 0 as ok, count(*) || ' days' as detail
from (
  select from public.meals m
  where m.id::text like '5eed0006-%'
  group by m.created_by, m.eaten_on
  having count(*) > 1
) as twice;

select format('%s is for %ss', w.dish, w.weekday) as "check",
  count(m.id) >= w.times and bool_and(to_char(m.eaten_on, 'FMday') = w.weekday) as ok,
  format('%s times, on %s', count(m.id), string_agg(distinct to_char(m.eaten_on, 'FMday'), ', ')) as detail
from (values ('fredagstacos', 'friday', 10), ('artsoppa', 'thursday', 4)) as w (dish, weekday, times)
left join public.dishes d on d.normalized_name = w.dish and d.id::text like '5eed0004-%'
left join public.meals m on m.dish_id = d.id and m.id::text like '5eed0006-%'
group by w.dish, w.weekday, w.times;

-- Verdicts ----------------------------------------------------------------------------------------------
select 'exactly one meal has no verdict' as "check", count(*) = 1 as ok, count(*) || ' meals' as detail
from public.meals m
where m.id::text like '5eed0006-%'
  and not exists (select from public.meal_ratings r where r.meal_id = m.id and r.id::text like '5eed0008-%');

select 'no verdict is older than its meal' as "check", count(*) = 0 as ok, count(*) || ' verdicts' as detail
from public.meal_ratings r
join public.meals m on m.id = r.meal_id
where r.id::text like '5eed0008-%' and r.created_at < m.eaten_on;

select 'every verdict was recorded by the cook or a guest who accepted' as "check", count(*) = 0 as ok,
  coalesce(string_agg(r.id::text, ', '), 'all') as detail
from public.meal_ratings r
join public.meals m on m.id = r.meal_id
left join public.eaters e on e.id = r.eater_id
where r.id::text like '5eed0008-%'
  and m.created_by <> coalesce(r.rater_id, e.owner_id)
  and not exists (
    select from public.meal_invites i
    where i.meal_id = m.id and i.invitee_id = coalesce(r.rater_id, e.owner_id) and i.status = 'accepted');

-- What ranking has to work with. Means run from 0 (nope) to 2 (yes).
select format('%s: %s', s.dish, s.role) as "check",
  count(distinct m.id) = s.times and avg(r.reaction) between s.least and s.most as ok,
  format('cooked %s times, mean %s', count(distinct m.id), round(avg(r.reaction), 2)) as detail
from (values
  ('kottbullar med potatismos', 'a favourite, eaten lately', 5, 1.8, 2.0),
  ('lasagne', 'a favourite, not for weeks', 4, 1.8, 2.0),
  ('falukorv i ugn', 'merely ok, long overdue', 3, 0.8, 1.2),
  ('okonomiyaki', 'liked, tried once', 1, 1.6, 2.0),
  ('imam bayildi', 'a flop at once', 1, 0.0, 1.0),
  ('fisksoppa med saffran', 'a flop twice', 2, 0.0, 1.0)
) as s (dish, role, times, least, most)
left join public.dishes d on d.normalized_name = s.dish and d.id::text like '5eed0004-%'
left join public.meals m on m.dish_id = d.id and m.id::text like '5eed0006-%'
left join public.meal_ratings r on r.meal_id = m.id and r.id::text like '5eed0008-%'
group by s.dish, s.role, s.times, s.least, s.most;

select 'some dishes were never cooked' as "check", count(*) >= 5 as ok, count(*) || ' dishes' as detail
from public.dishes d
where d.owner_id = '5eed0001-0000-4000-8000-000000000001' and d.id::text like '5eed0004-%'
  and not exists (select from public.meals m where m.dish_id = d.id and m.id::text like '5eed0006-%');

-- Invites -----------------------------------------------------------------------------------------------
select format('invites to %s: some are %s', i.kind, s.status) as "check",
  count(*) filter (where i.status = s.status) > 0 as ok,
  count(*) filter (where i.status = s.status) || ' invites' as detail
from (
  select 'meals' as kind, status from public.meal_invites where id::text like '5eed0007-%'
  union all
  select 'parties', status from public.party_invites where id::text like '5eed0010-%'
) as i
cross join (values ('pending'), ('accepted'), ('declined')) as s (status)
group by i.kind, s.status;

select 'some invites wait for an address to sign up' as "check", count(distinct i.kind) = 2 as ok,
  coalesce(string_agg(distinct i.invitee_email, ', '), 'none') as detail
from (
  select 'meals' as kind, invitee_email, status from public.meal_invites where id::text like '5eed0007-%'
  union all
  select 'parties', invitee_email, status from public.party_invites where id::text like '5eed0010-%'
) as i
where i.status = 'pending'
  and i.invitee_email not in (select u.email from auth.users u where u.id::text like '5eed0001-%');

select 'every answered invite is somebody''s' as "check", count(*) = 0 as ok, count(*) || ' are nobody''s' as detail
from (
  select invitee_id, status from public.meal_invites where id::text like '5eed0007-%'
  union all
  select invitee_id, status from public.party_invites where id::text like '5eed0010-%'
) as i
where i.status <> 'pending' and i.invitee_id is null;

-- Notifications -----------------------------------------------------------------------------------------
select 'every guest''s verdict and every invite is announced once' as "check",
  n.told = n.happened as ok, format('%s told of %s', n.told, n.happened) as detail
from (
  select
    (select count(*) from public.notifications where id::text similar to '5eed001(2|3|4)-%') as told,
    (select count(*)
     from public.meal_ratings r
     join public.meals m on m.id = r.meal_id
     left join public.eaters e on e.id = r.eater_id
     where r.id::text like '5eed0008-%' and coalesce(r.rater_id, e.owner_id) <> m.created_by)
    + (select count(*) from public.meal_invites i
       join public.profiles p on p.id = i.invitee_id and p.id::text like '5eed0001-%'
       where i.id::text like '5eed0007-%' and i.invitee_id <> i.inviter_id)
    + (select count(*) from public.party_invites i
       join public.profiles p on p.id = i.invitee_id and p.id::text like '5eed0001-%'
       where i.id::text like '5eed0010-%' and i.invitee_id <> i.inviter_id) as happened
) as n;

select 'the first account has something to read' as "check", count(*) > 0 as ok, count(*) || ' unread' as detail
from public.notifications n
where n.id::text similar to '5eed001(2|3|4)-%' and n.user_id = '5eed0001-0000-4000-8000-000000000001' and n.read_at is null;

-- Parties -----------------------------------------------------------------------------------------------
-- A seat that somebody's own invite led to isn't counted: it is theirs.
with seated as (
  select y.id, y.name, count(m.person_id) as seats
  from public.parties y
  join public.party_members m on m.party_id = y.id
  where y.id::text like '5eed0009-%'
    and (m.person_id = y.created_by or exists (
      select from public.party_invites i
      where i.party_id = y.id and i.invitee_id = m.person_id and i.status = 'accepted'
        and i.id::text like '5eed0010-%'))
  group by y.id, y.name
)
select 'parties are of one, two, three, four and seven' as "check",
  array_agg(s.seats order by s.seats) = array[1, 2, 3, 4, 7]::bigint[] as ok,
  string_agg(format('%s %s', s.seats, s.name), ', ' order by s.seats) as detail
from seated s;

select 'every meal at a party was cooked by a member' as "check",
  count(*) = 15 and bool_and(m.person_id is not null) as ok,
  format('%s served, %s by strangers', count(*), count(*) filter (where m.person_id is null)) as detail
from public.meal_parties s
join public.meals e on e.id = s.meal_id and e.id::text like '5eed0006-%'
left join public.party_members m on m.party_id = s.party_id and m.person_id = e.created_by
where s.party_id::text like '5eed0009-%';
