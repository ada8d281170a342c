-- Stand-in for timescaledb. A hypertable stays an ordinary table and is recorded; policies are recorded and
-- never carried out. time_bucket works.

create table timescaledb_stand_in_hypertable (
  relation regclass not null,
  asked_for text not null,
  setting text,
  asked_at timestamptz not null default now()
);
comment on table timescaledb_stand_in_hypertable is 'nomdev stand-in: what was asked of timescaledb';
grant select, insert on timescaledb_stand_in_hypertable to public;

create function create_hypertable(
  relation regclass, time_column_name name, partitioning_column name default null,
  number_partitions integer default null, associated_schema_name name default null,
  associated_table_prefix name default null, chunk_time_interval anyelement default null::bigint,
  create_default_indexes boolean default true, if_not_exists boolean default false,
  partitioning_func regproc default null, migrate_data boolean default false
) returns table (hypertable_id integer, schema_name name, table_name name, created boolean)
  language sql volatile
as $$
  insert into @extschema@.timescaledb_stand_in_hypertable (relation, asked_for, setting)
  values (relation, 'create_hypertable', time_column_name);
  select 0, n.nspname, c.relname, true
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = relation;
$$;

create function add_retention_policy(
  relation regclass, drop_after anyelement, if_not_exists boolean default false
) returns integer
  language sql volatile
as $$
  insert into @extschema@.timescaledb_stand_in_hypertable (relation, asked_for, setting)
  values (relation, 'add_retention_policy', drop_after::text) returning 0;
$$;

create function add_compression_policy(
  relation regclass, compress_after anyelement, if_not_exists boolean default false
) returns integer
  language sql volatile
as $$
  insert into @extschema@.timescaledb_stand_in_hypertable (relation, asked_for, setting)
  values (relation, 'add_compression_policy', compress_after::text) returning 0;
$$;

create function time_bucket(bucket_width interval, ts timestamptz) returns timestamptz
  language sql immutable strict parallel safe
  return date_bin(bucket_width, ts, timestamptz '2000-01-03 00:00:00+00');
create function time_bucket(bucket_width interval, ts timestamp) returns timestamp
  language sql immutable strict parallel safe
  return date_bin(bucket_width, ts, timestamp '2000-01-03');
create function time_bucket(bucket_width interval, ts date) returns date
  language sql immutable strict parallel safe
  return date_bin(bucket_width, ts::timestamp, timestamp '2000-01-03')::date;
