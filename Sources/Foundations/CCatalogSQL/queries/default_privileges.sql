-- What new objects will be granted: one row per maker, schema, kind of object and grantee. Defaults of all
-- schemas replace PostgreSQL's own and name what differs from it; defaults of one schema only add.
with entry as (
  select a.oid, a.defaclrole, coalesce(quote_ident(n.nspname), '') as place, a.defaclobjtype as type, x.grantee,
    x.privilege_type, x.is_grantable, a.defaclnamespace = 0 as everywhere
  from pg_catalog.pg_default_acl a
  left join pg_catalog.pg_namespace n on n.oid = a.defaclnamespace
  cross join lateral pg_catalog.aclexplode(a.defaclacl) x
), builtin as (
  select a.oid, a.defaclrole, '' as place, a.defaclobjtype as type, x.grantee, x.privilege_type, x.is_grantable
  from pg_catalog.pg_default_acl a cross join lateral pg_catalog.aclexplode(
    pg_catalog.acldefault(case a.defaclobjtype when 'S' then 's' else a.defaclobjtype end, a.defaclrole)) x
  where a.defaclnamespace = 0
), both_sides as (
  select coalesce(e.oid, b.oid) as oid, coalesce(e.defaclrole, b.defaclrole) as maker, coalesce(e.place, '') as place,
    coalesce(e.type, b.type) as type, coalesce(e.grantee, b.grantee) as grantee,
    string_agg(e.privilege_type || case when e.is_grantable then ' grantable' else '' end, ', '
      order by e.privilege_type) as now,
    string_agg(b.privilege_type || case when b.is_grantable then ' grantable' else '' end, ', '
      order by b.privilege_type) as before
  from entry e full join builtin b on b.oid = e.oid and b.grantee = e.grantee and b.privilege_type = e.privilege_type
  group by 1, 2, 3, 4, 5
)
select 'pg_default_acl' as class, null::oid as oid, 0 as sub, 'default privilege' as kind, null as schema,
  format('on %s made by %I%s to %s', case type when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions'
      when 'T' then 'types' when 'n' then 'schemas' else 'large objects' end,
    pg_catalog.pg_get_userbyid(maker), case place when '' then '' else ' in schema ' || place end,
    case grantee when 0 then 'PUBLIC' else quote_ident(pg_catalog.pg_get_userbyid(grantee)) end) as name,
  null as parent_class, null as parent_oid, null as parent_sub, null as position, null as extension,
  quote_ident(pg_catalog.pg_get_userbyid(maker)) as maker, place,
  case type when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions'
    when 'T' then 'types' when 'n' then 'schemas' else 'large objects' end as objects,
  case grantee when 0 then 'PUBLIC' else quote_ident(pg_catalog.pg_get_userbyid(grantee)) end as grantee,
  coalesce(now, 'nothing') as privileges
from both_sides where now is distinct from before
