-- What policies and listings call in the storage schema, and the triggers on its tables.
-- All are SECURITY INVOKER: a listing shows what the caller's policies show, and no folder beyond it.

set role supabase_storage_admin;

-- MARK: names. 'a/b/c.tar.gz' has the folders {a,b}, the file name 'c.tar.gz' and the extension 'gz'.

create function storage.foldername(name text) returns text[] language plpgsql immutable as $$
declare
  parts text[] := string_to_array(name, '/');
begin
  return parts[1:array_length(parts, 1) - 1];
end $$;

create function storage.filename(name text) returns text language plpgsql immutable as $$
declare
  parts text[] := string_to_array(name, '/');
begin
  return parts[array_length(parts, 1)];
end $$;

-- A name without a dot is its own extension: so on the platform, and policies have come to rely on it.
create function storage.extension(name text) returns text language plpgsql immutable as $$
declare
  parts text[] := string_to_array(name, '/');
  dotted text[] := string_to_array(parts[array_length(parts, 1)], '.');
begin
  return coalesce(dotted[array_length(dotted, 1)], parts[array_length(parts, 1)]);
end $$;

-- Up to and including the first delimiter after the prefix; null where there is none.
create function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text
language sql immutable as $$
  select left(p_key, length(p_prefix) + nullif(
    position(p_delimiter in substring(p_key from length(p_prefix) + 1)), 0))
$$;

-- MARK: which request is running. Storage sets it, so that a policy can tell a list from a download.

create function storage.operation() returns text language plpgsql stable as $$
begin
  return current_setting('storage.operation', true);
end $$;

-- 'storage.object.list' and 'object.list' are the same operation.
create function storage.allow_any_operation(expected_operations text[]) returns boolean language sql stable as $$
  select exists (
    select from unnest(expected_operations) as expected
    where expected <> ''
      and regexp_replace(expected, '^storage\.', '') = regexp_replace(storage.operation(), '^storage\.', ''))
$$;

create function storage.allow_only_operation(expected_operation text) returns boolean language sql stable as $$
  select storage.allow_any_operation(array[expected_operation])
$$;

-- MARK: listings

-- One level below the prefix, folders and files mixed in byte order. A cursor that is a folder continues
-- after all of the folder. Folders carry no trailing delimiter; names are whole.
create function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
  start_after text default '', next_token text default '', sort_order text default 'asc')
returns table (name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz,
  last_accessed_at timestamptz)
language plpgsql stable as $$
#variable_conflict use_column
declare
  prefix text := coalesce(prefix_param, '');
  ascending boolean := lower(coalesce(sort_order, 'asc')) = 'asc';
  cursor_key text := coalesce(nullif(next_token, ''), start_after, '');
begin
  if cursor_key <> '' and exists (
    select from storage.objects o
    where o.bucket_id = _bucket_id and starts_with(o.name, cursor_key || delimiter_param))
  then
    cursor_key := cursor_key || delimiter_param;
  end if;
  return query
    with entry as (
      select distinct on (coalesce(storage.get_common_prefix(o.name, prefix, delimiter_param), o.name) collate "C")
        storage.get_common_prefix(o.name, prefix, delimiter_param) as folder, o.*
      from storage.objects o
      where o.bucket_id = _bucket_id and starts_with(o.name, prefix)
      order by coalesce(storage.get_common_prefix(o.name, prefix, delimiter_param), o.name) collate "C")
    select
      coalesce(rtrim(e.folder, delimiter_param), e.name),
      case when e.folder is null then e.id end,
      case when e.folder is null then e.metadata end,
      case when e.folder is null then e.updated_at end,
      case when e.folder is null then e.created_at end,
      case when e.folder is null then e.last_accessed_at end
    from entry e
    where cursor_key = ''
      or ascending and coalesce(e.folder, e.name) collate "C" > cursor_key
      or not ascending and coalesce(e.folder, e.name) collate "C" < cursor_key
    order by
      case when ascending then coalesce(e.folder, e.name) collate "C" end,
      case when not ascending then coalesce(e.folder, e.name) collate "C" end desc
    limit max_keys;
