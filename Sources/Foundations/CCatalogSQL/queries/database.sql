-- The database itself, and the settings of it, of roles, and of roles in it.
select 'pg_database' as class, d.oid, 0 as sub, 'database' as kind, null as schema, '' as name,
  null as parent_class, null::oid as parent_oid, null as parent_sub, null as position, null as extension,
  quote_ident(pg_catalog.pg_get_userbyid(d.datdba)) as owner,
  case when d.datconnlimit >= 0 then d.datconnlimit::text end as "connection limit", null as value
from pg_catalog.pg_database d where d.datname = current_database()
union all
select 'pg_db_role_setting', null, 0, case when s.setdatabase = 0 then 'setting' else 'database setting' end, null,
  split_part(c.item, '=', 1), case when s.setrole = 0 then 'pg_database' else 'pg_authid' end,
  case when s.setrole = 0 then s.setdatabase else s.setrole end, '0', null, null, null, null,
  substr(c.item, strpos(c.item, '=') + 1)
from pg_catalog.pg_db_role_setting s
left join pg_catalog.pg_roles r on r.oid = s.setrole
cross join unnest(s.setconfig) as c(item)
where s.setdatabase in (0, (select d.oid from pg_catalog.pg_database d where d.datname = current_database()))
  and coalesce(r.rolname, '') !~ '^pg_'
