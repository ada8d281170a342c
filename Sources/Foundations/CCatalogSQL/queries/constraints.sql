-- Constraints of tables; inherited ones and a partition's copy of a foreign key follow from the parent's.
-- Of a foreign key's own triggers only what was switched off is told.
select 'pg_constraint' as class, k.oid, 0 as sub, 'constraint' as kind, quote_ident(n.nspname) as schema,
  quote_ident(k.conname) as name, 'pg_class' as parent_class, k.conrelid as parent_oid, 0 as parent_sub,
  null as position, null as extension,
  case when k.contype <> 'f' and not k.convalidated or k.contype <> 'n'
    then pg_catalog.pg_get_constraintdef(k.oid) end as definition,
  array_to_string(i.reloptions, ', ') as "storage options",
  case when x.indisclustered then 'yes' end as clustered,
  case when k.contype <> 'f' and k.contype <> 'c' and x.indisvalid = false then 'no' end as valid,
  (select quote_ident(s.spcname) from pg_catalog.pg_tablespace s where s.oid = i.reltablespace) as tablespace,
  (select p.conname from pg_catalog.pg_constraint p where p.oid = k.conparentid) as "attached to",
  (select string_agg(distinct case t.tgenabled when 'D' then 'disabled' when 'R' then 'replica' else 'always' end, ', ')
    from pg_catalog.pg_trigger t where t.tgconstraint = k.oid and t.tgenabled <> 'O') as triggers
from pg_catalog.pg_constraint k
join pg_catalog.pg_class c on c.oid = k.conrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_class i on i.oid = k.conindid and k.contype in ('p', 'u', 'x')
left join pg_catalog.pg_index x on x.indexrelid = i.oid
where k.contype in ('c', 'f', 'p', 'u', 'x') and (k.conislocal or k.contype <> 'c')
  and not (k.contype = 'f' and k.conparentid <> 0)
  and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = c.oid
    and e.classid = 'pg_catalog.pg_class'::regclass)
