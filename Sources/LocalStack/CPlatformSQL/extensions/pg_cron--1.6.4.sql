-- Stand-in for pg_cron. Jobs are kept and can be listed; no job is ever run, so
-- cron.job_run_details stays empty.

create schema if not exists cron;

create sequence cron.jobid_seq;
create sequence cron.runid_seq;

create table cron.job (
  jobid bigint primary key default nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport int not null default current_setting('port')::int,
  database text not null default current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);

create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

-- Whether pg_cron would take the schedule: five fields, a nickname, or seconds.
create function cron._stand_in_is_schedule(schedule text) returns boolean
  language plpgsql immutable strict
as $$
declare
  names constant text[] := array[null, null, null, 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec',
    'sun|mon|tue|wed|thu|fri|sat'];
  lows constant int[] := array[0, 0, 1, 1, 0];
  highs constant int[] := array[59, 23, 31, 12, 7];
  given text := lower(btrim(schedule));
  fields text[];
  item text;
  value text;
begin
  if given ~ '^@(yearly|annually|monthly|weekly|daily|midnight|hourly|reboot)$' then
    return true;
  end if;
  if given ~ '^([1-9]|[1-5][0-9]) *seconds?$' then
    return true;
  end if;
  fields := regexp_split_to_array(given, '\s+');
  if cardinality(fields) <> 5 then
    return false;
  end if;
  for place in 1..5 loop
    foreach item in array string_to_array(fields[place], ',') loop
      if place = 3 and item = '$' then
        continue;
      end if;
      if names[place] is not null then
        item := regexp_replace(item, '\m(' || names[place] || ')\M', lows[place]::text, 'g');
      end if;
      if item !~ '^(\*|[0-9]{1,2}(-[0-9]{1,2})?)(/[0-9]{1,2})?$' then
        return false;
      end if;
      for value in select (regexp_matches(split_part(item, '/', 1), '[0-9]+', 'g'))[1] loop
        if value::int not between lows[place] and highs[place] then
          return false;
        end if;
      end loop;
    end loop;
  end loop;
  return true;
end $$;

-- The one place that writes a job. Definer, because a user holds no INSERT on cron.job; the caller's
-- name is handed in, because inside this function current_user is the owner.
create function cron._stand_in_schedule(
  job_name text, schedule text, command text, database text, username text, active boolean, caller name
) returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  id bigint;
begin
  if _stand_in_schedule.schedule is null or not cron._stand_in_is_schedule(_stand_in_schedule.schedule) then
    raise exception 'invalid schedule: %', _stand_in_schedule.schedule
      using errcode = 'invalid_parameter_value',
        hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
  end if;
  if _stand_in_schedule.username is not null and _stand_in_schedule.username <> caller
    and not pg_has_role(caller, _stand_in_schedule.username, 'member') then
    raise exception 'must be superuser to create a job for another role'
      using errcode = 'insufficient_privilege';
  end if;
  insert into cron.job as j (jobname, schedule, command, database, username, active)
  values (job_name, _stand_in_schedule.schedule, _stand_in_schedule.command,
    coalesce(_stand_in_schedule.database, current_database()),
    coalesce(_stand_in_schedule.username, caller), coalesce(_stand_in_schedule.active, true))
  on conflict on constraint jobname_username_uniq do update
    set schedule = excluded.schedule, command = excluded.command, database = excluded.database,
      active = excluded.active
  returning j.jobid into id;
  return id;
end $$;

create function cron.schedule(schedule text, command text) returns bigint
  language sql volatile
  return cron._stand_in_schedule(null, schedule, command, null, null, true, current_user);

create function cron.schedule(job_name text, schedule text, command text) returns bigint
  language sql volatile
  return cron._stand_in_schedule(job_name, schedule, command, null, null, true, current_user);

create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null,
  active boolean default true
) returns bigint
  language sql volatile
  return cron._stand_in_schedule(job_name, schedule, command, database, username, active, current_user);

create function cron._stand_in_unschedule(job_id bigint, job_name text, caller name) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from cron.job j
  where (j.jobid = job_id or j.jobname = job_name)
    and (j.username = caller or job_id is not null and pg_has_role(caller, j.username::name, 'member'));
  if not found then
    raise exception 'could not find valid entry for job ''%''', coalesce(job_name, job_id::text);
  end if;
  return true;
end $$;

create function cron.unschedule(job_id bigint) returns boolean
  language sql volatile
  return cron._stand_in_unschedule(job_id, null, current_user);

create function cron.unschedule(job_name text) returns boolean
  language sql volatile
  return cron._stand_in_unschedule(null, job_name, current_user);

create function cron._stand_in_alter_job(
  job_id bigint, schedule text, command text, database text, username text, active boolean, caller name
) returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if _stand_in_alter_job.schedule is not null and not cron._stand_in_is_schedule(_stand_in_alter_job.schedule) then
    raise exception 'invalid schedule: %', _stand_in_alter_job.schedule
      using errcode = 'invalid_parameter_value',
        hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
  end if;
  update cron.job j set
    schedule = coalesce(_stand_in_alter_job.schedule, j.schedule),
    command = coalesce(_stand_in_alter_job.command, j.command),
    database = coalesce(_stand_in_alter_job.database, j.database),
    username = coalesce(_stand_in_alter_job.username, j.username),
    active = coalesce(_stand_in_alter_job.active, j.active)
  where j.jobid = job_id and pg_has_role(caller, j.username::name, 'member');
  if not found then
    raise exception 'Job % does not exist or you don''t own it', job_id;
  end if;
end $$;

create function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null
) returns void
  language sql volatile
  return cron._stand_in_alter_job(job_id, schedule, command, database, username, active, current_user);

-- The original's own rights: each sees its own jobs; the schema isn't open, and naming a database or
-- altering a job has to be allowed by name.
grant select on cron.job to public;
grant select, delete on cron.job_run_details to public;
revoke all on function cron.schedule_in_database, cron.alter_job from public;

-- What the platform hands out after `create extension`: jobs are read, and changed by function only.
do $$
begin
  if to_regrole('postgres') is null then
    return;
  end if;
  grant usage on schema cron to postgres with grant option;
  grant all on all functions in schema cron to postgres with grant option;
  alter default privileges in schema cron grant all on sequences to postgres with grant option;
  alter default privileges in schema cron grant all on tables to postgres with grant option;
  alter default privileges in schema cron grant all on functions to postgres with grant option;
  grant all privileges on all tables in schema cron to postgres with grant option;
  revoke all on table cron.job from postgres;
  grant select on table cron.job to postgres with grant option;
end $$;

-- The platform pins pg_cron to pg_catalog whatever schema is named; so that lists of extensions agree.
update pg_catalog.pg_depend set refobjid = 'pg_catalog'::regnamespace
where classid = 'pg_catalog.pg_extension'::regclass and refclassid = 'pg_catalog.pg_namespace'::regclass
  and objid = (select oid from pg_catalog.pg_extension where extname = 'pg_cron');
update pg_catalog.pg_extension set extnamespace = 'pg_catalog'::regnamespace where extname = 'pg_cron';
