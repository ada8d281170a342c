-- Foreign data wrappers, servers and user mappings. Options of mappings can hold passwords: their names alone.
select 'pg_foreign_data_wrapper' as class, w.oid, 0 as sub, 'foreign data wrapper' as kind, null as schema,
  quote_ident(w.fdwname) as name, null as parent_class, null::oid as parent_oid, null as parent_sub,
  null as position,
  (select quote_ident(e.extname) from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_foreign_data_wrapper'::regclass and d.objid = w.oid and d.deptype = 'e')
    as extension,
  quote_ident(pg_catalog.pg_get_userbyid(w.fdwowner)) as owner,
  null as wrapper, null as type, null as version,
  nullif(w.fdwhandler, 0)::regproc::text as handler, nullif(w.fdwvalidator, 0)::regproc::text as validator,
  (select string_agg(format('%I %L', o.option_name, o.option_value), ', ' order by o.option_name)
    from pg_catalog.pg_options_to_table(w.fdwoptions) o) as options,
  null as "option names"
from pg_catalog.pg_foreign_data_wrapper w
union all
select 'pg_foreign_server', s.oid, 0, 'server', null, quote_ident(s.srvname), null, null, null, null,
  (select quote_ident(e.extname) from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_foreign_server'::regclass and d.objid = s.oid and d.deptype = 'e'),
  quote_ident(pg_catalog.pg_get_userbyid(s.srvowner)), quote_ident(w.fdwname), s.srvtype, s.srvversion, null, null,
  (select string_agg(format('%I %L', o.option_name, o.option_value), ', ' order by o.option_name)
    from pg_catalog.pg_options_to_table(s.srvoptions) o), null
from pg_catalog.pg_foreign_server s join pg_catalog.pg_foreign_data_wrapper w on w.oid = s.srvfdw
union all
select 'pg_user_mapping', m.umid, 0, 'user mapping', null,
  case m.umuser when 0 then 'PUBLIC' else quote_ident(m.usename) end, 'pg_foreign_server', m.srvid, '0', null, null,
  null, null, null, null, null, null, null,
  (select string_agg(quote_ident(o.option_name), ', ' order by o.option_name)
    from pg_catalog.pg_options_to_table(m.umoptions) o)
from pg_catalog.pg_user_mappings m
