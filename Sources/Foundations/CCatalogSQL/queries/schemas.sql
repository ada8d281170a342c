-- Schemas: who owns them. The server's own and those named in $1 are left out.
select 'pg_namespace' as class, n.oid, 0 as sub, 'schema' as kind, quote_ident(n.nspname) as schema,
  quote_ident(n.nspname) as name, null as parent_class, null as parent_oid, null as parent_sub, null as position,
  (select quote_ident(e.extname) from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_namespace'::regclass and d.objid = n.oid and d.deptype = 'e') as extension,
  quote_ident(pg_catalog.pg_get_userbyid(n.nspowner)) as owner
from pg_catalog.pg_namespace n
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
