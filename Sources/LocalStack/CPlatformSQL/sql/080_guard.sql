-- Takes away what the membership of `postgres` in the services' owner roles (010_roles.sql) allows beyond
-- the platform. Stock PostgreSQL knows only "owner or not"; the platform lets `postgres` manage policies and
-- drop triggers on a list of tables it does not own, and nothing else. So does this: every other change to
-- an object in auth, storage or realtime is refused with the message and the SQLSTATE a non-owner gets.
--
-- Event triggers see a command after it ran and before it counts: an error here undoes it.
-- Superusers and the services themselves are not concerned.

create schema nomdev_platform authorization supabase_admin;
comment on schema nomdev_platform is 'nomdev: enforces the platform''s rules in this local database.';
grant usage on schema nomdev_platform to public;
-- By name as well: a role that something depends on cannot be dropped, and these own nothing.
grant usage on schema nomdev_platform to authenticator, supabase_replication_admin, supabase_etl_admin,
  supabase_read_only_user;

-- The tables whose policies and triggers `postgres` manages.
create table nomdev_platform.managed_table (name text primary key);
insert into nomdev_platform.managed_table values
  ('auth.audit_log_entries'), ('auth.identities'), ('auth.refresh_tokens'), ('auth.sessions'),
  ('auth.users'), ('realtime.messages'), ('storage.buckets'), ('storage.migrations'), ('storage.objects'),
  ('storage.s3_multipart_uploads'), ('storage.s3_multipart_uploads_parts');

-- Whether the session's user is bound by the rules. SET ROLE to a service does not lift them; a service's
-- own login and a superuser's do.
-- PL/pgSQL, as all that runs after every command: it keeps its plans.
create function nomdev_platform.is_guarded() returns boolean language plpgsql stable as $$
begin
  return not (
    (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
    or current_user = any (array['supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin',
        'supabase_functions_admin'])
      and (session_user = current_user
        or (select rolsuper from pg_catalog.pg_roles where rolname = session_user)));
end $$;

-- What a table looks like, apart from its triggers, policies and grants. Row level security is part of it:
-- enabling what is enabled changes nothing and passes, disabling it does not.
create function nomdev_platform.shape(relation oid) returns text
language sql stable set search_path = '' as $$
  select pg_catalog.concat_ws('|', c.relnamespace::regnamespace, c.relname, c.relowner::regrole, c.relreplident,
      c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, c.reltablespace,
      (select pg_catalog.string_agg(pg_catalog.concat_ws(' ', a.attname, a.atttypid, a.atttypmod, a.attnotnull,
          a.attidentity, a.attgenerated, a.attisdropped, a.attstorage, a.attoptions,
          pg_catalog.pg_get_expr(d.adbin, d.adrelid)), ',' order by a.attnum)
        from pg_catalog.pg_attribute a
        left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0),
      (select pg_catalog.string_agg(n.conname || n.convalidated::text, ',' order by n.conname)
        from pg_catalog.pg_constraint n where n.conrelid = c.oid),
      (select pg_catalog.count(*) from pg_catalog.pg_inherits i where c.oid in (i.inhrelid, i.inhparent)),
      -- A trigger more is fine, one that does not fire is not.
      (select pg_catalog.string_agg(t.tgname || t.tgenabled::text, ',' order by t.tgname)
        from pg_catalog.pg_trigger t where t.tgrelid = c.oid and t.tgenabled <> 'O'))
  from pg_catalog.pg_class c where c.oid = relation
$$;

-- The state the rules protect, by object: shapes of tables, rights on tables, sequences and functions.
create table nomdev_platform.baseline (
  kind text not null,
  id oid not null,
  shape text,
  acl aclitem[],
  -- The same as the catalog stores it: null for an object's built-in rights.
  raw_acl aclitem[],
  primary key (kind, id));

create view nomdev_platform.current_state as
  select case c.relkind when 'S' then 'sequence' else 'table' end as kind, c.oid as id,
    c.relnamespace::regnamespace || '.' || pg_catalog.quote_ident(c.relname) as name, c.relowner as owner,
    coalesce(c.relacl, pg_catalog.acldefault(case c.relkind when 'S' then 's'::"char" else 'r' end, c.relowner))
      as acl, c.relacl as raw_acl
  from pg_catalog.pg_class c
  where c.relnamespace in ('auth'::regnamespace, 'storage'::regnamespace, 'realtime'::regnamespace)
    and c.relkind in ('r', 'p', 'v', 'S')
  union all
  select 'function', p.oid, p.oid::regprocedure::text, p.proowner,
    coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner)), p.proacl
  from pg_catalog.pg_proc p
  where p.pronamespace in ('auth'::regnamespace, 'storage'::regnamespace, 'realtime'::regnamespace);

