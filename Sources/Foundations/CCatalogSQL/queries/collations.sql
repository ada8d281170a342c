-- Collations that are no part of PostgreSQL, as the list of what CREATE COLLATION takes.
select 'pg_collation' as class, c.oid, 0 as sub, 'collation' as kind, quote_ident(n.nspname) as schema,
  format('%I.%I', n.nspname, c.collname) as name, null as parent_class, null as parent_oid, null as parent_sub,
  null as position, null as extension, quote_ident(pg_catalog.pg_get_userbyid(c.collowner)) as owner,
  -- The column with an ICU or built-in locale changed its name with PostgreSQL 17.
  concat_ws(', ', 'provider = ' || case c.collprovider when 'i' then 'icu' when 'b' then 'builtin' else 'libc' end,
    'locale = ' || quote_literal(coalesce(to_jsonb(c) ->> 'colliculocale', to_jsonb(c) ->> 'colllocale')),
    'lc_collate = ' || quote_literal(c.collcollate), 'lc_ctype = ' || quote_literal(c.collctype),
    'rules = ' || quote_literal(to_jsonb(c) ->> 'collicurules'),
    case when not c.collisdeterministic then 'deterministic = false' end) as definition
from pg_catalog.pg_collation c
join pg_catalog.pg_namespace n on n.oid = c.collnamespace
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = c.oid
    and e.classid = 'pg_catalog.pg_collation'::regclass)
