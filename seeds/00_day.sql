-- Nom Nom's sample data. All files of this folder run in name order, in one transaction.
--
-- Every row has a fixed id (5eed<kind>-...-<number>) and is asserted: `on conflict (id) do update` sets every
-- column, so that a row edited by hand comes back and a second run changes nothing. Rows with other ids are
-- somebody's own and stay. Days count back from the day of seeding, so the sample never grows old; a later
-- run moves the same rows.
--
-- The helpers below are temporary and dropped by the last file.

-- The day the sample is told from. `set seed.today = '2026-11-30'` freezes it, for tests of what depends on it.
create or replace function pg_temp.seed_day() returns date
language sql stable
as $$
  select coalesce(nullif(current_setting('seed.today', true), '')::date, current_date)
$$;

-- The last such weekday before the day of seeding, or one so many weeks earlier. A meal keeps its weekday
-- whenever the seeds run, no two meals with different arguments share a day, and none lies in the future.
create or replace function pg_temp.last_day(weekday text, weeks_earlier integer) returns date
language sql stable
as $$
  select pg_temp.seed_day() - 1 - 7 * weeks_earlier
    - (extract(isodow from pg_temp.seed_day() - 1)::integer
      - array_position(array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], weekday) + 7) % 7
$$;

create or replace function pg_temp.seed_id(kind text, number integer) returns uuid
language sql immutable
as $$
  select format('5eed%s-0000-4000-8000-%s',
    lpad(array_position(array['person', 'identity', 'eater', 'dish', 'recipe', 'meal', 'invite', 'verdict',
      'party', 'party invite', 'device', 'about verdict', 'about invite', 'about party'], kind)::text, 4, '0'),
    lpad(number::text, 12, '0'))::uuid
$$;
