-- Stand-in for pg_partman. A parent is recorded in part_config and gets its default partition, so that rows
-- can be written; no other partition is made, by create_parent or later.

create table part_config (
  parent_table text primary key,
  control text not null,
  partition_interval text not null,
  partition_type text not null,
  premake integer not null default 4,
  automatic_maintenance text not null default 'on',
  template_table text,
  retention text,
  retention_schema text,
  retention_keep_index boolean not null default true,
  retention_keep_table boolean not null default true,
  epoch text not null default 'none',
  constraint_cols text[],
  optimize_constraint integer not null default 30,
  infinite_time_partitions boolean not null default false,
  datetime_string text,
  jobmon boolean not null default true,
  sub_partition_set_full boolean not null default false,
  undo_in_progress boolean not null default false,
  inherit_privileges boolean default false,
  constraint_valid boolean not null default true,
  ignore_default_data boolean not null default true,
  date_trunc_interval text,
  maintenance_order integer,
  retention_keep_publication boolean not null default false,
  maintenance_last_run timestamptz
);
comment on table part_config is 'nomdev stand-in: parents that were asked for, without their partitions';

create function create_parent(
  p_parent_table text, p_control text, p_interval text, p_type text default 'range', p_epoch text default 'none',
  p_premake int default 4, p_start_partition text default null, p_default_table boolean default true,
  p_automatic_maintenance text default 'on', p_constraint_cols text[] default null,
  p_template_table text default null, p_jobmon boolean default true, p_date_trunc_interval text default null
) returns boolean
  language plpgsql volatile set search_path = @extschema@, pg_catalog, pg_temp
as $$
declare
  parent constant regclass := p_parent_table::regclass;
begin
  if not exists (select from pg_partitioned_table p where p.partrelid = parent) then
    raise exception 'You must have created the given parent table as ranged or list partitioned already: %',
      p_parent_table;
  end if;
  insert into part_config (parent_table, control, partition_interval, partition_type, epoch, premake,
    automatic_maintenance, constraint_cols, template_table, jobmon, date_trunc_interval)
  values (p_parent_table, p_control, p_interval, p_type, p_epoch, p_premake, p_automatic_maintenance,
    p_constraint_cols, p_template_table, p_jobmon, p_date_trunc_interval);
  if p_default_table then
    execute format('create table if not exists %I.%I partition of %s default',
      split_part(p_parent_table, '.', 1), split_part(p_parent_table, '.', 2) || '_default', parent);
  end if;
  return true;
end $$;

create function run_maintenance(
  p_parent_table text default null, p_analyze boolean default false, p_jobmon boolean default true
) returns void
  language sql volatile
begin atomic
  update part_config set maintenance_last_run = now()
  where parent_table = p_parent_table or p_parent_table is null;
end;
create procedure run_maintenance_proc(p_wait int default 0, p_analyze boolean default null, p_jobmon boolean default true)
  language sql
begin atomic
  update part_config set maintenance_last_run = now();
end;

do $$
begin
  if to_regrole('postgres') is not null then
    grant all on part_config to postgres;
  end if;
end $$;
