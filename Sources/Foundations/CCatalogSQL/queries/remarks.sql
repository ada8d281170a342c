-- Comments and security labels, by the address of what they are about.
select d.classoid::regclass::text as class, d.objoid as oid, d.objsubid as sub, '' as provider, d.description as text
from pg_catalog.pg_description d where d.objoid >= 16384 or d.classoid = 'pg_catalog.pg_namespace'::regclass
union all
select d.classoid::regclass::text, d.objoid, 0, '', d.description
from pg_catalog.pg_shdescription d
where d.classoid = 'pg_catalog.pg_authid'::regclass
  -- What initdb says of its own database is no remark of anybody's.
  or d.description <> 'default administrative connection database' and d.classoid = 'pg_catalog.pg_database'::regclass
  and d.objoid = (select x.oid from pg_catalog.pg_database x where x.datname = current_database())
union all
select l.classoid::regclass::text, l.objoid, l.objsubid, l.provider, l.label from pg_catalog.pg_seclabel l
union all
select l.classoid::regclass::text, l.objoid, 0, l.provider, l.label from pg_catalog.pg_shseclabel l
