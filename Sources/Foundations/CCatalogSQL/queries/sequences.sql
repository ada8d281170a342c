-- Sequences with their parameters, never their values; those of identity columns belong to the column.
select 'pg_class' as class, c.oid, 0 as sub,
  case when o.deptype = 'i' then 'identity sequence' else 'sequence' end as kind, quote_ident(n.nspname) as schema,
  format('%I.%I', n.nspname, c.relname) as name,
  case when o.deptype = 'i' then 'pg_class' end as parent_class,
  case when o.deptype = 'i' then o.refobjid end as parent_oid,
  case when o.deptype = 'i' then o.refobjsubid end as parent_sub, null as position,
  (select quote_ident(e.extname) from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e') as extension,
  case when o.deptype is distinct from 'i' then quote_ident(pg_catalog.pg_get_userbyid(c.relowner)) end as owner,
  case c.relpersistence when 'u' then 'yes' end as unlogged,
  pg_catalog.format_type(s.seqtypid, null) as type,
  s.seqstart as start, s.seqincrement as increment, s.seqmin as minimum, s.seqmax as maximum, s.seqcache as cache,
  case when s.seqcycle then 'yes' end as cycle,
  case o.deptype when 'a' then format('%s.%I', o.refobjid::regclass, a.attname) end as "owned by"
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_sequence s on s.seqrelid = c.oid
left join pg_catalog.pg_depend o on o.classid = 'pg_catalog.pg_class'::regclass and o.objid = c.oid
  and o.refclassid = 'pg_catalog.pg_class'::regclass and o.refobjsubid > 0 and o.deptype in ('a', 'i')
left join pg_catalog.pg_attribute a on a.attrelid = o.refobjid and a.attnum = o.refobjsubid
where c.relkind = 'S' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
