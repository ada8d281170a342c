-- The statements that stock PostgreSQL keeps for superusers, whatever is granted, and that the platform lets
-- `postgres` run: event triggers, publications for all tables or whole schemas, foreign data wrappers, and
-- roles with BYPASSRLS or REPLICATION on PostgreSQL 15. Each function takes a whole statement, reads it by a
-- strict pattern and runs what the pattern leaves room for, so nothing else can come along.
-- nomdev's migrator calls them in place of the statement (PrivilegedStatement); they can also be called by
-- hand. What is made belongs to `postgres`, which alters and drops it by ordinary means.

create function nomdev_platform.name_pattern() returns text language sql immutable as $$
  select '(?:[a-z_\u0080-\uffff][a-z_0-9$\u0080-\uffff]*|"(?:[^"]|"")+")'
$$;

-- Comments out, blanks at the ends and the last semicolon off.
create function nomdev_platform.bare(statement text) returns text
language sql immutable set search_path = '' as $$
  select pg_catalog.btrim(pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(statement, '--[^\n]*|/\*.*?\*/', ' ', 'g'), '\s*;?\s*$', ''), E' \t\r\n')
$$;

-- An event trigger, a wrapper and a publication for all tables take a superuser as their new owner: for the
-- time of one statement `postgres` is one. Nobody else sees that, for the transaction has not ended. The
-- lock makes a second transaction that does the same wait, instead of failing over the role's row.
create function nomdev_platform.give_to_postgres(kind text, quoted_name text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  lock table pg_catalog.pg_authid in share row exclusive mode;
  alter role postgres superuser;
  execute pg_catalog.format('alter %s %s owner to postgres', kind, quoted_name);
  alter role postgres nosuperuser;
end $$;

-- create event trigger NAME on EVENT [when tag in ('…', …)] execute {function|procedure} F()
--
-- Not SECURITY DEFINER: F is found along the caller's search_path.
create function nomdev_platform.create_event_trigger(statement text) returns void language plpgsql as $$
declare
  name constant text := nomdev_platform.name_pattern();
  part constant text[] := pg_catalog.regexp_match(nomdev_platform.bare(statement),
    '^create\s+event\s+trigger\s+(' || name || ')\s+on\s+(' || name || ')'
    || '(?:\s+when\s+tag\s+in\s*\(\s*(''[a-z ]+''(?:\s*,\s*''[a-z ]+'')*)\s*\))?'
    || '\s+execute\s+(?:function|procedure)\s+((?:' || name || '\.)?' || name || ')\s*\(\s*\)$', 'i');
begin
  if part is null then
    raise exception 'not a CREATE EVENT TRIGGER statement' using errcode = '42601';
  end if;
  perform nomdev_platform.make_event_trigger(
    (pg_catalog.parse_ident(part[1]))[1], (pg_catalog.parse_ident(part[2]))[1],
    array(select m[1] from pg_catalog.regexp_matches(coalesce(part[3], ''), '''([^'']+)''', 'g') m),
    (part[4] || '()')::regprocedure);
end $$;

create function nomdev_platform.make_event_trigger(
  name text, event text, tags text[], routine regprocedure)
returns void language plpgsql security definer set search_path = '' as $$
begin
  if (select r.rolsuper from pg_catalog.pg_proc p join pg_catalog.pg_roles r on r.oid = p.proowner
      where p.oid = routine) then
    raise exception 'Non-superuser owned event trigger must execute a non-superuser owned function'
      using errcode = '42501';
  end if;
  execute pg_catalog.format('create event trigger %I on %I%s execute function %s', name, event,
    (select ' when tag in (' || pg_catalog.string_agg(pg_catalog.quote_literal(t), ', ') || ')'
      from pg_catalog.unnest(tags) t),
    routine);
  perform nomdev_platform.give_to_postgres('event trigger', pg_catalog.quote_ident(name));
end $$;

-- create publication NAME for {all tables | tables in schema …} [with (…)], and
-- alter publication NAME {add|set|drop} tables in schema …
create function nomdev_platform.change_publication(statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  name constant text := nomdev_platform.name_pattern();
  bare constant text := nomdev_platform.bare(statement);
  names constant text := name || '(?:\s*,\s*' || name || ')*';
  option constant text := '[a-z_]+\s*=\s*(?:''[a-z, ]*''|[a-z]+)';
  created constant text[] := pg_catalog.regexp_match(bare,
    '^create\s+publication\s+(' || name || ')\s+for\s+(?:all\s+tables|tables\s+in\s+schema\s+' || names || ')'
    || '(?:\s+with\s*\(\s*' || option || '(?:\s*,\s*' || option || ')*\s*\))?$', 'i');
  altered constant text[] := pg_catalog.regexp_match(bare,
    '^alter\s+publication\s+(' || name || ')\s+(?:add|set|drop)\s+tables\s+in\s+schema\s+' || names || '$', 'i');
begin
  if created is not null then
    execute bare;
    perform nomdev_platform.give_to_postgres('publication', created[1]);
  elsif altered is not null then
    execute bare;
  else
    raise exception 'not a publication for all tables or schemas' using errcode = '42601';
  end if;
end $$;

-- create foreign data wrapper NAME [handler F] [validator F]
create function nomdev_platform.create_foreign_data_wrapper(statement text) returns void
language plpgsql security definer set search_path = extensions, public as $$
declare
  name constant text := nomdev_platform.name_pattern();
  bare constant text := nomdev_platform.bare(statement);
  routine constant text := '(?:' || name || '\.)?' || name;
  part constant text[] := pg_catalog.regexp_match(bare,
    '^create\s+foreign\s+data\s+wrapper\s+(' || name || ')(?:\s+handler\s+' || routine || ')?'
    || '(?:\s+validator\s+' || routine || ')?$', 'i');
begin
  if part is null then
    raise exception 'not a CREATE FOREIGN DATA WRAPPER statement' using errcode = '42601';
  end if;
  execute bare;
  perform nomdev_platform.give_to_postgres('foreign data wrapper', part[1]);
end $$;

-- create {role|user} NAME [with] OPTION … in PostgreSQL's own words, without SUPERUSER and memberships.
create function nomdev_platform.create_role(statement text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  bare constant text := nomdev_platform.bare(statement);
  part constant text[] := pg_catalog.regexp_match(bare, '^create\s+(?:role|user)\s+('
    || nomdev_platform.name_pattern() || ')(?:\s+with)?(?:\s+(?:'
    || 'nosuperuser|(?:no)?(?:createdb|createrole|inherit|login|replication|bypassrls)'
    || '|password\s+''[^''\\]*''))*$', 'i');
begin
  if part is null then
    raise exception 'permission denied to create role' using errcode = '42501';
  end if;
  execute bare;
  -- What the role that creates another one gets by itself since 16.
  if pg_catalog.current_setting('server_version_num')::int >= 160000 then
    execute pg_catalog.format('grant %s to postgres with admin true, inherit false, set false', part[1]);
  end if;
end $$;

do $$
declare
  routine regprocedure;
begin
  foreach routine in array array[
    'nomdev_platform.give_to_postgres(text, text)', 'nomdev_platform.create_event_trigger(text)',
    'nomdev_platform.make_event_trigger(text, text, text[], regprocedure)',
    'nomdev_platform.change_publication(text)', 'nomdev_platform.create_foreign_data_wrapper(text)',
    'nomdev_platform.create_role(text)']::regprocedure[]
  loop
    execute pg_catalog.format('revoke all on function %s from public', routine);
  end loop;
end $$;
grant execute on function nomdev_platform.create_event_trigger(text),
  nomdev_platform.make_event_trigger(text, text, text[], regprocedure),
  nomdev_platform.change_publication(text), nomdev_platform.create_foreign_data_wrapper(text),
  nomdev_platform.create_role(text) to postgres;

select nomdev_platform.take_baseline();