-- Written once at the end of the platform's scripts, and again when a superuser or a service changed things.
create function nomdev_platform.take_baseline() returns void
language sql security definer set search_path = '' as $$
  delete from nomdev_platform.baseline;
  insert into nomdev_platform.baseline
  select s.kind, s.id, case s.kind when 'table' then nomdev_platform.shape(s.id) end, s.acl, s.raw_acl
  from nomdev_platform.current_state s;
  insert into nomdev_platform.baseline
  select 'defaults', d.oid, null, d.defaclacl, d.defaclacl
  from pg_catalog.pg_default_acl d
  where d.defaclrole in ('supabase_auth_admin'::regrole, 'supabase_storage_admin'::regrole,
    'supabase_realtime_admin'::regrole, 'supabase_functions_admin'::regrole)
$$;
revoke all on function nomdev_platform.take_baseline() from public;

create function nomdev_platform.refuse(message text) returns void language plpgsql as $$
begin
  raise exception using errcode = '42501', message = message;
end $$;

create function nomdev_platform.warn(state text, message text) returns void language plpgsql as $$
begin
  raise warning using errcode = state, message = message;
end $$;

-- MARK: grants

-- Nearly every grant is about something else: a look at the catalog's own values says so at once.
create function nomdev_platform.rights_changed() returns boolean language plpgsql stable as $$
declare
  object text := (select object_type from pg_catalog.pg_event_trigger_ddl_commands() limit 1);
begin
  case
    when object in ('TABLE', 'SEQUENCE') then
      return exists (
        select from nomdev_platform.baseline b join pg_catalog.pg_class c on c.oid = b.id
        where b.kind in ('table', 'sequence') and c.relacl is distinct from b.raw_acl);
    when object in ('FUNCTION', 'PROCEDURE', 'ROUTINE') then
      return exists (
        select from nomdev_platform.baseline b join pg_catalog.pg_proc p on p.oid = b.id
        where b.kind = 'function' and p.proacl is distinct from b.raw_acl);
    else
      return false;
  end case;
end $$;

-- A grant by the owner is not what `postgres` can make on the platform: what it may pass on, it holds with
-- grant option. The rest of the command is undone, with the warning PostgreSQL gives when a grantor holds
-- nothing to grant or to revoke.
create function nomdev_platform.undo_owner_grants() returns void
language plpgsql security definer set search_path = '' as $$
declare
  change record;