end $$;

-- The same, ordered by a time. A folder's times are those of its oldest object.
create function storage.search_by_timestamp(
  p_prefix text, p_bucket_id text, p_limit integer, p_level integer, p_start_after text, p_sort_order text,
  p_sort_column text, p_sort_column_after text)
returns table (key text, name text, id uuid, updated_at timestamptz, created_at timestamptz,
  last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
#variable_conflict use_column
declare
  prefix text := coalesce(p_prefix, '');
  ascending boolean := p_sort_order = 'asc';
  after timestamptz := coalesce(nullif(p_sort_column_after, '')::timestamptz, 'epoch');
begin
  return query
    with entry as (
      select rtrim(storage.get_common_prefix(o.name, prefix, '/'), '/') as name, null::uuid as id,
        min(o.created_at) as updated_at, min(o.created_at) as created_at,
        null::timestamptz as last_accessed_at, null::jsonb as metadata
      from storage.objects o
      where o.bucket_id = p_bucket_id and starts_with(o.name, prefix)
        and storage.get_common_prefix(o.name, prefix, '/') is not null
      group by 1
      union all
      select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
      from storage.objects o
      where o.bucket_id = p_bucket_id and starts_with(o.name, prefix)
        and storage.get_common_prefix(o.name, prefix, '/') is null),
    timed as (
      select e.*, date_trunc('milliseconds',
        case p_sort_column when 'updated_at' then e.updated_at else e.created_at end) as moment
      from entry e)
    select split_part(t.name, '/', p_level), t.name, t.id, t.updated_at, t.created_at, t.last_accessed_at,
      t.metadata
    from timed t
    where coalesce(p_start_after, '') = ''
      or ascending and row (t.moment, t.name collate "C") > row (after, p_start_after)
      or not ascending and row (t.moment, t.name collate "C") < row (after, p_start_after)
    order by
      case when ascending then coalesce(t.moment, 'epoch') end,
      case when not ascending then coalesce(t.moment, 'epoch') end desc,
      case when ascending then t.name collate "C" end,
      case when not ascending then t.name collate "C" end desc
    limit p_limit;
end $$;

create function storage.search_v2(
  prefix text, bucket_name text, limits integer default 100, levels integer default 1,
  start_after text default '', sort_order text default 'asc', sort_column text default 'name',
  sort_column_after text default '')
returns table (key text, name text, id uuid, updated_at timestamptz, created_at timestamptz,
  last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
#variable_conflict use_column
declare
  page integer := least(coalesce(limits, 100), 1500);
  direction text := case when lower(sort_order) = 'desc' then 'desc' else 'asc' end;
begin
  if lower(sort_column) in ('updated_at', 'created_at') then
    return query select * from storage.search_by_timestamp(
      prefix, bucket_name, page, levels, start_after, direction, lower(sort_column), sort_column_after);
  else
    return query
      select split_part(l.name, '/', levels), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at,
        l.metadata
      from storage.list_objects_with_delimiter(
        bucket_name, coalesce(prefix, ''), '/', page, start_after, '', direction) l;
  end if;
end $$;

-- The older listing: names are relative to the prefix, `search` narrows it, upper and lower case are equal.
-- By name, folders and files are mixed; by a time, folders come first, and their case counts.
create function storage.search(
  prefix text, bucketname text, limits integer default 100, levels integer default 1,
  offsets integer default 0, search text default '', sortcolumn text default 'name',
  sortorder text default 'asc')
returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz,
  last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
#variable_conflict use_column
declare
  base text := coalesce(prefix, '');
  wanted text := base || coalesce(search, '');
  depth integer := coalesce(array_length(string_to_array(base, '/'), 1), 1);
  sorting text := case when lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at')
    then lower(sortcolumn) else 'name' end;
  ascending boolean := lower(coalesce(sortorder, 'asc')) = 'asc';
begin
  return query
    with found as (
      select o.*, storage.get_common_prefix(o.name, wanted, '/') as folder
      from storage.objects o
      where o.bucket_id = bucketname and starts_with(lower(o.name), lower(wanted))),
    keyed as (
      select f.*, coalesce(rtrim(f.folder, '/'), f.name) as entry_name,
        case sorting when 'name' then lower(coalesce(f.folder, f.name))
          else coalesce(f.folder, f.name) end collate "C" as sort_key
      from found f),
    entry as (
      select distinct on (k.sort_key, k.folder is null, case when k.folder is null then k.id end)
        k.*,
        case sorting when 'name' then substring(k.entry_name from length(base) + 1)
          else array_to_string((string_to_array(k.entry_name, '/'))[depth:], '/') end as shown,
        case sorting when 'updated_at' then k.updated_at when 'created_at' then k.created_at
          when 'last_accessed_at' then k.last_accessed_at end as moment
      from keyed k
      order by k.sort_key, k.folder is null, case when k.folder is null then k.id end,
        lower(k.name) collate "C")
    select e.shown,
      case when e.folder is null then e.id end,
      case when e.folder is null then e.updated_at end,
      case when e.folder is null then e.created_at end,
      case when e.folder is null then e.last_accessed_at end,
      case when e.folder is null then e.metadata end
    from entry e
    order by
      sorting <> 'name' and e.folder is null,
      case when e.folder is null and ascending then e.moment end,
      case when e.folder is null and not ascending then e.moment end desc,
      case when ascending then e.sort_key end,
      case when not ascending then e.sort_key end desc
    limit least(coalesce(limits, 100), 1500) offset offsets;
end $$;

create function storage.list_multipart_uploads_with_delimiter(
  bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
  next_key_token text default '', next_upload_token text default '')
returns table (key text, id text, created_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  bucket text := bucket_id;
begin
  return query
    with upload as (
      select coalesce(storage.get_common_prefix(u.key, prefix_param, delimiter_param), u.key) collate "C" as key,
        u.id, u.created_at
      from storage.s3_multipart_uploads u
      where u.bucket_id = bucket and starts_with(lower(u.key), lower(prefix_param)))
    select distinct on (u.key) u.key, u.id, u.created_at
    from upload u
    where (next_key_token = '' or next_upload_token <> '' or u.key > next_key_token)
      and (next_upload_token = '' or u.id collate "C" > next_upload_token)
    order by u.key, u.created_at
    limit max_keys;
end $$;

create function storage.get_size_by_bucket() returns table (size bigint, bucket_id text)
language plpgsql stable as $$
begin
  return query
    select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id from storage.objects o group by o.bucket_id;
end $$;

-- Asks the policies by trying: an insert that passes is undone by an error of its own code.
create function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void
language plpgsql as $$
begin
  insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
  raise exception using errcode = 'PT200', message = 'ROLLBACK', detail = 'rollback successful insert';
end $$;

-- MARK: triggers

create function storage.update_updated_at_column() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
create trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();

create function storage.enforce_bucket_name_length() returns trigger language plpgsql as $$
begin
  if length(new.name) > 100 then
    raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
  end if;
  return new;
end $$;
create trigger enforce_bucket_name_length_trigger before insert or update of name on storage.buckets
  for each row execute function storage.enforce_bucket_name_length();

-- Deleting a row would leave its file behind. Per statement: it refuses also when no row matches, and for a
-- superuser. Storage itself sets storage.allow_delete_query in its transactions.
create function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), '') <> 'true' then
    raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
      using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
  end if;
  return null;
end $$;
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();
create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();

grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text)
  to anon, authenticated, service_role, postgres, dashboard_user;

reset role;
