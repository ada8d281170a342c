-- Stand-in for pgmq: queues that work. A partitioned queue is an ordinary one that only remembers it was
-- meant to be partitioned. Queue tables belong to the project, not to the extension, so dumps hold them.

create table pgmq.meta (
  queue_name varchar unique not null,
  is_partitioned boolean not null,
  is_unlogged boolean not null,
  created_at timestamptz not null default now()
);

create type pgmq.message_record as (
  msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb);
create type pgmq.queue_record as (
  queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz);
create type pgmq.metrics_result as (
  queue_name text, queue_length bigint, newest_msg_age_sec int, oldest_msg_age_sec int,
  total_messages bigint, scrape_time timestamptz, queue_visible_length bigint);

create function pgmq.format_table_name(queue_name text, prefix text) returns text
  language plpgsql immutable
as $$
begin
  if queue_name ~ '\$|;|--|''' then
    raise exception 'queue name contains invalid characters: $, ;, --, or \''';
  end if;
  return lower(prefix || '_' || queue_name);
end $$;

create function pgmq.validate_queue_name(queue_name text) returns void
  language plpgsql
as $$
begin
  if length(queue_name) >= 48 then
    raise exception 'queue name is too long, maximum length is 48 characters';
  end if;
end $$;

create function pgmq.acquire_queue_lock(queue_name text) returns void
  language sql
  return pg_advisory_xact_lock(hashtext('pgmq.queue_' || queue_name));

create function pgmq._belongs_to_pgmq(table_name text) returns boolean
  language sql stable
  return false;

create function pgmq._stand_in_create(queue_name text, partitioned boolean, unlogged boolean) returns void
  language plpgsql
as $$
declare
  kind constant text := case when unlogged then 'unlogged' else '' end;
  qtable constant text := pgmq.format_table_name(queue_name, 'q');
  atable constant text := pgmq.format_table_name(queue_name, 'a');
begin
  perform pgmq.validate_queue_name(queue_name);
  perform pgmq.acquire_queue_lock(queue_name);
  execute format(
    'create %s table if not exists pgmq.%I (msg_id bigint primary key generated always as identity, '
      'read_ct int default 0 not null, enqueued_at timestamptz default now() not null, '
      'vt timestamptz not null, message jsonb, headers jsonb)', kind, qtable);
  execute format(
    'create table if not exists pgmq.%I (msg_id bigint primary key, read_ct int default 0 not null, '
      'enqueued_at timestamptz default now() not null, archived_at timestamptz default now() not null, '
      'vt timestamptz not null, message jsonb, headers jsonb)', atable);
  execute format('create index if not exists %I on pgmq.%I (vt asc)', qtable || '_vt_idx', qtable);
  execute format('create index if not exists %I on pgmq.%I (archived_at)',
    'archived_at_idx_' || queue_name, atable);
  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
  values (_stand_in_create.queue_name, partitioned, unlogged)
  on conflict do nothing;
end $$;

create function pgmq.create_non_partitioned(queue_name text) returns void
  language sql
  return pgmq._stand_in_create(queue_name, false, false);
create function pgmq.create_unlogged(queue_name text) returns void
  language sql
  return pgmq._stand_in_create(queue_name, false, true);
create function pgmq.create_partitioned(
  queue_name text, partition_interval text default '10000', retention_interval text default '100000'
) returns void
  language sql
  return pgmq._stand_in_create(queue_name, true, false);
create function pgmq.create(queue_name text) returns void
  language sql
  return pgmq._stand_in_create(queue_name, false, false);

create function pgmq.drop_queue(queue_name text) returns boolean
  language plpgsql
as $$
begin
  perform pgmq.acquire_queue_lock(queue_name);
  execute format('drop table if exists pgmq.%I, pgmq.%I',
    pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a'));
  delete from pgmq.meta m where m.queue_name = drop_queue.queue_name;
  return true;
end $$;
create function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean
  language sql
  return pgmq.drop_queue(queue_name);

create function pgmq.detach_archive(queue_name text) returns void
  language plpgsql
as $$
begin
  null; -- queue tables never belong to this extension
end $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
  returns setof bigint
  language plpgsql
as $$
begin
  if headers is not null and cardinality(msgs) <> cardinality(headers) then
    raise exception 'msgs and headers must have the same number of elements';
  end if;
  return query execute format(
    'insert into pgmq.%I (vt, message, headers) select $2, u.message, u.headers '
      'from unnest($1, $3) with ordinality u (message, headers, place) order by u.place returning msg_id',
    pgmq.format_table_name(queue_name, 'q')) using msgs, delay, headers;
end $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send_batch(queue_name, msgs, null::jsonb[], clock_timestamp());
end;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp());
end;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send_batch(queue_name, msgs, null::jsonb[], clock_timestamp() + make_interval(secs => delay));
end;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send_batch(queue_name, msgs, null::jsonb[], delay);
end;
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer)
  returns setof bigint
  language sql
begin atomic
  select * from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay));
end;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint
  language plpgsql
as $$
begin
  return query execute format('insert into pgmq.%I (vt, message, headers) values ($2, $1, $3) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')) using msg, delay, headers;
