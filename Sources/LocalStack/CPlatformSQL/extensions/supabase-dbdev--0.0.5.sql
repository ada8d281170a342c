-- Stand-in for supabase-dbdev. Nothing is downloaded: a package that is asked for is recorded.

create schema if not exists dbdev;

create table dbdev.stand_in_install (
  id bigint generated always as identity primary key,
  package_name text not null,
  asked_at timestamptz not null default now()
);
comment on table dbdev.stand_in_install is 'nomdev stand-in: packages that were asked for, not downloaded';

create function dbdev.install(package_name text, base_url text default null, api_key text default null)
  returns boolean
  language sql volatile
begin atomic
  insert into dbdev.stand_in_install (package_name) values (install.package_name) returning true;
end;

do $$
begin
  if to_regrole('postgres') is not null then
    grant usage on schema dbdev to postgres;
    grant all on dbdev.stand_in_install to postgres;
  end if;
end $$;
