-- Triggers that someone created; a partition's copy follows from its parent's.
select 'pg_trigger' as class, t.oid, 0 as sub, 'trigger' as kind, quote_ident(n.nspname) as schema,
  quote_ident(t.tgname) as name, 'pg_class' as parent_class, c.oid as parent_oid, 0 as parent_sub,
  null as position, null as extension,
  case t.tgenabled when 'D' then 'disabled' when 'R' then 'replica' when 'A' then 'always' end as state,
  pg_catalog.pg_get_triggerdef(t.oid) as definition,
  t.tgfoid::regproc::text as function
from pg_catalog.pg_trigger t
join pg_catalog.pg_class c on c.oid = t.tgrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where not t.tgisinternal and t.tgparentid = 0
  and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = c.oid
    and e.classid = 'pg_catalog.pg_class'::regclass)
