-- What needs what, as addresses; rules of views, defaults, row types, arrays and a constraint's index stand for
-- the object they belong to.
with belongs as (
  select 'pg_catalog.pg_attrdef'::regclass as class, d.oid, 'pg_catalog.pg_class'::regclass as to_class, d.adrelid as to_oid,
    d.adnum::int as to_sub from pg_catalog.pg_attrdef d
  union all
  select 'pg_catalog.pg_rewrite'::regclass, r.oid, 'pg_catalog.pg_class'::regclass, r.ev_class, 0
  from pg_catalog.pg_rewrite r where r.rulename = '_RETURN'
  union all
  select 'pg_catalog.pg_type'::regclass, t.oid, 'pg_catalog.pg_class'::regclass, t.typrelid, 0
  from pg_catalog.pg_type t join pg_catalog.pg_class c on c.oid = t.typrelid where c.relkind <> 'c'
  union all
  select 'pg_catalog.pg_type'::regclass, t.oid,
    case when c.relkind <> 'c' then 'pg_catalog.pg_class'::regclass else 'pg_catalog.pg_type'::regclass end,
    case when c.relkind <> 'c' then c.oid else e.oid end, 0
  from pg_catalog.pg_type t join pg_catalog.pg_type e on e.typarray = t.oid
  left join pg_catalog.pg_class c on c.oid = e.typrelid
  union all
  select 'pg_catalog.pg_type'::regclass, r.rngmultitypid, 'pg_catalog.pg_type'::regclass, r.rngtypid, 0
  from pg_catalog.pg_range r
  union all
  select 'pg_catalog.pg_proc'::regclass, i.objid, i.refclassid, i.refobjid, 0 from pg_catalog.pg_depend i
  where i.classid = 'pg_catalog.pg_proc'::regclass and i.deptype = 'i' and i.refclassid = 'pg_catalog.pg_type'::regclass
  union all
  select 'pg_catalog.pg_class'::regclass, c.oid, 'pg_catalog.pg_type'::regclass, c.reltype, 0
  from pg_catalog.pg_class c where c.relkind = 'c'
  union all
  select 'pg_catalog.pg_class'::regclass, k.conindid, 'pg_catalog.pg_constraint'::regclass, k.oid, 0
  from pg_catalog.pg_constraint k where k.contype in ('p', 'u', 'x')
)
select distinct
  coalesce(b.to_class, d.classid)::regclass::text as class, coalesce(b.to_oid, d.objid) as oid,
  coalesce(b.to_sub, d.objsubid) as sub,
  coalesce(r.to_class, d.refclassid)::regclass::text as on_class, coalesce(r.to_oid, d.refobjid) as on_oid,
  coalesce(r.to_sub, d.refobjsubid) as on_sub
from pg_catalog.pg_depend d
left join belongs b on b.class = d.classid and b.oid = d.objid
left join belongs r on r.class = d.refclassid and r.oid = d.refobjid
where d.deptype in ('n', 'a', 'i', 'P', 'S') and d.objid >= 16384
  and (d.refobjid >= 16384 or d.refclassid = 'pg_catalog.pg_namespace'::regclass)
  -- A serial column's default needs its sequence; that the sequence goes with the column is said by "owned by".
  and not (d.deptype = 'a' and d.refobjsubid > 0 and d.classid = 'pg_catalog.pg_class'::regclass
    and exists (select from pg_catalog.pg_sequence s where s.seqrelid = d.objid))
