-- Operators as the list of what CREATE OPERATOR takes.
select 'pg_operator' as class, o.oid, 0 as sub, 'operator' as kind, quote_ident(n.nspname) as schema,
  o.oid::regoperator::text as name, null as parent_class, null as parent_oid, null as parent_sub,
  null as position, null as extension, quote_ident(pg_catalog.pg_get_userbyid(o.oprowner)) as owner,
  concat_ws(', ', 'function = ' || o.oprcode::regproc,
    'leftarg = ' || case when o.oprleft <> 0 then pg_catalog.format_type(o.oprleft, null) end,
    'rightarg = ' || case when o.oprright <> 0 then pg_catalog.format_type(o.oprright, null) end,
    'commutator = operator(' || (select format('%I.%s', s.nspname, x.oprname) from pg_catalog.pg_operator x
      join pg_catalog.pg_namespace s on s.oid = x.oprnamespace where x.oid = o.oprcom) || ')',
    'negator = operator(' || (select format('%I.%s', s.nspname, x.oprname) from pg_catalog.pg_operator x
      join pg_catalog.pg_namespace s on s.oid = x.oprnamespace where x.oid = o.oprnegate) || ')',
    'restrict = ' || nullif(o.oprrest, 0)::regproc, 'join = ' || nullif(o.oprjoin, 0)::regproc,
    case when o.oprcanhash then 'hashes' end, case when o.oprcanmerge then 'merges' end) as definition
from pg_catalog.pg_operator o
join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
where o.oprcode <> 0 and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = o.oid
    and e.classid = 'pg_catalog.pg_operator'::regclass)
