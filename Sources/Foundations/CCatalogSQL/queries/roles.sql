-- Roles other than the server's own: attributes and memberships. Passwords are no part of any state.
select 'pg_authid' as class, r.oid, 0 as sub, 'role' as kind, null as schema, quote_ident(r.rolname) as name,
  null as parent_class, null::oid as parent_oid, null as parent_sub, null as position, null as extension,
  concat_ws(' ', case when r.rolsuper then 'superuser' end, case when not r.rolinherit then 'noinherit' end,
    case when r.rolcreaterole then 'createrole' end, case when r.rolcreatedb then 'createdb' end,
    case when r.rolcanlogin then 'login' end, case when r.rolreplication then 'replication' end,
    case when r.rolbypassrls then 'bypassrls' end) as attributes,
  case when r.rolconnlimit >= 0 then r.rolconnlimit::text end as "connection limit",
  case when r.rolvaliduntil is not null then (r.rolvaliduntil at time zone 'UTC')::text || '+00' end as "valid until",
  null as options
from pg_catalog.pg_roles r where r.rolname !~ '^pg_'
union all
-- A membership granted twice by different grantors, as PostgreSQL 16 can, is one.
select 'pg_auth_members', null, 0, 'member of', null, quote_ident(g.rolname), 'pg_authid', m.member, '0', null, null,
  null, null, null,
  string_agg(distinct concat_ws(', ', case when m.admin_option then 'admin' end,
    case to_jsonb(m) ->> 'inherit_option' when 'false' then 'no inherit' end,
    case to_jsonb(m) ->> 'set_option' when 'false' then 'no set' end), '; ')
from pg_catalog.pg_auth_members m join pg_catalog.pg_roles g on g.oid = m.roleid
join pg_catalog.pg_roles r on r.oid = m.member where r.rolname !~ '^pg_' group by g.rolname, m.member
