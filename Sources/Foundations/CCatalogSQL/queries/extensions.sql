-- Extensions with their schema and version.
select 'pg_extension' as class, e.oid, 0 as sub, 'extension' as kind, null as schema, quote_ident(e.extname) as name,
  null as parent_class, null as parent_oid, null as parent_sub, null as position, null as extension,
  quote_ident(n.nspname) as "in schema", e.extversion as version
from pg_catalog.pg_extension e
join pg_catalog.pg_namespace n on n.oid = e.extnamespace
