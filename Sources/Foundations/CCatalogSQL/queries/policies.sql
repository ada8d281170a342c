-- Row security policies; PUBLIC stands for every role.
select 'pg_policy' as class, p.oid, 0 as sub, 'policy' as kind, quote_ident(n.nspname) as schema,
  quote_ident(p.polname) as name, 'pg_class' as parent_class, c.oid as parent_oid, 0 as parent_sub,
  null as position, null as extension,
  case when not p.polpermissive then 'yes' end as restrictive,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete'
    else 'all' end as "for",
  (select string_agg(case r.role when 0 then 'PUBLIC' else quote_ident(pg_catalog.pg_get_userbyid(r.role)) end, ', '
      order by pg_catalog.pg_get_userbyid(r.role)) from unnest(p.polroles) as r(role)) as "to",
  pg_catalog.pg_get_expr(p.polqual, p.polrelid) as "using",
  pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) as "with check"
from pg_catalog.pg_policy p
join pg_catalog.pg_class c on c.oid = p.polrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = c.oid
    and e.classid = 'pg_catalog.pg_class'::regclass)
