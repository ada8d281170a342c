-- Aggregates as the list of what CREATE AGGREGATE takes.
select 'pg_proc' as class, p.oid, 0 as sub, 'aggregate' as kind, quote_ident(n.nspname) as schema,
  p.oid::regprocedure::text as name, null as parent_class, null as parent_oid, null as parent_sub,
  null as position,
  (select quote_ident(e.extname) from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e') as extension,
  quote_ident(pg_catalog.pg_get_userbyid(p.proowner)) as owner,
  pg_catalog.pg_get_function_identity_arguments(p.oid) as arguments,
  concat_ws(', ',
    'sfunc = ' || a.aggtransfn::regproc, 'stype = ' || pg_catalog.format_type(a.aggtranstype, null),
    'sspace = ' || nullif(a.aggtransspace, 0), 'finalfunc = ' || nullif(a.aggfinalfn, 0)::regproc,
    case when a.aggfinalextra then 'finalfunc_extra' end,
    case when a.aggfinalmodify <> case when a.aggkind = 'n' then 'r' else 'w' end then 'finalfunc_modify = '
      || case a.aggfinalmodify when 'r' then 'read_only' when 's' then 'shareable' else 'read_write' end end,
    'combinefunc = ' || nullif(a.aggcombinefn, 0)::regproc, 'serialfunc = ' || nullif(a.aggserialfn, 0)::regproc,
    'deserialfunc = ' || nullif(a.aggdeserialfn, 0)::regproc, 'initcond = ' || quote_literal(a.agginitval),
    'msfunc = ' || nullif(a.aggmtransfn, 0)::regproc, 'minvfunc = ' || nullif(a.aggminvtransfn, 0)::regproc,
    'mstype = ' || case when a.aggmtranstype <> 0 then pg_catalog.format_type(a.aggmtranstype, null) end,
    'msspace = ' || nullif(a.aggmtransspace, 0), 'mfinalfunc = ' || nullif(a.aggmfinalfn, 0)::regproc,
    case when a.aggmfinalextra then 'mfinalfunc_extra' end,
    case when a.aggmtranstype <> 0 and a.aggmfinalmodify <> case when a.aggkind = 'n' then 'r' else 'w' end
      then 'mfinalfunc_modify = '
      || case a.aggmfinalmodify when 'r' then 'read_only' when 's' then 'shareable' else 'read_write' end end,
    'minitcond = ' || quote_literal(a.aggminitval),
    'sortop = operator(' || (select format('%I.%s', on1.nspname, o.oprname) from pg_catalog.pg_operator o
      join pg_catalog.pg_namespace on1 on on1.oid = o.oprnamespace where o.oid = a.aggsortop) || ')',
    case when a.aggkind = 'h' then 'hypothetical' end,
    'parallel = ' || case p.proparallel when 's' then 'safe' when 'r' then 'restricted' end) as definition
from pg_catalog.pg_aggregate a
join pg_catalog.pg_proc p on p.oid = a.aggfnoid
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
