-- Event triggers.
select 'pg_event_trigger' as class, t.oid, 0 as sub, 'event trigger' as kind, null as schema,
  quote_ident(t.evtname) as name, null as parent_class, null as parent_oid, null as parent_sub, null as position,
  null as extension, quote_ident(pg_catalog.pg_get_userbyid(t.evtowner)) as owner, t.evtevent as event,
  (select string_agg(quote_literal(x.tag), ', ' order by x.tag) from unnest(t.evttags) as x(tag)) as tags,
  t.evtfoid::regproc::text as function,
  case t.evtenabled when 'D' then 'disabled' when 'R' then 'replica' when 'A' then 'always' end as state
from pg_catalog.pg_event_trigger t
where not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = t.oid
  and e.classid = 'pg_catalog.pg_event_trigger'::regclass)
