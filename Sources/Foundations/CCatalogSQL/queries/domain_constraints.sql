-- Check constraints of domains.
select 'pg_constraint' as class, k.oid, 0 as sub, 'domain constraint' as kind, quote_ident(n.nspname) as schema,
  quote_ident(k.conname) as name, 'pg_type' as parent_class, t.oid as parent_oid, 0 as parent_sub,
  null as position, null as extension, pg_catalog.pg_get_constraintdef(k.oid) as definition
from pg_catalog.pg_constraint k
join pg_catalog.pg_type t on t.oid = k.contypid
join pg_catalog.pg_namespace n on n.oid = t.typnamespace
where k.contype = 'c' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = t.oid
    and e.classid = 'pg_catalog.pg_type'::regclass)
