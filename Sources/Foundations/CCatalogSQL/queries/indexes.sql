-- Indexes that are not a constraint's, with their validity; a partition's names the index it is attached to.
select 'pg_class' as class, i.oid, 0 as sub, 'index' as kind, quote_ident(n.nspname) as schema,
  quote_ident(i.relname) as name, 'pg_class' as parent_class, x.indrelid as parent_oid, 0 as parent_sub,
  null as position, null as extension,
  pg_catalog.pg_get_indexdef(i.oid) as definition,
  case when not x.indisvalid then 'no' end as valid,
  case when x.indisclustered then 'yes' end as clustered,
  (select h.inhparent::regclass::text from pg_catalog.pg_inherits h where h.inhrelid = i.oid) as "attached to",
  (select string_agg(a.attnum || ' ' || a.attstattarget, ', ' order by a.attnum) from pg_catalog.pg_attribute a
    where a.attrelid = i.oid and a.attstattarget >= 0) as statistics,
  (select quote_ident(s.spcname) from pg_catalog.pg_tablespace s where s.oid = i.reltablespace) as tablespace
from pg_catalog.pg_index x
join pg_catalog.pg_class i on i.oid = x.indexrelid
join pg_catalog.pg_namespace n on n.oid = i.relnamespace
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = x.indrelid
    and e.classid = 'pg_catalog.pg_class'::regclass)
