-- Text search configurations, dictionaries, parsers and templates.
with mapping as (
  select m.mapcfg, string_agg(format('%I: %s', t.alias, m.dictionaries), e'\n' order by t.alias) as lines
  from (
    select m.mapcfg, m.maptokentype,
      string_agg(m.mapdict::regdictionary::text, ', ' order by m.mapseqno) as dictionaries
    from pg_catalog.pg_ts_config_map m where m.mapcfg >= 16384 group by 1, 2) m
  join pg_catalog.pg_ts_config c on c.oid = m.mapcfg
  join lateral pg_catalog.ts_token_type(c.cfgparser) t on t.tokid = m.maptokentype
  group by 1)
select x.class, x.oid, 0 as sub, x.kind, quote_ident(n.nspname) as schema, format('%I.%I', n.nspname, x.object) as name,
  null as parent_class, null as parent_oid, null as parent_sub, null as position, null as extension,
  case when x.owner is not null then quote_ident(pg_catalog.pg_get_userbyid(x.owner)) end as owner,
  x.definition, x.mappings
from (
  select 'pg_ts_config' as class, c.oid, 'text search configuration' as kind, c.cfgname as object, c.cfgnamespace as place,
    c.cfgowner as owner, (select format('parser = %I.%I', s.nspname, p.prsname) from pg_catalog.pg_ts_parser p
      join pg_catalog.pg_namespace s on s.oid = p.prsnamespace where p.oid = c.cfgparser) as definition,
    m.lines as mappings
  from pg_catalog.pg_ts_config c left join mapping m on m.mapcfg = c.oid
  union all
  select 'pg_ts_dict', d.oid, 'text search dictionary', d.dictname, d.dictnamespace, d.dictowner,
    concat_ws(', ', (select format('template = %I.%I', s.nspname, t.tmplname) from pg_catalog.pg_ts_template t
      join pg_catalog.pg_namespace s on s.oid = t.tmplnamespace where t.oid = d.dicttemplate), d.dictinitoption), null
  from pg_catalog.pg_ts_dict d
  union all
  select 'pg_ts_parser', p.oid, 'text search parser', p.prsname, p.prsnamespace, null,
    concat_ws(', ', 'start = ' || p.prsstart, 'gettoken = ' || p.prstoken, 'end = ' || p.prsend,
      'lextypes = ' || p.prslextype, 'headline = ' || nullif(p.prsheadline, 0::regproc)), null
  from pg_catalog.pg_ts_parser p
  union all
  select 'pg_ts_template', t.oid, 'text search template', t.tmplname, t.tmplnamespace, null,
    concat_ws(', ', 'init = ' || nullif(t.tmplinit, 0::regproc), 'lexize = ' || t.tmpllexize), null
  from pg_catalog.pg_ts_template t
) x
join pg_catalog.pg_namespace n on n.oid = x.place
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and n.nspname <> all ($1::text[])
  and not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = x.oid
    and e.classid = format('pg_catalog.%s', x.class)::regclass)
