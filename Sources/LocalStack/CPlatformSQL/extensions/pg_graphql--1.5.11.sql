-- Stand-in for pg_graphql. The functions exist; every query is answered with an error in GraphQL's own
-- form, so that a client says what is missing instead of showing an empty result.

create sequence graphql.seq_schema_version as int cycle;

create function graphql.get_schema_version() returns int
  language sql stable security definer
  return (select last_value::int from graphql.seq_schema_version);

create function graphql.increment_schema_version() returns event_trigger
  language plpgsql security definer
as $$
begin
  perform pg_catalog.nextval('graphql.seq_schema_version');
end $$;

create function graphql.comment_directive(comment_ text) returns jsonb
  language sql immutable
  return coalesce((regexp_match(comment_, '@graphql\((.+)\)'))[1]::jsonb, '{}');

create function graphql.exception(message text) returns text
  language plpgsql
as $$
begin
  raise exception using errcode = '22000', message = message;
end $$;

create function graphql._internal_resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
) returns jsonb
  language sql stable
  return '{"data": null, "errors": [{"message": "pg_graphql is a nomdev stand-in: GraphQL is not served here"}]}'
    ::jsonb;

create function graphql.resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
) returns jsonb
  language sql stable
  return graphql._internal_resolve(query, variables, "operationName", extensions);

do $$
declare
  role_name text;
begin
  foreach role_name in array array['postgres', 'anon', 'authenticated', 'service_role'] loop
    continue when to_regrole(role_name) is null;
    execute format('grant usage on schema graphql to %I', role_name);
    execute format('grant all on all functions in schema graphql to %I', role_name);
    execute format('grant all on all sequences in schema graphql to %I', role_name);
  end loop;
end $$;
