-- Stand-in for http. A request is recorded in http_stand_in_request and not sent; the answer has status
-- 503 and says so, in JSON because callers parse. It doesn't raise, because then the record would be rolled back with it, and every write
-- under a trigger that posts would fail; no caller can take 503 for a success.

create domain http_method as text;
create type http_header as (field varchar, value varchar);
create type http_response as (status integer, content_type varchar, headers http_header[], content varchar);
create type http_request as (method http_method, uri varchar, headers http_header[], content_type varchar, content varchar);

create table http_stand_in_request (
  id bigint generated always as identity primary key,
  asked_at timestamptz not null default clock_timestamp(),
  asked_by name not null default session_user,
  method text,
  uri text,
  headers http_header[],
  content_type text,
  content text
);
comment on table http_stand_in_request is 'nomdev stand-in: what the http extension was asked to send';

create function http(request http_request) returns http_response
  language sql volatile security definer
begin atomic
  insert into http_stand_in_request (method, uri, headers, content_type, content)
  values ((request).method, (request).uri, (request).headers, (request).content_type, (request).content)
  returning row(503, 'application/json', array[row('X-Nomdev-Stand-In', id::text)::http_header],
    '{"error": "nomdev stand-in: the request was recorded in http_stand_in_request and not sent"}')::http_response;
end;

create function http_header(field varchar, value varchar) returns http_header
  language sql immutable
  return row(field, value)::http_header;

create function http_headers(variadic args text[]) returns http_header[]
  language sql immutable
  return (select array_agg(row(args[i], args[i + 1])::http_header order by i)
    from generate_series(1, cardinality(args) - 1, 2) i);

create function urlencode(string varchar) returns text
  language sql immutable strict
  return (
    select coalesce(string_agg(
      case when c.letter ~ '^[A-Za-z0-9_.~-]$' then c.letter
        else regexp_replace(upper(encode(convert_to(c.letter, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end,
      '' order by c.place), '')
    from regexp_split_to_table(string, '') with ordinality c (letter, place)
    where c.letter <> ''
  );

create function urlencode(string bytea) returns text
  language sql immutable strict
  return urlencode(convert_from(string, 'UTF8')::varchar);

create function urlencode(data jsonb) returns text
  language sql immutable strict
  return (select string_agg(urlencode(d.key::varchar) || '=' || urlencode(d.value::varchar), '&')
    from jsonb_each_text(data) d);

create function http_get(uri varchar) returns http_response
  language sql volatile
  return http(row('GET', uri, null, null, null)::http_request);
create function http_get(uri varchar, data jsonb) returns http_response
  language sql volatile
  return http(row('GET', uri || '?' || urlencode(data), null, null, null)::http_request);
create function http_head(uri varchar) returns http_response
  language sql volatile
  return http(row('HEAD', uri, null, null, null)::http_request);
create function http_post(uri varchar, content varchar, content_type varchar) returns http_response
  language sql volatile
  return http(row('POST', uri, null, content_type, content)::http_request);
create function http_post(uri varchar, data jsonb) returns http_response
  language sql volatile
  return http(row('POST', uri, null, 'application/x-www-form-urlencoded', urlencode(data))::http_request);
create function http_put(uri varchar, content varchar, content_type varchar) returns http_response
  language sql volatile
  return http(row('PUT', uri, null, content_type, content)::http_request);
create function http_patch(uri varchar, content varchar, content_type varchar) returns http_response
  language sql volatile
  return http(row('PATCH', uri, null, content_type, content)::http_request);
create function http_delete(uri varchar) returns http_response
  language sql volatile
  return http(row('DELETE', uri, null, null, null)::http_request);
create function http_delete(uri varchar, content varchar, content_type varchar) returns http_response
  language sql volatile
  return http(row('DELETE', uri, null, content_type, content)::http_request);

-- Options concern the connection, and there is none: taken, without effect.
create function http_set_curlopt(curlopt varchar, value varchar) returns boolean
  language sql volatile
  return true;
create function http_reset_curlopt() returns boolean
  language sql volatile
  return true;
create function http_list_curlopt() returns table (curlopt text, value text)
  language sql volatile
begin atomic
  select null::text, null::text where false;
end;

create function bytea_to_text(data bytea) returns text
  language sql immutable strict
  return convert_from(data, 'UTF8');
create function text_to_bytea(data text) returns bytea
  language sql immutable strict
  return convert_to(data, 'UTF8');

do $$
declare
  role_name text;
begin
  foreach role_name in array array['postgres', 'service_role'] loop
    continue when to_regrole(role_name) is null;
    execute format('grant select, delete on http_stand_in_request to %I', role_name);
  end loop;
end $$;
