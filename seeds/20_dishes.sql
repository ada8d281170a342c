-- Forty dishes. The folded name is written out beside the name: it is what the app's own folding must give,
-- and a literal is something to hold that against; a computed one would only agree with itself.

create temporary table seed_dish on commit drop as
select pg_temp.seed_id('dish', d.number) as id, p.id as owner_id, d.*,
  p.joined + interval '2 days' as added
from (values
  (1, 'cook', 'Fredagstacos', 'fredagstacos', '{friday,kids}'::text[]),
  (2, 'cook', 'Köttbullar med potatismos', 'kottbullar med potatismos', '{kids,classic}'),
  (3, 'cook', 'Lasagne', 'lasagne', '{weekend,oven}'),
  (4, 'cook', 'Ärtsoppa', 'artsoppa', '{thursday,soup}'),
  (5, 'cook', 'Ugnspannkaka', 'ugnspannkaka', '{kids,vegetarian,oven}'),
  (6, 'cook', 'Falukorv i ugn', 'falukorv i ugn', '{weeknight,oven}'),
  (7, 'cook', 'Pad thai', 'pad thai', '{weeknight,noodles}'),
  (8, 'cook', 'İmam bayıldı', 'imam bayildi', '{vegan,oven}'),
  (9, 'cook', 'Fisksoppa med saffran', 'fisksoppa med saffran', '{fish,soup}'),
  (10, 'cook', 'Okonomiyaki', 'okonomiyaki', '{weekend}'),
  (11, 'cook', 'Ratatouille', 'ratatouille', '{vegan}'),
  (12, 'cook', 'Shakshuka', 'shakshuka', '{vegetarian,eggs}'),
  (13, 'cook', 'Spaghetti alla carbonara', 'spaghetti alla carbonara', '{weeknight,pasta}'),
  (14, 'cook', 'Phở gà', 'pho ga', '{soup,noodles}'),
  (15, 'cook', 'Mole poblano', 'mole poblano', '{weekend}'),
  (16, 'cook', 'Bibimbap', 'bibimbap', '{rice}'),
  (17, 'cook', 'Coq au vin', 'coq au vin', '{weekend,stew}'),
  (18, 'cook', 'Shepherd’s pie', 'shepherds pie', '{oven}'),
  (19, 'cook', 'Feijoada', 'feijoada', '{stew,beans}'),
  (20, 'cook', 'Paella de verduras', 'paella de verduras', '{vegan,rice}'),
  (21, 'cook', 'Pizza 🍕 bianca', 'pizza bianca', '{friday,baking}'),
  (22, 'cook', 'Mac & cheese', 'mac cheese', '{kids,pasta,oven}'),
  (23, 'aylin', 'Mercimek çorbası', 'mercimek corbasi', '{soup,vegan}'),
  (24, 'aylin', 'Mantı', 'manti', '{weekend,dumplings}'),
  (25, 'aylin', 'Karnıyarık', 'karniyarik', '{oven}'),
  (26, 'aylin', 'Sütlaç', 'sutlac', '{dessert}'),
  (27, 'eleni', 'Σπανακόπιτα', 'σπανακοπιτα', '{vegetarian,baking}'),
  (28, 'eleni', 'Μουσακάς', 'μουσακασ', '{oven}'),
  (29, 'eleni', 'Φασολάδα', 'φασολαδα', '{soup,vegan,beans}'),
  (30, 'mateo', 'Gazpacho', 'gazpacho', '{soup,vegan,summer}'),
  (31, 'mateo', 'Tortilla de patatas', 'tortilla de patatas', '{eggs,vegetarian}'),
  (32, 'mateo', 'Crema catalana', 'crema catalana', '{dessert}'),
  (33, 'priya', 'Chana masala', 'chana masala', '{vegan,beans}'),
  (34, 'priya', 'Palak paneer', 'palak paneer', '{vegetarian}'),
  (35, 'priya', 'Masala dosa', 'masala dosa', '{vegan,weekend}'),
  (36, 'hana', 'Oyakodon', 'oyakodon', '{rice,eggs,weeknight}'),
  (37, 'hana', 'Miso ramen', 'miso ramen', '{soup,noodles}'),
  (38, 'tomas', 'Svíčková na smetaně', 'svickova na smetane', '{weekend,stew}'),
  (39, 'amina', 'Jollof rice', 'jollof rice', '{rice,vegan}'),
  (40, 'lucien', 'Soupe à l’oignon', 'soupe a loignon', '{soup}')
) as d (number, owner, name, normalized_name, tags)
join seed_person p on p.handle = d.owner;

-- Two dishes may have traded names, each then in the other's way. A dish of somebody's own under a seeded
-- name is an error instead: one of the two has to be renamed, and that is not for a seed to decide.
update public.dishes d
set normalized_name = d.id::text
from seed_dish s
where d.id = s.id and d.normalized_name <> s.normalized_name;

insert into public.dishes (id, owner_id, name, normalized_name, tags, created_at, updated_at)
select d.id, d.owner_id, d.name, d.normalized_name, d.tags, d.added, d.added
from seed_dish d
on conflict (id) do update set
  owner_id = excluded.owner_id, name = excluded.name, normalized_name = excluded.normalized_name,
  tags = excluded.tags, created_at = excluded.created_at, updated_at = excluded.updated_at;
