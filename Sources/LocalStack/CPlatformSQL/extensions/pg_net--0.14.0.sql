-- Stand-in for pg_net. Every request becomes a row of net.http_request_queue and stays there:
-- the original deletes the row when its worker has sent it, and no worker exists here.

create schema if not exists net;

create domain net.http_method as text
  check (upper(value) in ('GET', 'POST', 'DELETE'));

create table net.http_request_queue (
  id bigserial primary key,
  method net.http_method not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds int not null
);

-- Answers would land here. It stays empty.
create unlogged table net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out bool,
  error_msg text,
  created timestamptz not null default now()
);
create index on net._http_response (created);

create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

create function net._urlencode_string(string varchar) returns text
  language sql immutable strict parallel safe
  return (
    select coalesce(string_agg(
      case when c.letter ~ '^[A-Za-z0-9_.~-]$' then c.letter
        else regexp_replace(upper(encode(convert_to(c.letter, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end,
      '' order by c.place), '')
    from regexp_split_to_table(string, '') with ordinality c (letter, place)
    where c.letter <> ''
  );

create function net._encode_url_with_params_array(url text, params_array text[]) returns text
  language sql immutable parallel safe
  return url || case when cardinality(params_array) > 0
    then (case when strpos(url, '?') > 0 then '&' else '?' end) || array_to_string(params_array, '&') else '' end;

-- Stand-in helper: the url with its query parameters, encoded as the original encodes them.
create function net._stand_in_url(url text, params jsonb) returns text
  language sql immutable parallel safe
  return net._encode_url_with_params_array(url, coalesce((
    select array_agg(net._urlencode_string(p.key::varchar) || '=' || net._urlencode_string(p.value::varchar))
    from jsonb_each_text(coalesce(params, '{}')) p), '{}'));

create function net.http_get(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000
) returns bigint
  language sql volatile parallel safe
begin atomic
  insert into net.http_request_queue (method, url, headers, timeout_milliseconds)
  values ('GET', net._stand_in_url(http_get.url, http_get.params), http_get.headers, http_get.timeout_milliseconds)
  returning id;
end;

create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds int default 5000
) returns bigint
  language plpgsql volatile parallel safe
as $$
declare
  content_type text;
  request_id bigint;
begin
  select h.value into content_type from jsonb_each_text(coalesce(headers, '{}')) h where lower(h.key) = 'content-type';
  if content_type is null then
    headers := coalesce(headers, '{}') || '{"Content-Type": "application/json"}';
  elsif content_type not ilike 'application/json%' then
    raise exception 'Content-Type header must be "application/json"';
  end if;
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values ('POST', net._stand_in_url(http_post.url, http_post.params), http_post.headers,
    convert_to(http_post.body::text, 'UTF8'), http_post.timeout_milliseconds)
  returning id into request_id;
  return request_id;
end $$;

create function net.http_delete(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000,
  body jsonb default null
) returns bigint
  language sql volatile parallel safe
begin atomic
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values ('DELETE', net._stand_in_url(http_delete.url, http_delete.params), http_delete.headers,
    convert_to(http_delete.body::text, 'UTF8'), http_delete.timeout_milliseconds)
  returning id;
end;

-- ERROR, not PENDING: whoever polls for the end of a request must not poll for ever.
create function net._http_collect_response(request_id bigint, async bool default true)
  returns net.http_response_result
  language plpgsql volatile parallel safe
as $$
begin
  if exists (select from net.http_request_queue q where q.id = request_id) then
    return ('ERROR', 'nomdev stand-in: the request was recorded in net.http_request_queue and not sent', null)
      ::net.http_response_result;
  end if;
  return ('ERROR', 'request matching request_id not found', null)::net.http_response_result;
end $$;

create function net.http_collect_response(request_id bigint, async bool default true)
  returns net.http_response_result
  language sql volatile parallel safe
  return net._http_collect_response(request_id, async);

create function net._await_response(request_id bigint) returns bool
  language sql stable parallel safe
  return true;

create function net.check_worker_is_up() returns void
  language plpgsql
as $$
begin
  raise exception 'the pg_net background worker is not up'
    using detail = 'nomdev stand-in: requests are recorded in net.http_request_queue and not sent';
end $$;

create function net.worker_restart() returns bool
  language sql volatile
  return false;

-- The original's own grants: whoever may write through a function of the project may queue.
grant usage on schema net to public;
grant all on all sequences in schema net to public;
grant all on all tables in schema net to public;
