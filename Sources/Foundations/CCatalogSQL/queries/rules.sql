-- Rewrite rules other than those that make a view a view.
select 'pg_rewrite' as class, r.oid, 0 as sub, 'rule' as kind, quote_ident(n.nspname) as schema,
  quote_ident(r.rulename) as name, 'pg_class' as parent_class, c.oid as parent_oid, 0 as parent_sub,
  null as position, null as extension,
  case r.ev_enabled when 'D' then 'disabled' when 'R' then 'replica' when 'A' then 'always' end as state,
  rtrim(pg_catalog.pg_get_ruledef(r.oid), ';') as definition
from pg_catalog.pg_rewrite r
join pg_catalog.pg_class c on c.oid = r.ev_class
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where r.rulename <> '_RETURN' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = c.oid
    and e.classid = 'pg_catalog.pg_class'::regclass)
