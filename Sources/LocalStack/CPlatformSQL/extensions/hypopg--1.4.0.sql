-- Stand-in for hypopg. No plan can be made with an index that isn't there: what would make one refuses, and
-- the lists are empty.

create function hypopg_create_index(sql_order text, out indexrelid oid, out indexname text) returns setof record
  language plpgsql volatile strict
as $$
begin
  raise exception 'hypothetical indexes are not available: hypopg is a nomdev stand-in'
    using errcode = 'feature_not_supported';
end $$;

create function hypopg(
  out indexname text, out indexrelid oid, out indrelid oid, out innatts integer, out indisunique boolean,
  out indkey int2vector, out indcollation oidvector, out indclass oidvector, out indoption oidvector,
  out indexprs pg_node_tree, out indpred pg_node_tree, out amid oid
) returns setof record
  language sql stable
begin atomic
  select null::text, null::oid, null::oid, null::integer, null::boolean, null::int2vector, null::oidvector,
    null::oidvector, null::oidvector, null::pg_node_tree, null::pg_node_tree, null::oid where false;
end;

create view hypopg_list_indexes as
select h.indexrelid, h.indexname as index_name, null::name as schema_name, null::name as table_name,
  null::name as am_name from hypopg() h;

create function hypopg_drop_index(indexid oid) returns boolean
  language sql volatile strict
  return false;
create function hypopg_relation_size(indexid oid) returns bigint
  language sql stable strict
  return 0;
create function hypopg_get_indexdef(indexid oid) returns text
  language sql stable strict
  return null;
create function hypopg_reset() returns void
  language plpgsql
as $$
begin
  null; -- there is never anything to forget
end $$;
grant select on hypopg_list_indexes to public;
