-- What is printed after seeding. Every row: label, value.

select 'recipes' as label, format('%s from %s cuisines', count(*), count(distinct cuisine)) as value
from public.recipes;

select 'meals' as label, format('%s, %s to %s', count(*), min(eaten_on), max(eaten_on)) as value
from public.meals;

select 'verdicts' as label,
  format('%s: %s yes, %s ok, %s nope', count(*), count(*) filter (where reaction = 2),
    count(*) filter (where reaction = 1), count(*) filter (where reaction = 0)) as value
from public.meal_ratings;

select 'party ' || y.name as label,
  format('%s member%s, %s meal%s', y.members, case when y.members <> 1 then 's' end,
    y.meals, case when y.meals <> 1 then 's' end) as value
from (
  select p.name, p.created_at, p.id,
    (select count(*) from public.party_members m where m.party_id = p.id) as members,
    (select count(*) from public.meal_parties s where s.party_id = p.id) as meals
  from public.parties p
) as y
order by y.members, y.created_at, y.id;
