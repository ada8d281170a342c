-- Tables, partitions and foreign tables: everything but their columns.
select 'pg_class' as class, c.oid, 0 as sub,
  case c.relkind when 'f' then 'foreign table' else 'table' end as kind, quote_ident(n.nspname) as schema,
  format('%I.%I', n.nspname, c.relname) as name, null as parent_class, null as parent_oid, null as parent_sub,
  null as position, m.extension,
  quote_ident(pg_catalog.pg_get_userbyid(c.relowner)) as owner,
  case c.relpersistence when 'u' then 'yes' end as unlogged,
  case when c.reloftype <> 0 then pg_catalog.format_type(c.reloftype, null) end as "of type",
  pg_catalog.pg_get_partkeydef(c.oid) as "partition by",
  case when c.relispartition then h.parents end as "partition of",
  case when c.relispartition then pg_catalog.pg_get_expr(c.relpartbound, c.oid) end as "partition bound",
  case when not c.relispartition then h.parents end as inherits,
  case when h.detaching then 'yes' end as "detach pending",
  array_to_string(c.reloptions, ', ') as options,
  (select array_to_string(t.reloptions, ', ') from pg_catalog.pg_class t where t.oid = c.reltoastrelid)
    as "toast options",
  (select quote_ident(a.amname) from pg_catalog.pg_am a
    where a.oid = c.relam and a.amname <> current_setting('default_table_access_method')) as "access method",
  (select quote_ident(s.spcname) from pg_catalog.pg_tablespace s where s.oid = c.reltablespace) as tablespace,
  case when c.relkind = 'f' then null else case c.relreplident when 'f' then 'full' when 'n' then 'nothing' when 'i' then 'using index ' ||
    coalesce((select quote_ident(i.relname) from pg_catalog.pg_index x
      join pg_catalog.pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid and x.indisreplident), '?')
  end end as "replica identity",
  case when c.relrowsecurity then 'enabled' end as rls,
  case when c.relforcerowsecurity then 'yes' end as "rls forced",
  (select quote_ident(s.srvname) from pg_catalog.pg_foreign_table f
    join pg_catalog.pg_foreign_server s on s.oid = f.ftserver where f.ftrelid = c.oid) as "foreign server",
  (select string_agg(format('%I %L', o.option_name, o.option_value), ', ' order by o.option_name)
    from pg_catalog.pg_foreign_table f, pg_catalog.pg_options_to_table(f.ftoptions) o where f.ftrelid = c.oid)
    as "foreign options"
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join lateral (
  select string_agg(i.inhparent::regclass::text, ', ' order by i.inhseqno) as parents,
    bool_or(i.inhdetachpending) as detaching
  from pg_catalog.pg_inherits i where i.inhrelid = c.oid) h on true
left join (
  select d.objid, quote_ident(e.extname) as extension from pg_catalog.pg_depend d
  join pg_catalog.pg_extension e on e.oid = d.refobjid
  where d.classid = 'pg_catalog.pg_class'::regclass and d.deptype = 'e') m on m.objid = c.oid
where c.relkind in ('r', 'p', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and n.nspname <> all ($1::text[])
