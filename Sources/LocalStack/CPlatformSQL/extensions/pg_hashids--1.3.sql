-- Stand-in for pg_hashids: the functions exist and refuse, because any other code would be a wrong one.

create function _stand_in_pg_hashids() returns void
  language plpgsql
as $$
begin
  raise exception 'hash ids are not computed: pg_hashids is a nomdev stand-in'
    using errcode = 'feature_not_supported';
end $$;

create function id_encode(number bigint, salt text default '', min_length integer default 0, alphabet text default null)
  returns text
  language sql volatile
  return _stand_in_pg_hashids()::text;
create function id_encode(numbers bigint[], salt text default '', min_length integer default 0, alphabet text default null)
  returns text
  language sql volatile
  return _stand_in_pg_hashids()::text;
create function id_decode(id_hash text, salt text default '', min_length integer default 0, alphabet text default null)
  returns bigint[]
  language sql volatile
  return _stand_in_pg_hashids()::text::bigint[];
create function id_decode_once(id_hash text, salt text default '', min_length integer default 0, alphabet text default null)
  returns bigint
  language sql volatile
  return _stand_in_pg_hashids()::text::bigint;
