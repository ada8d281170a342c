-- Functions and procedures with everything that decides what a call does and as whom it runs.
select 'pg_proc' as class, p.oid, 0 as sub,
  case p.prokind when 'p' then 'procedure' else 'function' end as kind, quote_ident(n.nspname) as schema,
  p.oid::regprocedure::text as name, null as parent_class, null as parent_oid, null as parent_sub,
  null as position, m.extension,
  quote_ident(pg_catalog.pg_get_userbyid(p.proowner)) as owner,
  pg_catalog.pg_get_function_arguments(p.oid) as arguments,
  pg_catalog.pg_get_function_result(p.oid) as returns,
  quote_ident(l.lanname) as language,
  case p.prokind when 'w' then 'yes' end as "window",
  case when p.prokind <> 'p' then case p.provolatile when 'i' then 'immutable' when 's' then 'stable'
    else 'volatile' end end as volatility,
  case when p.proisstrict then 'yes' end as strict,
  case when p.proleakproof then 'yes' end as leakproof,
  case p.proparallel when 's' then 'safe' when 'r' then 'restricted' end as parallel,
  case when p.prosecdef then 'definer' end as security,
  case when p.procost <> case when l.lanname in ('internal', 'c') then 1 else 100 end
    then p.procost::text end as cost,
  case when p.proretset and p.prorows <> 1000 then p.prorows::text end as rows,
  case when p.prosupport <> 0 then p.prosupport::regproc::text end as support,
  (select string_agg('for type ' || pg_catalog.format_type(t.t, null), ', ') from unnest(p.protrftypes) as t(t))
    as transform,
  array_to_string(p.proconfig, e'\n') as settings,
  p.probin as library,
  case when p.prosqlbody is null then p.prosrc end as body,
  case when p.prosqlbody is not null then pg_catalog.pg_get_function_sqlbody(p.oid) end as "standard body"
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_language l on l.oid = p.prolang
left join (
  select d.objid, quote_ident(e.extname) as extension from pg_catalog.pg_depend d
  join pg_catalog.pg_extension e on e.oid = d.refobjid
  where d.classid = 'pg_catalog.pg_proc'::regclass and d.deptype = 'e') m on m.objid = p.oid
where p.prokind <> 'a' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and n.nspname <> all ($1::text[])
  -- A range type's constructors come with it.
  and not exists (select from pg_catalog.pg_depend i where i.classid = 'pg_catalog.pg_proc'::regclass
    and i.objid = p.oid and i.deptype = 'i' and i.refclassid = 'pg_catalog.pg_type'::regclass)
