-- Columns of tables and attributes of composite types; of views only those with something of their own.
-- Storage, collation and statistics are told where they are not what the type gives. Servers since the minor
-- releases of November 2026 stamp each column with an option pg_attver, which pg_dump leaves out, too.
select 'pg_class' as class, c.oid, a.attnum as sub,
  case c.relkind when 'c' then 'attribute' else 'column' end as kind, quote_ident(n.nspname) as schema,
  quote_ident(a.attname) as name,
  case c.relkind when 'c' then 'pg_type' else 'pg_class' end as parent_class,
  case c.relkind when 'c' then c.reltype else c.oid end as parent_oid, 0 as parent_sub,
  a.attnum as position, null as extension,
  case when c.relkind not in ('v', 'm') then pg_catalog.format_type(a.atttypid, a.atttypmod) end as type,
  case when a.attcollation <> t.typcollation and c.relkind not in ('v', 'm') then a.attcollation::regcollation::text end as collation,
  case when a.attnotnull then 'yes' end as "not null",
  case when a.attgenerated = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end as "default",
  case when a.attgenerated <> '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid)
    || case a.attgenerated when 'v' then ' virtual' else '' end end as generated,
  case a.attidentity when 'a' then 'always' when 'd' then 'by default' end as identity,
  case when a.attstorage <> t.typstorage and c.relkind not in ('v', 'm') then
    case a.attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end
  end as storage,
  case a.attcompression when 'p' then 'pglz' when 'l' then 'lz4' end as compression,
  case when a.attstattarget >= 0 then a.attstattarget::text end as statistics,
  (select string_agg(o, ', ') from unnest(a.attoptions) as o where o !~ '^pg_attver=') as options,
  (select string_agg(format('%I %L', o.option_name, o.option_value), ', ' order by o.option_name)
    from pg_catalog.pg_options_to_table(a.attfdwoptions) o) as "foreign options",
  case when not a.attislocal and not c.relispartition then 'yes'
    when a.attinhcount > 0 and not c.relispartition then 'merged' end as inherited
from pg_catalog.pg_attribute a
join pg_catalog.pg_class c on c.oid = a.attrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_type t on t.oid = a.atttypid
left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and n.nspname <> all ($1::text[])
  and (c.relkind in ('r', 'p', 'f', 'c') or c.relkind in ('v', 'm') and (
    d.adbin is not null or a.attacl is not null or a.attstattarget >= 0
    or exists (select from pg_catalog.pg_description x where x.classoid = 'pg_catalog.pg_class'::regclass
      and x.objoid = c.oid and x.objsubid = a.attnum)))
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = c.oid
    and e.classid = 'pg_catalog.pg_class'::regclass)
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = c.reltype
    and e.classid = 'pg_catalog.pg_type'::regclass and c.relkind = 'c')