begin
  for change in
    with object as (
      select s.*, b.acl as before
      from nomdev_platform.current_state s
      join nomdev_platform.baseline b using (kind, id)
      where s.acl is distinct from b.acl),
    held as (
      select o.kind, o.id, o.name, e.grantee, e.privilege_type, e.is_grantable
      from object o, pg_catalog.aclexplode(o.acl) e where e.grantor = o.owner),
    was as (
      select o.kind, o.id, o.name, e.grantee, e.privilege_type, e.is_grantable
      from object o, pg_catalog.aclexplode(o.before) e where e.grantor = o.owner),
    change as (
      select 'grant' as verb, lost.* from (table was except table held) as lost
      union all
      select 'revoke', gained.* from held as gained
      where not exists (
        select from was w where (w.kind, w.id, w.privilege_type) = (gained.kind, gained.id, gained.privilege_type)
          and (w.grantee = gained.grantee or w.grantee = 'postgres'::regrole and w.is_grantable)))
    select verb, kind, id, name, grantee, is_grantable,
      pg_catalog.string_agg(privilege_type, ', ') as privileges,
      pg_catalog.row_number() over (partition by verb, kind, id) as turn
    from change group by verb, kind, id, name, grantee, is_grantable
  loop
    execute pg_catalog.format('%s %s on %s %s %s %s%s', change.verb, change.privileges, change.kind,
      change.name, case change.verb when 'grant' then 'to' else 'from' end,
      case change.grantee when 0 then 'public' else change.grantee::regrole::text end,
      case when change.verb = 'grant' and change.is_grantable then ' with grant option' else '' end);
    if change.turn = 1 then
      perform nomdev_platform.warn(
        case change.verb when 'revoke' then '01007' else '01006' end,
        case change.verb when 'revoke' then 'not all privileges were granted for "'
          else 'not all privileges could be revoked for "' end
        || pg_catalog.regexp_replace(change.name, '^[a-z]+\.|\(.*', '', 'g') || '"');
    end if;
  end loop;
end $$;

-- Default privileges of the services are theirs.
create function nomdev_platform.defaults_changed() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select d.oid, d.defaclacl
    from pg_catalog.pg_default_acl d
    where d.defaclrole in ('supabase_auth_admin'::regrole, 'supabase_storage_admin'::regrole,
      'supabase_realtime_admin'::regrole, 'supabase_functions_admin'::regrole)
      and not exists (
        select from nomdev_platform.baseline b where b.kind = 'defaults' and b.id = d.oid and b.acl = d.defaclacl))
    or exists (
      select from nomdev_platform.baseline b
      where b.kind = 'defaults' and not exists (select from pg_catalog.pg_default_acl d where d.oid = b.id))
$$;

-- MARK: the two watches

create function nomdev_platform.shape_changed(relation oid) returns boolean
language sql stable security definer set search_path = '' as $$
  select nomdev_platform.shape(relation) is distinct from
    (select b.shape from nomdev_platform.baseline b where b.kind = 'table' and b.id = relation)
$$;

create function nomdev_platform.is_managed(schema_name text, table_name text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from nomdev_platform.managed_table m where m.name = schema_name || '.' || table_name)
$$;

create function nomdev_platform.guard_commands() returns event_trigger language plpgsql as $$
declare
  command record;
  parent record;
