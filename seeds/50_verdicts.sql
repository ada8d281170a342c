-- Who was asked, and what they said: 0 nope, 1 ok, 2 yes.

-- The household's own, a line a meal: Vera, Jonas, Alma, Nils. A null is no verdict. Everything else is in the
-- second list. Together they give each way of ranking something else to put first.
create temporary table seed_verdict on commit drop as
with told as (
  select h.meal, v.who, v.reaction
  from (values
    (1, 2, 2, 2, 2), (2, 1, 2, 2, 2), (3, 2, 2, 2, 1), (4, 2, 1, 0, 1), (5, 1, 2, 2, 2),
    (6, 2, 2, 2, 2), (7, 1, 1, 2, 2), (8, 2, 2, 2, 2), (9, 1, 2, 2, 2), (10, 2, 2, 2, 1),
    (11, 2, 2, 2, 2), (12, 2, 2, 2, 2), (13, 2, 2, 2, 1), (14, 2, 1, 2, 2), (15, 2, 2, 2, 2),
    (16, 2, 2, 2, 2), (17, 2, 2, 2, 2), (18, 2, 2, 1, 2), (19, 2, 2, 2, 2),
    (20, 2, 2, 1, 1), (21, 1, 2, 1, 1), (22, 2, 1, 1, 0), (23, 1, 1, 0, 1),
    (24, 1, null, 2, 2), (25, 1, 1, 2, 2), (26, 2, 1, 2, 2),
    (27, 1, 1, 1, 1), (28, 1, 1, 1, 1), (29, 1, 0, 1, 2),
    (30, 2, 2, 1, 0), (31, 2, 2, 1, 0),
    (32, 2, 1, 0, 0),
    (33, 1, null, 0, 0), (34, 2, 1, 0, 0),
    (35, 2, 2, 2, 1),
    (37, 2, 1, 1, 1), (38, 2, 2, 1, 0),
    (39, 2, 2, 2, 2), (40, 1, 2, 2, 2)
  ) as h (meal, vera, jonas, alma, nils)
  cross join lateral (values
    ('cook', h.vera), ('jonas', h.jonas), ('Alma', h.alma), ('Nils', h.nils)) as v (who, reaction)
  where v.reaction is not null
  union all
  values
    (16, 'eleni', 2), (35, 'hana', 2), (39, 'aylin', 2), (39, 'Deniz', 1),
    (41, 'aylin', 2), (41, 'Deniz', 2), (41, 'cook', 2), (41, 'Alma', 2),
    (42, 'aylin', 1), (42, 'cook', 2),
    (43, 'aylin', 2), (43, 'cook', 2), (43, 'Nils', 1), (43, 'jonas', 2),
    (44, 'aylin', 2), (44, 'Deniz', 2),
    (45, 'eleni', 2), (45, 'cook', 2), (45, 'mateo', 1), (45, 'Luz', 2), (45, 'Pau', 0),
    (46, 'eleni', 2), (46, 'cook', 1), (46, 'lucien', 2),
    (47, 'eleni', 1), (47, 'priya', 2),
    (48, 'mateo', 2), (48, 'Luz', 1), (48, 'Pau', 0), (48, 'cook', 2),
    (49, 'mateo', 2), (49, 'Luz', 2), (49, 'Pau', 2), (49, 'tomas', 1),
    (50, 'mateo', 2), (50, 'eleni', 2), (50, 'amina', 2), (50, 'Sade', 2),
    (51, 'priya', 2), (51, 'hana', 1), (51, 'cook', 2),
    (52, 'priya', 2),
    (53, 'priya', 2), (53, 'aylin', 2), (53, 'Deniz', 0),
    (54, 'hana', 2),
    (55, 'hana', 2), (55, 'cook', 2), (55, 'lucien', 1),
    (56, 'tomas', 2), (56, 'Babička', 1), (56, 'mateo', 2),
    (57, 'amina', 2), (57, 'Sade', 2), (57, 'cook', 2), (57, 'eleni', 1),
    (58, 'lucien', 2), (58, 'hana', 0)
)
select
  -- The number names the meal and the person, so that a verdict added above moves no other's id.
  pg_temp.seed_id('verdict', t.meal * 100 + coalesce(p.number, 50 + e.number)) as id,
  t.meal * 100 + coalesce(p.number, 50 + e.number) as number,
  m.id as meal_id, p.id as rater_id, e.id as eater_id, t.reaction,
  coalesce(p.id, e.owner_id) as recorder_id, coalesce(p.display_name, e.name) as speaker,
  m.logged + interval '40 minutes' + coalesce(p.number, 50 + e.number) * interval '1 minute' as said
