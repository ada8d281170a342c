-- Who may do what with an object: one row per object and grantee. An owner's own rights, and PUBLIC's on types,
-- are told only where they are not what PostgreSQL gives by itself. Of an extension's objects only those whose
-- rights were changed after it was created.
with object as (
  select 'pg_class' as class, c.oid, 0 as sub, c.relowner as owner, case c.relkind when 'S' then 's' else 'r' end as type,
    c.relacl as acl, c.relnamespace as place
  from pg_catalog.pg_class c where c.relkind in ('r', 'p', 'f', 'v', 'm', 'S')
  union all
  select 'pg_class', c.oid, a.attnum, c.relowner, 'c', a.attacl, c.relnamespace
  from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
  where a.attacl is not null and a.attnum > 0 and not a.attisdropped
  union all
  select 'pg_proc', p.oid, 0, p.proowner, 'f', p.proacl, p.pronamespace from pg_catalog.pg_proc p
  union all
  select 'pg_type', t.oid, 0, t.typowner, 'T', t.typacl, t.typnamespace from pg_catalog.pg_type t
  where t.typacl is not null
  union all
  select 'pg_namespace', n.oid, 0, n.nspowner, 'n', n.nspacl, n.oid from pg_catalog.pg_namespace n
  union all
  select 'pg_database', d.oid, 0, d.datdba, 'd', d.datacl, null from pg_catalog.pg_database d
  where d.datname = current_database()
  union all
  select 'pg_foreign_data_wrapper', w.oid, 0, w.fdwowner, 'F', w.fdwacl, null
  from pg_catalog.pg_foreign_data_wrapper w
  union all
  select 'pg_foreign_server', s.oid, 0, s.srvowner, 'S', s.srvacl, null from pg_catalog.pg_foreign_server s
  union all
  select 'pg_parameter_acl', p.oid, 0, 10, 'p', p.paracl, null from pg_catalog.pg_parameter_acl p
), wanted as (
  select o.* from object o left join pg_catalog.pg_namespace n on n.oid = o.place
  where n.oid is null or n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
), kept as (
  select w.* from wanted w
  left join pg_catalog.pg_depend e on e.deptype = 'e' and e.objid = w.oid
    and e.classid = format('pg_catalog.%s', w.class)::regclass
  left join pg_catalog.pg_init_privs i on i.objoid = w.oid and i.objsubid = w.sub
    and i.classoid = format('pg_catalog.%s', w.class)::regclass
  where e.objid is null or w.acl is distinct from i.initprivs
), told as (
  select k.class, k.oid, k.sub, k.type, k.owner, x.grantee,
    string_agg(x.privilege_type || case when x.is_grantable and x.grantee <> k.owner then ' grantable' else '' end
      || case when x.grantor <> k.owner and k.type <> 'p' then ' by ' || quote_ident(pg_catalog.pg_get_userbyid(x.grantor))
        else '' end, ', ' order by x.privilege_type, x.grantor) as privileges
  from kept k cross join lateral pg_catalog.aclexplode(case when k.acl is null
    then pg_catalog.acldefault(k.type::"char", k.owner) else k.acl end) x
  group by 1, 2, 3, 4, 5, 6
), usual as (
  select k.class, k.oid, k.sub, x.grantee, string_agg(x.privilege_type, ', ' order by x.privilege_type) as privileges
  from kept k cross join lateral pg_catalog.aclexplode(pg_catalog.acldefault(k.type::"char", k.owner)) x
  where k.acl is not null and k.type <> 'c' and (x.grantee = k.owner or k.type = 'T') group by 1, 2, 3, 4
)
select coalesce(t.class, u.class) as class, null::oid as oid, 0 as sub, 'grant' as kind, null as schema,
  case coalesce(t.grantee, u.grantee) when 0 then 'PUBLIC'
    else quote_ident(pg_catalog.pg_get_userbyid(coalesce(t.grantee, u.grantee))) end as name,
  coalesce(t.class, u.class) as parent_class, coalesce(t.oid, u.oid) as parent_oid, coalesce(t.sub, u.sub) as parent_sub,
  null as position, null as extension,
  coalesce(t.privileges, 'nothing') as privileges
from told t
full join usual u on u.class = t.class and u.oid = t.oid and u.sub = t.sub and u.grantee = t.grantee
where t.privileges is distinct from u.privileges
  and not coalesce(t.owner = t.grantee and u.oid is null, false)
