-- Settings on which someone was granted a right; the grants are children of these.
select 'pg_parameter_acl' as class, p.oid, 0 as sub, 'parameter' as kind, null as schema, p.parname as name,
  null as parent_class, null as parent_oid, null as parent_sub, null as position, null as extension
from pg_catalog.pg_parameter_acl p