from told t
join seed_meal m on m.number = t.meal
left join seed_person p on p.handle = t.who
left join seed_eater e on e.name = t.who;

-- Every guest who has a verdict was invited and accepted. These are the ones beside them.
create temporary table seed_invite on commit drop as
with asked as (
  select distinct m.number as meal, p.email, 'accepted' as status
  from seed_verdict v
  join seed_meal m on m.id = v.meal_id
  join seed_person p on p.id = v.recorder_id
  where v.recorder_id <> m.created_by
  union all
  values
    (24, 'jonas@foodlog.test', 'pending'),
    (33, 'jonas@foodlog.test', 'declined'),
    (36, 'jonas@foodlog.test', 'accepted'),
    (11, 'priya@foodlog.test', 'pending'),
    -- Nobody has an account with these: the invites wait for a sign-up.
    (11, 'granny@elsewhere.test', 'pending'),
    (39, 'newcomer@elsewhere.test', 'pending'),
    (16, 'mateo@foodlog.test', 'declined'),
    -- An own address is accepted and asks nobody.
    (35, 'cook@foodlog.test', 'accepted'),
    (54, 'cook@foodlog.test', 'pending'),
    (58, 'cook@foodlog.test', 'pending'),
    (56, 'cook@foodlog.test', 'declined'),
    (52, 'tomas@foodlog.test', 'declined'),
    (53, 'jonas@foodlog.test', 'pending')
)
select
  pg_temp.seed_id('invite', a.meal * 100 + coalesce(p.number, 90)) as id,
  a.meal * 100 + coalesce(p.number, 90) as number,
  m.id as meal_id, m.created_by as inviter_id, p.id as invitee_id, a.email as invitee_email, a.status,
  m.logged + interval '10 minutes' as sent,
  m.logged + case when a.status = 'pending' then interval '10 minutes' else interval '30 minutes' end as answered
from asked a
join seed_meal m on m.number = a.meal
left join seed_person p on p.email = a.email;

-- Somebody may have withdrawn a seeded invite, or cleared a seeded verdict, and made another in its place.
-- The seeded one comes back: a second row for the same person can't stand beside it.
delete from public.meal_invites i
using seed_invite s
where i.meal_id = s.meal_id and i.id <> s.id
  and (i.invitee_id = s.invitee_id or lower(i.invitee_email) = s.invitee_email);
delete from public.meal_ratings r
using seed_verdict s
where r.meal_id = s.meal_id and r.id <> s.id and (r.rater_id = s.rater_id or r.eater_id = s.eater_id);

-- The trigger that links an address fills in the account, here as for everybody.
insert into public.meal_invites (
  id, meal_id, inviter_id, invitee_id, invitee_email, status, created_at, updated_at)
select s.id, s.meal_id, s.inviter_id, s.invitee_id, s.invitee_email, s.status, s.sent, s.answered
from seed_invite s
on conflict (id) do update set
  meal_id = excluded.meal_id, inviter_id = excluded.inviter_id, invitee_id = excluded.invitee_id,
  invitee_email = excluded.invitee_email, status = excluded.status, created_at = excluded.created_at,
  updated_at = excluded.updated_at;

insert into public.meal_ratings (id, meal_id, rater_id, eater_id, reaction, created_at, updated_at)
select s.id, s.meal_id, s.rater_id, s.eater_id, s.reaction, s.said, s.said
from seed_verdict s
on conflict (id) do update set
  meal_id = excluded.meal_id, rater_id = excluded.rater_id, eater_id = excluded.eater_id,
  reaction = excluded.reaction, created_at = excluded.created_at, updated_at = excluded.updated_at;
