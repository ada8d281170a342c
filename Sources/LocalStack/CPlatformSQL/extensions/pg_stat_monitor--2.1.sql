-- Stand-in for pg_stat_monitor: nothing is measured, the view is empty.

create view pg_stat_monitor as
select null::bigint as bucket, null::timestamptz as bucket_start_time, null::oid as userid, null::oid as dbid,
  null::text as queryid, null::text as query, null::bigint as calls, null::double precision as total_exec_time,
  null::double precision as mean_exec_time, null::bigint as rows
where false;
create function pg_stat_monitor_reset() returns void
  language plpgsql
as $$
begin
  null; -- there is never anything to forget
end $$;
grant select on pg_stat_monitor to public;
