-- Extended statistics.
select 'pg_statistic_ext' as class, s.oid, 0 as sub, 'statistics' as kind, quote_ident(n.nspname) as schema,
  format('%I.%I', n.nspname, s.stxname) as name, null as parent_class, null as parent_oid, null as parent_sub,
  null as position, null as extension, quote_ident(pg_catalog.pg_get_userbyid(s.stxowner)) as owner,
  pg_catalog.pg_get_statisticsobjdef(s.oid) as definition,
  case when s.stxstattarget >= 0 then s.stxstattarget::text end as target
from pg_catalog.pg_statistic_ext s
join pg_catalog.pg_namespace n on n.oid = s.stxnamespace
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = s.oid
    and e.classid = 'pg_catalog.pg_statistic_ext'::regclass)
