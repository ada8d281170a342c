-- Objects of kinds this snapshot does not describe, so that they can be named instead of passed over.
select x.kind, x.name from (
  select 'language' as kind, l.oid, 'pg_catalog.pg_language'::regclass as class, l.lanname::text as name
  from pg_catalog.pg_language l
  union all
  select 'access method', a.oid, 'pg_catalog.pg_am'::regclass, a.amname::text from pg_catalog.pg_am a
  union all
  select 'operator class', o.oid, 'pg_catalog.pg_opclass'::regclass, format('%I.%I', n.nspname, o.opcname)
  from pg_catalog.pg_opclass o join pg_catalog.pg_namespace n on n.oid = o.opcnamespace
  union all
  select 'operator family', o.oid, 'pg_catalog.pg_opfamily'::regclass, format('%I.%I', n.nspname, o.opfname)
  from pg_catalog.pg_opfamily o join pg_catalog.pg_namespace n on n.oid = o.opfnamespace
  union all
  select 'conversion', c.oid, 'pg_catalog.pg_conversion'::regclass, format('%I.%I', n.nspname, c.conname)
  from pg_catalog.pg_conversion c join pg_catalog.pg_namespace n on n.oid = c.connamespace
  union all
  select 'transform', t.oid, 'pg_catalog.pg_transform'::regclass, pg_catalog.format_type(t.trftype, null)
  from pg_catalog.pg_transform t
  union all
  select 'base type', t.oid, 'pg_catalog.pg_type'::regclass, pg_catalog.format_type(t.oid, null)
  from pg_catalog.pg_type t where t.typtype = 'b' and t.typcategory <> 'A' or t.typtype = 'p'
  union all
  select 'large object', l.oid, 'pg_catalog.pg_largeobject'::regclass, l.oid::text
  from pg_catalog.pg_largeobject_metadata l
) x
where x.oid >= 16384 and not exists (select from pg_catalog.pg_depend e where e.objid = x.oid and e.classid = x.class
  and e.deptype = 'e')
