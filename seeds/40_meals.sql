-- Fifty-eight meals in half a year: the household's forty, and eighteen of friends.
--
-- The household's rhythm: tacos on Fridays, pea soup on some Thursdays. Meatballs and lasagne are the
-- favourites, one eaten lately, the other not for weeks. Sausage is merely ok and long overdue. The aubergine
-- was a flop at once, the fish soup twice. Okonomiyaki was liked and tried only once; the ratatouille has no
-- verdict at all. The rest of the household's dishes have never been cooked.

create temporary table seed_meal on commit drop as
select pg_temp.seed_id('meal', m.number) as id, d.id as dish_id, d.owner_id as created_by, d.name as dish_name,
  pg_temp.last_day(m.weekday, m.weeks_earlier) as eaten_on, m.*,
  (pg_temp.last_day(m.weekday, m.weeks_earlier) + time '18:40') at time zone 'UTC' as logged
from (values
  (1, 'cook', 'fredagstacos', 'fri', 0, null),
  (2, 'cook', 'fredagstacos', 'fri', 1, 'Ran out of coriander.'),
  (3, 'cook', 'fredagstacos', 'fri', 2, null),
  (4, 'cook', 'fredagstacos', 'fri', 3, 'With fish for once.'),
  (5, 'cook', 'fredagstacos', 'fri', 5, null),
  (6, 'cook', 'fredagstacos', 'fri', 6, null),
  (7, 'cook', 'fredagstacos', 'fri', 7, null),
  (8, 'cook', 'fredagstacos', 'fri', 9, null),
  (9, 'cook', 'fredagstacos', 'fri', 10, 'Nils rolled his own.'),
  (10, 'cook', 'fredagstacos', 'fri', 12, null),
  (11, 'cook', 'kottbullar med potatismos', 'sun', 1, 'Double batch, half in the freezer.'),
  (12, 'cook', 'kottbullar med potatismos', 'tue', 6, null),
  (13, 'cook', 'kottbullar med potatismos', 'sun', 11, null),
  (14, 'cook', 'kottbullar med potatismos', 'tue', 17, null),
  (15, 'cook', 'kottbullar med potatismos', 'sun', 22, null),
  (16, 'cook', 'lasagne', 'sun', 8, 'Four layers. Worth it.'),
  (17, 'cook', 'lasagne', 'sun', 13, null),
  (18, 'cook', 'lasagne', 'sat', 19, null),
  (19, 'cook', 'lasagne', 'sun', 24, null),
  (20, 'cook', 'artsoppa', 'thu', 3, null),
  (21, 'cook', 'artsoppa', 'thu', 9, 'More mustard.'),
  (22, 'cook', 'artsoppa', 'thu', 15, null),
  (23, 'cook', 'artsoppa', 'thu', 21, null),
  (24, 'cook', 'ugnspannkaka', 'thu', 0, 'With the last lingonberries.'),
  (25, 'cook', 'ugnspannkaka', 'thu', 6, null),
  (26, 'cook', 'ugnspannkaka', 'thu', 12, null),
  (27, 'cook', 'falukorv i ugn', 'mon', 14, null),
  (28, 'cook', 'falukorv i ugn', 'mon', 17, null),
  (29, 'cook', 'falukorv i ugn', 'mon', 20, null),
  (30, 'cook', 'pad thai', 'wed', 4, 'Too hot for Nils.'),
  (31, 'cook', 'pad thai', 'wed', 10, null),
  (32, 'cook', 'imam bayildi', 'wed', 7, 'They fainted, but not from joy.'),
  (33, 'cook', 'fisksoppa med saffran', 'mon', 5, 'Not again for a while.'),
  (34, 'cook', 'fisksoppa med saffran', 'mon', 18, null),
  (35, 'cook', 'okonomiyaki', 'sat', 9, 'Hana talked us through it.'),
  (36, 'cook', 'ratatouille', 'tue', 12, null),
  (37, 'cook', 'shakshuka', 'sat', 1, null),
  (38, 'cook', 'shakshuka', 'sat', 16, null),
  (39, 'cook', 'spaghetti alla carbonara', 'tue', 3, 'Aylin and Deniz came by.'),
  (40, 'cook', 'spaghetti alla carbonara', 'tue', 14, null),
  (41, 'aylin', 'mercimek corbasi', 'mon', 1, null),
  (42, 'aylin', 'mercimek corbasi', 'mon', 11, null),
  (43, 'aylin', 'manti', 'sun', 5, 'Forty to a spoon is a myth.'),
  (44, 'aylin', 'sutlac', 'sun', 15, null),
  (45, 'eleni', 'σπανακοπιτα', 'sat', 4, null),
  (46, 'eleni', 'μουσακασ', 'sun', 12, null),
  (47, 'eleni', 'φασολαδα', 'wed', 2, null),
  (48, 'mateo', 'gazpacho', 'sat', 20, 'The hottest day of the year.'),
  (49, 'mateo', 'tortilla de patatas', 'fri', 8, null),
  (50, 'mateo', 'crema catalana', 'sat', 4, null),
  (51, 'priya', 'chana masala', 'tue', 2, null),
  (52, 'priya', 'palak paneer', 'tue', 13, null),
  (53, 'priya', 'masala dosa', 'sun', 7, 'The third one is always the good one.'),
  (54, 'hana', 'oyakodon', 'wed', 0, null),
  (55, 'hana', 'miso ramen', 'sat', 10, null),
  (56, 'tomas', 'svickova na smetane', 'sun', 3, 'Six slices of dumpling each.'),
  (57, 'amina', 'jollof rice', 'sat', 4, null),
  (58, 'lucien', 'soupe a loignon', 'thu', 2, null)
) as m (number, owner, dish, weekday, weeks_earlier, notes)
join seed_dish d on d.owner = m.owner and d.normalized_name = m.dish;

insert into public.meals (id, dish_id, created_by, eaten_on, notes, photo_path, created_at, updated_at)
select m.id, m.dish_id, m.created_by, m.eaten_on, m.notes, null, m.logged, m.logged
from seed_meal m
on conflict (id) do update set
  dish_id = excluded.dish_id, created_by = excluded.created_by, eaten_on = excluded.eaten_on,
  notes = excluded.notes, photo_path = excluded.photo_path, created_at = excluded.created_at,
  updated_at = excluded.updated_at;