end $$;
create function pgmq.send(queue_name text, msg jsonb) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send(queue_name, msg, null::jsonb, clock_timestamp());
end;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send(queue_name, msg, headers, clock_timestamp());
end;
create function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send(queue_name, msg, null::jsonb, clock_timestamp() + make_interval(secs => delay));
end;
create function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send(queue_name, msg, null::jsonb, delay);
end;
create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint
  language sql
begin atomic
  select * from pgmq.send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay));
end;

create function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
  returns setof pgmq.message_record
  language plpgsql
as $$
begin
  return query execute format(
    'with next as (select msg_id from pgmq.%1$I where vt <= clock_timestamp() '
      'and case when $3 <> ''{}''::jsonb then message @> $3 else true end '
      'order by msg_id asc limit $1 for update skip locked) '
      'update pgmq.%1$I m set vt = clock_timestamp() + $2, read_ct = read_ct + 1 from next '
      'where m.msg_id = next.msg_id '
      'returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers',
    pgmq.format_table_name(queue_name, 'q'))
    using qty, make_interval(secs => vt), coalesce(conditional, '{}');
end $$;

create function pgmq.read_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5,
  poll_interval_ms integer default 100, conditional jsonb default '{}'
) returns setof pgmq.message_record
  language plpgsql
as $$
declare
  stop_at constant timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
  loop
    return query select * from pgmq.read(queue_name, vt, qty, conditional);
    exit when found or clock_timestamp() >= stop_at;
    perform pg_sleep(poll_interval_ms / 1000.0);
  end loop;
end $$;

create function pgmq.pop(queue_name text) returns setof pgmq.message_record
  language plpgsql
as $$
begin
  return query execute format(
    'with next as (select msg_id from pgmq.%1$I where vt <= clock_timestamp() '
      'order by msg_id asc limit 1 for update skip locked) '
      'delete from pgmq.%1$I where msg_id = (select msg_id from next) '
      'returning msg_id, read_ct, enqueued_at, vt, message, headers',
    pgmq.format_table_name(queue_name, 'q'));
end $$;

create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
  language plpgsql
as $$
begin
  return query execute format(
    'update pgmq.%I set vt = clock_timestamp() + $2 where msg_id = $1 '
      'returning msg_id, read_ct, enqueued_at, vt, message, headers',
    pgmq.format_table_name(queue_name, 'q')) using msg_id, make_interval(secs => vt);
end $$;

create function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
  language plpgsql
as $$
begin
  return query execute format('delete from pgmq.%I where msg_id = any ($1) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')) using msg_ids;
end $$;
create function pgmq.delete(queue_name text, msg_id bigint) returns boolean
  language sql
  return exists (select from pgmq.delete(queue_name, array[msg_id]));

create function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
  language plpgsql
as $$
begin
  return query execute format(
    'with gone as (delete from pgmq.%I where msg_id = any ($1) '
      'returning msg_id, vt, read_ct, enqueued_at, message, headers) '
      'insert into pgmq.%I (msg_id, vt, read_ct, enqueued_at, message, headers) '
      'select msg_id, vt, read_ct, enqueued_at, message, headers from gone returning msg_id',
    pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a')) using msg_ids;
end $$;
create function pgmq.archive(queue_name text, msg_id bigint) returns boolean
  language sql
  return exists (select from pgmq.archive(queue_name, array[msg_id]));

create function pgmq.purge_queue(queue_name text) returns bigint
  language plpgsql
as $$
declare
  purged bigint;
begin
  execute format('delete from pgmq.%I', pgmq.format_table_name(queue_name, 'q'));
  get diagnostics purged = row_count;
  return purged;
end $$;

create function pgmq.list_queues() returns setof pgmq.queue_record
  language sql
begin atomic
  select m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at from pgmq.meta m;
end;

create function pgmq.metrics(queue_name text) returns pgmq.metrics_result
  language plpgsql
as $$
declare
  result pgmq.metrics_result;
  qtable constant text := pgmq.format_table_name(queue_name, 'q');
begin
  execute format(
    'select $1, count(*), extract(epoch from clock_timestamp() - max(enqueued_at))::int, '
      'extract(epoch from clock_timestamp() - min(enqueued_at))::int, '
      '(select case when is_called then last_value else 0 end from pgmq.%2$I), clock_timestamp(), '
      'count(*) filter (where vt <= clock_timestamp()) from pgmq.%1$I',
    qtable, qtable || '_msg_id_seq') into result using queue_name;
  return result;
end $$;
create function pgmq.metrics_all() returns setof pgmq.metrics_result
  language sql
begin atomic
  select (m.result).* from (select pgmq.metrics(q.queue_name) as result from pgmq.meta q) m;
end;

-- The platform hands the extension and all it holds to postgres, who then creates and grants queues.
do $$
declare
  item record;
begin
  if to_regrole('postgres') is null then
    return;
  end if;
  grant usage, create on schema pgmq to postgres with grant option;
  for item in
    select p.oid::regprocedure::text as name, 'function' as kind
    from pg_proc p where p.pronamespace = 'pgmq'::regnamespace
    union all
    select c.oid::regclass::text, case c.relkind when 'c' then 'type' else 'table' end
    from pg_class c where c.relnamespace = 'pgmq'::regnamespace and c.relkind in ('r', 'c')
  loop
    execute format('alter %s %s owner to postgres', item.kind, item.name);
  end loop;
end $$;
