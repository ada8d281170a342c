-- Stand-in for pg_tle. What would be installed is recorded in pgtle.stand_in_extension; the package's SQL
-- isn't turned into an extension, so a later `create extension` works only for packages nomdev has a
-- stand-in for.

create type pgtle.pg_tle_features as enum ('passcheck', 'clientauth');

create table pgtle.stand_in_extension (
  id bigint generated always as identity primary key,
  name text,
  version text,
  description text,
  script text,
  requires text[],
  is_default boolean not null default true,
  recorded_at timestamptz not null default now()
);
comment on table pgtle.stand_in_extension is 'nomdev stand-in: packages that were asked for, not installed';

create function pgtle.install_extension(
  name text, version text, description text, ext text, requires text[] default null
) returns boolean
  language sql volatile
begin atomic
  insert into pgtle.stand_in_extension (name, version, description, script, requires)
  values (install_extension.name, install_extension.version, install_extension.description,
    install_extension.ext, install_extension.requires)
  returning true;
end;

create function pgtle.install_update_path(name text, fromvers text, tovers text, ext text) returns boolean
  language sql volatile
begin atomic
  insert into pgtle.stand_in_extension (name, version, script, is_default)
  values (install_update_path.name, fromvers || '--' || tovers, install_update_path.ext, false)
  returning true;
end;

create function pgtle.set_default_version(name text, version text) returns boolean
  language sql volatile
begin atomic
  update pgtle.stand_in_extension e set is_default = e.version = set_default_version.version
  where e.name = set_default_version.name;
  select true;
end;

create function pgtle.uninstall_extension_if_exists(extname text) returns boolean
  language sql volatile
begin atomic
  with gone as (delete from pgtle.stand_in_extension e where e.name = extname returning 1)
  select exists (select from gone);
end;

create function pgtle.uninstall_extension(extname text) returns boolean
  language plpgsql volatile
as $$
begin
  if not pgtle.uninstall_extension_if_exists(extname) then
    raise exception 'Extension % does not exist', extname using errcode = 'no_data_found';
  end if;
  return true;
end $$;

create function pgtle.available_extensions(out name name, out default_version text, out comment text)
  returns setof record
  language sql stable
begin atomic
  select e.name::name, e.version, e.description from pgtle.stand_in_extension e where e.is_default;
end;

do $$
begin
  if to_regrole('postgres') is not null then
    grant all on schema pgtle to postgres with grant option;
    grant all on pgtle.stand_in_extension to postgres;
  end if;
end $$;
