-- Publications, and the tables and schemas in them with column lists and row filters; names of subscriptions.
select 'pg_publication' as class, p.oid, 0 as sub, 'publication' as kind, null as schema, quote_ident(p.pubname) as name,
  null as parent_class, null::oid as parent_oid, null as parent_sub, null as position, null as extension,
  quote_ident(pg_catalog.pg_get_userbyid(p.pubowner)) as owner,
  case when p.puballtables then 'yes' end as "all tables",
  concat_ws(', ', case when p.pubinsert then 'insert' end, case when p.pubupdate then 'update' end,
    case when p.pubdelete then 'delete' end, case when p.pubtruncate then 'truncate' end) as publish,
  case when p.pubviaroot then 'yes' end as "via root",
  null as columns, null as filter
from pg_catalog.pg_publication p
where not exists (select from pg_catalog.pg_depend e where e.deptype = 'e' and e.objid = p.oid
  and e.classid = 'pg_catalog.pg_publication'::regclass)
union all
select 'pg_publication_rel', r.oid, 0, 'published table', null, format('%I.%I', n.nspname, c.relname), 'pg_publication',
  r.prpubid, '0', null, null, null, null, null, null,
  (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_catalog.pg_attribute a
    where a.attrelid = r.prrelid and a.attnum = any (r.prattrs)),
  pg_catalog.pg_get_expr(r.prqual, r.prrelid)
from pg_catalog.pg_publication_rel r
join pg_catalog.pg_class c on c.oid = r.prrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
union all
select 'pg_publication_namespace', r.oid, 0, 'published schema', null, quote_ident(n.nspname), 'pg_publication',
  r.pnpubid, '0', null, null, null, null, null, null, null, null
from pg_catalog.pg_publication_namespace r join pg_catalog.pg_namespace n on n.oid = r.pnnspid
union all
select 'pg_subscription', s.oid, 0, 'subscription', null, quote_ident(s.subname), null, null, null, null, null,
  quote_ident(pg_catalog.pg_get_userbyid(s.subowner)), null, array_to_string(s.subpublications, ', '), null, null, null
from pg_catalog.pg_subscription s
where s.subdbid = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
