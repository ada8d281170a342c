-- Casts that are no part of PostgreSQL.
select 'pg_cast' as class, c.oid, 0 as sub, 'cast' as kind, null as schema,
  format('(%s as %s)', pg_catalog.format_type(c.castsource, null), pg_catalog.format_type(c.casttarget, null)) as name,
  null as parent_class, null as parent_oid, null as parent_sub, null as position, null as extension,
  case c.castmethod when 'f' then 'function ' || c.castfunc::regprocedure when 'i' then 'inout' else 'binary' end
    as method,
  case c.castcontext when 'i' then 'implicit' when 'a' then 'assignment' else 'explicit' end as context
from pg_catalog.pg_cast c
where c.oid >= 16384
  and not exists (select from pg_catalog.pg_depend e where e.deptype in ('e', 'i') and e.objid = c.oid
    and e.classid = 'pg_catalog.pg_cast'::regclass)