begin
  if tg_tag in ('GRANT', 'REVOKE') then
    if nomdev_platform.rights_changed() and nomdev_platform.is_guarded() then
      perform nomdev_platform.undo_owner_grants();
    end if;
    return;
  elsif tg_tag = 'ALTER DEFAULT PRIVILEGES' then
    if nomdev_platform.is_guarded() and nomdev_platform.defaults_changed() then
      perform nomdev_platform.refuse('permission denied to change default privileges');
    end if;
    return;
  end if;
  for command in
    select * from pg_catalog.pg_event_trigger_ddl_commands() as c
    where (c.schema_name in ('auth', 'storage', 'realtime')
        -- The identity of a policy, rule or trigger is "name on schema.table". Making a trigger takes no
        -- owner but the TRIGGER privilege, which PostgreSQL checks.
        or c.schema_name is null and c.command_tag <> 'CREATE TRIGGER'
          and c.object_identity ~ ' on (auth|storage|realtime)\.')
      and not c.in_extension
  loop
    if command.schema_name is null then
      -- A policy, a rule, or a comment on something that is found through its table.
      select n.nspname, r.relname into parent
      from pg_catalog.pg_class r join pg_catalog.pg_namespace n on n.oid = r.relnamespace
      where r.oid = coalesce(
          (select polrelid from pg_catalog.pg_policy where oid = command.objid
            and command.classid = 'pg_catalog.pg_policy'::regclass),
          (select ev_class from pg_catalog.pg_rewrite where oid = command.objid
            and command.classid = 'pg_catalog.pg_rewrite'::regclass),
          (select tgrelid from pg_catalog.pg_trigger where oid = command.objid
            and command.classid = 'pg_catalog.pg_trigger'::regclass),
          (select conrelid from pg_catalog.pg_constraint where oid = command.objid
            and command.classid = 'pg_catalog.pg_constraint'::regclass))
        and n.nspname in ('auth', 'storage', 'realtime');
      if found and nomdev_platform.is_guarded() and not (
        command.object_type = 'policy' and nomdev_platform.is_managed(parent.nspname, parent.relname))
      then
        perform nomdev_platform.refuse('must be owner of table ' || parent.relname);
      end if;
    elsif nomdev_platform.is_guarded() then
      case
        when command.command_tag = 'ALTER TABLE' and command.object_type = 'table'
          and not nomdev_platform.shape_changed(command.objid) then null;
        when command.command_tag = 'COMMENT' and command.object_type = 'policy' then null;
        when command.command_tag in ('CREATE INDEX', 'ALTER INDEX') then
          perform nomdev_platform.refuse('must be owner of table ' ||
            (select r.relname from pg_catalog.pg_index i join pg_catalog.pg_class r on r.oid = i.indrelid
              where i.indexrelid = command.objid));
        when command.command_tag like 'CREATE %' or command.command_tag = 'SELECT INTO'
          or command.command_tag like 'ALTER %' and not exists (
            select from nomdev_platform.baseline b where b.id = command.objid) then
          perform nomdev_platform.refuse('permission denied for schema ' || command.schema_name);
        when command.object_type in ('table', 'table column') then
          perform nomdev_platform.refuse('must be owner of table ' || coalesce(
            (select pg_catalog.split_part(b.shape, '|', 2) from nomdev_platform.baseline b
              where b.kind = 'table' and b.id = command.objid), command.object_identity));
        else
          perform nomdev_platform.refuse('must be owner of ' || command.object_type || ' ' ||
            pg_catalog.regexp_replace(command.object_identity, '^[a-z]+\.|\(.*', '', 'g'));
      end case;
    end if;
  end loop;
end $$;

create function nomdev_platform.guard_drops() returns event_trigger language plpgsql as $$
declare
  dropped record;
begin
  for dropped in
    -- What goes with something of the project's own, such as the triggers of its foreign keys, is its own.
    select * from pg_catalog.pg_event_trigger_dropped_objects() as d
    where d.original and coalesce(d.schema_name, d.address_names[1]) in ('auth', 'storage', 'realtime')
  loop
    if not (dropped.object_type in ('policy', 'trigger')
        and nomdev_platform.is_managed(dropped.address_names[1], dropped.address_names[2]))
      and nomdev_platform.is_guarded()
    then
      perform nomdev_platform.refuse(case
        when dropped.object_type in ('policy', 'trigger', 'rule', 'table constraint', 'table column', 'default value')
          then 'must be owner of relation ' || dropped.address_names[2]
        else 'must be owner of ' || dropped.object_type || ' ' ||
          pg_catalog.regexp_replace(dropped.object_identity, '^[a-z]+\.|\(.*', '', 'g') end);
    end if;
  end loop;
end $$;

-- Called by the watches as whoever runs the command.
grant select on nomdev_platform.baseline to public;

-- ALWAYS: `set session_replication_role = replica`, which `postgres` may do, would turn them off.
create event trigger nomdev_guard_commands on ddl_command_end
  execute function nomdev_platform.guard_commands();
alter event trigger nomdev_guard_commands enable always;
create event trigger nomdev_guard_drops on sql_drop execute function nomdev_platform.guard_drops();
alter event trigger nomdev_guard_drops enable always;
