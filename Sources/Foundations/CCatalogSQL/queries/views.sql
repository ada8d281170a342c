-- Views and materialized views: their query and every option, check option and security_invoker included.
select 'pg_class' as class, c.oid, 0 as sub,
  case c.relkind when 'm' then 'materialized view' else 'view' end as kind, quote_ident(n.nspname) as schema,
  format('%I.%I', n.nspname, c.relname) as name, null as parent_class, null as parent_oid, null as parent_sub,
  null as position,
  (select quote_ident(e.extname) from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e') as extension,
  quote_ident(pg_catalog.pg_get_userbyid(c.relowner)) as owner,
  array_to_string(c.reloptions, ', ') as options,
  case when not c.relispopulated then 'no' end as populated,
  (select quote_ident(a.amname) from pg_catalog.pg_am a
    where a.oid = c.relam and a.amname <> current_setting('default_table_access_method')) as "access method",
  (select quote_ident(s.spcname) from pg_catalog.pg_tablespace s where s.oid = c.reltablespace) as tablespace,
  rtrim(pg_catalog.pg_get_viewdef(c.oid), ';') as query,
  -- A query alone does not tell names given in the head of the view.
  (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0) as columns
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and n.nspname <> all ($1::text[])
