-- Enums with their labels in order, composites, domains and ranges. Types that need C code are not covered.
select 'pg_type' as class, t.oid, 0 as sub,
  case t.typtype when 'e' then 'enum' when 'c' then 'composite type' when 'd' then 'domain' else 'range type' end
    as kind,
  quote_ident(n.nspname) as schema, format('%I.%I', n.nspname, t.typname) as name,
  null as parent_class, null as parent_oid, null as parent_sub, null as position, m.extension,
  quote_ident(pg_catalog.pg_get_userbyid(t.typowner)) as owner,
  case t.typtype when 'e' then (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder)
    from pg_catalog.pg_enum e where e.enumtypid = t.oid) end as labels,
  case t.typtype when 'd' then pg_catalog.format_type(t.typbasetype, t.typtypmod) end as base,
  case when t.typtype = 'd' and t.typcollation <> b.typcollation then t.typcollation::regcollation::text end
    as collation,
  case when t.typtype = 'd' and t.typnotnull then 'yes' end as "not null",
  case t.typtype when 'd' then t.typdefault end as "default",
  (select concat_ws(', ', 'subtype = ' || pg_catalog.format_type(r.rngsubtype, null),
      'subtype_opclass = ' || case when not o.opcdefault then format('%I.%I', os.nspname, o.opcname) end,
      'collation = ' || case when r.rngcollation <> s.typcollation then r.rngcollation::regcollation::text end,
      'canonical = ' || nullif(r.rngcanonical, 0)::regproc,
      'subtype_diff = ' || nullif(r.rngsubdiff, 0)::regproc,
      'multirange_type_name = ' || pg_catalog.format_type(r.rngmultitypid, null))
    from pg_catalog.pg_range r join pg_catalog.pg_opclass o on o.oid = r.rngsubopc
    join pg_catalog.pg_namespace os on os.oid = o.opcnamespace
    join pg_catalog.pg_type s on s.oid = r.rngsubtype where r.rngtypid = t.oid) as definition
from pg_catalog.pg_type t
join pg_catalog.pg_namespace n on n.oid = t.typnamespace
left join pg_catalog.pg_type b on b.oid = t.typbasetype
left join pg_catalog.pg_class c on c.oid = t.typrelid
left join (
  select d.objid, quote_ident(e.extname) as extension from pg_catalog.pg_depend d
  join pg_catalog.pg_extension e on e.oid = d.refobjid
  where d.classid = 'pg_catalog.pg_type'::regclass and d.deptype = 'e') m on m.objid = t.oid
where (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and c.relkind = 'c')
  and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
