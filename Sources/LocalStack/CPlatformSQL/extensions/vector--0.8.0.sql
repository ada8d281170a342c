-- Stand-in for pgvector. Types, operators, functions and aggregates work and are exact. What differs:
-- hnsw and ivfflat are hash indexes under those names, so a nearest-neighbour query sorts every row;
-- values are kept as text, and halfvec isn't rounded to half precision; a text that isn't a list of numbers
-- is refused when the column has a number of dimensions, else when it is first used in a calculation.
-- Bodies are SQL-standard ones, bound when created: they don't depend on the caller's search_path, and
-- `alter extension vector set schema` moves them whole.

-- The handlers' real options (m, ef_construction, lists) can't be taken by any handler of a stock server.
create function ivfflathandler(internal) returns index_am_handler
  language internal as 'hashhandler';
create function hnswhandler(internal) returns index_am_handler
  language internal as 'hashhandler';
create access method ivfflat type index handler ivfflathandler;
comment on access method ivfflat is 'nomdev stand-in: a hash index, used for equality only';
create access method hnsw type index handler hnswhandler;
comment on access method hnsw is 'nomdev stand-in: a hash index, used for equality only';

-- Two vectors side by side; refuses vectors of different lengths, as the original does.
create function _stand_in_pairs(a real[], b real[]) returns table (x float8, y float8)
  language plpgsql immutable strict parallel safe
as $$
begin
  if cardinality(a) <> cardinality(b) then
    raise exception 'different vector dimensions % and %', cardinality(a), cardinality(b)
      using errcode = 'data_exception';
  end if;
  return query select u.x::float8, u.y::float8 from unnest(a, b) u (x, y);
end $$;

-- Hands the numbers back if there are as many as the column wants.
create function _stand_in_checked(given real[], wanted integer) returns real[]
  language plpgsql immutable strict parallel safe
as $$
begin
  if wanted > 0 and cardinality(given) <> wanted then
    raise exception 'expected % dimensions, not %', wanted, cardinality(given) using errcode = 'data_exception';
  end if;
  if cardinality(given) < 1 or array_ndims(given) <> 1 then
    raise exception 'vector must have at least 1 dimension' using errcode = 'data_exception';
  end if;
  if array_position(given, null) is not null then
    raise exception 'array must not contain nulls' using errcode = 'null_value_not_allowed';
  end if;
  if given && array['NaN', 'Infinity', '-Infinity']::real[] then
    raise exception 'NaN and infinity are not allowed in vector' using errcode = 'data_exception';
  end if;
  return given;
end $$;

-- {1:0.5,3:2}/4 as a plain array.
create function _stand_in_dense(sparse text) returns real[]
  language plpgsql immutable strict parallel safe
as $$
declare
  size integer;
begin
  if sparse !~ '^\s*\{.*\}\s*/\s*[0-9]+\s*$' then
    raise exception 'invalid input syntax for type sparsevec: "%"', sparse
      using errcode = 'invalid_text_representation';
  end if;
  size := split_part(sparse, '/', 2)::integer;
  return (
    select array_agg(coalesce(e.value, 0)::real order by i)
    from generate_series(1, size) i
    left join (
      select split_part(pair, ':', 1)::integer as place, split_part(pair, ':', 2)::real as value
      from regexp_split_to_table(btrim(split_part(sparse, '/', 1), ' {}'), ',') pair
      where btrim(pair) <> ''
    ) e on e.place = i
  );
end $$;

-- The three types, alike in all but their text form.
do $stand_in$
declare
  kind text;
  one_type constant text := $script$
    create type KIND;
    create function KIND_in(cstring, oid, integer) returns KIND
      language internal immutable strict parallel safe as 'STOREin';
    create function KIND_out(KIND) returns cstring
      language internal immutable strict parallel safe as 'STOREout';
    create function KIND_recv(internal, oid, integer) returns KIND
      language internal immutable strict parallel safe as 'STORErecv';
    create function KIND_send(KIND) returns bytea
      language internal immutable strict parallel safe as 'STOREsend';
    -- bit's modifier functions: a plain positive number, as pgvector's
    create function KIND_typmod_in(cstring[]) returns integer
      language internal immutable strict parallel safe as 'bittypmodin';
    create function _stand_in_KIND_typmod_out(integer) returns cstring
      language internal immutable strict parallel safe as 'bittypmodout';
    create type KIND (
      input = KIND_in, output = KIND_out, receive = KIND_recv, send = KIND_send,
      typmod_in = KIND_typmod_in, typmod_out = _stand_in_KIND_typmod_out,
      internallength = variable, alignment = int4, storage = external);
  $script$;
  arithmetic constant text := $script$
    create function KIND(KIND, integer, boolean) returns KIND
      language sql immutable strict parallel safe
      return _stand_in_KIND(_stand_in_checked(_stand_in_floats($1), $2));
    create cast (KIND as KIND) with function KIND(KIND, integer, boolean) as implicit;

    create function array_to_KIND(integer[], integer, boolean) returns KIND
      language sql immutable strict parallel safe
      return _stand_in_KIND(_stand_in_checked($1::real[], $2));
    create function array_to_KIND(real[], integer, boolean) returns KIND
      language sql immutable strict parallel safe
      return _stand_in_KIND(_stand_in_checked($1, $2));
    create function array_to_KIND(double precision[], integer, boolean) returns KIND
      language sql immutable strict parallel safe
      return _stand_in_KIND(_stand_in_checked($1::real[], $2));
    create function array_to_KIND(numeric[], integer, boolean) returns KIND
      language sql immutable strict parallel safe
      return _stand_in_KIND(_stand_in_checked($1::real[], $2));
    create cast (integer[] as KIND) with function array_to_KIND(integer[], integer, boolean) as assignment;
    create cast (real[] as KIND) with function array_to_KIND(real[], integer, boolean) as assignment;
    create cast (double precision[] as KIND)
      with function array_to_KIND(double precision[], integer, boolean) as assignment;
    create cast (numeric[] as KIND) with function array_to_KIND(numeric[], integer, boolean) as assignment;

    create function l2_distance(KIND, KIND) returns float8
      language sql immutable strict parallel safe
      return (select sqrt(sum((x - y) ^ 2)) from _stand_in_pairs(_stand_in_floats($1), _stand_in_floats($2)));
    create function KIND_l2_squared_distance(KIND, KIND) returns float8
      language sql immutable strict parallel safe
      return (select sum((x - y) ^ 2) from _stand_in_pairs(_stand_in_floats($1), _stand_in_floats($2)));
    create function inner_product(KIND, KIND) returns float8
      language sql immutable strict parallel safe
      return (select sum(x * y) from _stand_in_pairs(_stand_in_floats($1), _stand_in_floats($2)));
    create function KIND_negative_inner_product(KIND, KIND) returns float8
      language sql immutable strict parallel safe
      return -inner_product($1, $2);
    -- NaN for a zero vector, as the original
    create function cosine_distance(KIND, KIND) returns float8
      language sql immutable strict parallel safe
      return (
        select case when sum(x * x) = 0 or sum(y * y) = 0 then float8 'NaN'
          else 1 - greatest(-1, least(1, sum(x * y) / (sqrt(sum(x * x)) * sqrt(sum(y * y))))) end
        from _stand_in_pairs(_stand_in_floats($1), _stand_in_floats($2)));
    create function l1_distance(KIND, KIND) returns float8
      language sql immutable strict parallel safe
      return (select sum(abs(x - y)) from _stand_in_pairs(_stand_in_floats($1), _stand_in_floats($2)));

    create operator <-> (leftarg = KIND, rightarg = KIND, function = l2_distance, commutator = <->);
    create operator <#> (leftarg = KIND, rightarg = KIND, function = KIND_negative_inner_product,
      commutator = <#>);
    create operator <=> (leftarg = KIND, rightarg = KIND, function = cosine_distance, commutator = <=>);
    create operator <+> (leftarg = KIND, rightarg = KIND, function = l1_distance, commutator = <+>);

    create function l2_normalize(KIND) returns KIND
      language sql immutable strict parallel safe
      return (
        select _stand_in_KIND(array_agg(case when n.norm = 0 then 0 else e / n.norm end order by i)::real[])
        from unnest(_stand_in_floats($1)) with ordinality u (e, i),
          (select sqrt(sum(f::float8 ^ 2)) as norm from unnest(_stand_in_floats($1)) f) n);

    create function KIND_lt(KIND, KIND) returns boolean
      language sql immutable strict parallel safe return _stand_in_floats($1) < _stand_in_floats($2);
    create function KIND_le(KIND, KIND) returns boolean
      language sql immutable strict parallel safe return _stand_in_floats($1) <= _stand_in_floats($2);
    create function KIND_eq(KIND, KIND) returns boolean
      language sql immutable strict parallel safe return _stand_in_floats($1) = _stand_in_floats($2);
    create function KIND_ne(KIND, KIND) returns boolean
      language sql immutable strict parallel safe return _stand_in_floats($1) <> _stand_in_floats($2);
    create function KIND_ge(KIND, KIND) returns boolean
      language sql immutable strict parallel safe return _stand_in_floats($1) >= _stand_in_floats($2);
    create function KIND_gt(KIND, KIND) returns boolean
      language sql immutable strict parallel safe return _stand_in_floats($1) > _stand_in_floats($2);
    create function KIND_cmp(KIND, KIND) returns integer
      language sql immutable strict parallel safe
      return btarraycmp(_stand_in_floats($1), _stand_in_floats($2));
    create function _stand_in_hash(KIND) returns integer
      language sql immutable strict parallel safe return hash_array(_stand_in_floats($1));

    create operator < (leftarg = KIND, rightarg = KIND, function = KIND_lt, commutator = >, negator = >=,
      restrict = scalarltsel, join = scalarltjoinsel);
    create operator <= (leftarg = KIND, rightarg = KIND, function = KIND_le, commutator = >=, negator = >,
      restrict = scalarlesel, join = scalarlejoinsel);
    create operator = (leftarg = KIND, rightarg = KIND, function = KIND_eq, commutator = =, negator = <>,
      restrict = eqsel, join = eqjoinsel);
    create operator <> (leftarg = KIND, rightarg = KIND, function = KIND_ne, commutator = <>, negator = =,
      restrict = eqsel, join = eqjoinsel);
    create operator >= (leftarg = KIND, rightarg = KIND, function = KIND_ge, commutator = <=, negator = <,
      restrict = scalargesel, join = scalargejoinsel);
    create operator > (leftarg = KIND, rightarg = KIND, function = KIND_gt, commutator = <, negator = <=,
      restrict = scalargtsel, join = scalargtjoinsel);

    create operator class KIND_ops default for type KIND using btree as
      operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 KIND_cmp(KIND, KIND);
    create operator class KIND_l2_ops for type KIND using hnsw as
      operator 1 =, function 1 _stand_in_hash(KIND);
    create operator class KIND_ip_ops for type KIND using hnsw as
      operator 1 =, function 1 _stand_in_hash(KIND);
    create operator class KIND_cosine_ops for type KIND using hnsw as
      operator 1 =, function 1 _stand_in_hash(KIND);
    create operator class KIND_l1_ops for type KIND using hnsw as
      operator 1 =, function 1 _stand_in_hash(KIND);
  $script$;
  -- What the sparse type doesn't have.
  dense_only constant text := $script$
    create function KIND_to_float4(KIND, integer, boolean) returns real[]
      language sql immutable strict parallel safe return _stand_in_floats($1);

    create function vector_dims(KIND) returns integer
      language sql immutable strict parallel safe return cardinality(_stand_in_floats($1));
    create function KIND_spherical_distance(KIND, KIND) returns float8
      language sql immutable strict parallel safe
      return acos(greatest(-1, least(1, inner_product($1, $2)))) / pi();
    create function binary_quantize(KIND) returns bit
      language sql immutable strict parallel safe
      return (
        select string_agg(case when e > 0 then '1' else '0' end, '' order by i)::varbit
        from unnest(_stand_in_floats($1)) with ordinality u (e, i));
    create function subvector(KIND, integer, integer) returns KIND
      language sql immutable strict parallel safe
      return _stand_in_KIND(_stand_in_checked((_stand_in_floats($1))[$2:$2 + $3 - 1], -1));

    create function KIND_add(KIND, KIND) returns KIND
      language sql immutable strict parallel safe
      return (select _stand_in_KIND(array_agg((x + y)::real))
        from _stand_in_pairs(_stand_in_floats($1), _stand_in_floats($2)));
    create function KIND_sub(KIND, KIND) returns KIND
      language sql immutable strict parallel safe
      return (select _stand_in_KIND(array_agg((x - y)::real))
        from _stand_in_pairs(_stand_in_floats($1), _stand_in_floats($2)));
    create function KIND_mul(KIND, KIND) returns KIND
      language sql immutable strict parallel safe
      return (select _stand_in_KIND(array_agg((x * y)::real))
        from _stand_in_pairs(_stand_in_floats($1), _stand_in_floats($2)));
    create function KIND_concat(KIND, KIND) returns KIND
      language sql immutable strict parallel safe
      return _stand_in_KIND(_stand_in_floats($1) || _stand_in_floats($2));
    create operator + (leftarg = KIND, rightarg = KIND, function = KIND_add, commutator = +);
    create operator - (leftarg = KIND, rightarg = KIND, function = KIND_sub);
    create operator * (leftarg = KIND, rightarg = KIND, function = KIND_mul, commutator = *);
    create operator || (leftarg = KIND, rightarg = KIND, function = KIND_concat);

    -- The state of sum and avg: a count, then the sums.
    create function KIND_accum(double precision[], KIND) returns double precision[]
      language sql immutable strict parallel safe
      return case when cardinality($1) = 1 then 1::float8 || _stand_in_floats($2)::float8[]
        else ($1)[1] + 1 || (select array_agg(x + y)
          from _stand_in_pairs(($1)[2:]::real[], _stand_in_floats($2))) end;
    create function KIND_combine(double precision[], double precision[]) returns double precision[]
      language sql immutable strict parallel safe
      return case when ($1)[1] = 0 then $2 when ($2)[1] = 0 then $1
        else ($1)[1] + ($2)[1] || (select array_agg(x + y) from unnest(($1)[2:], ($2)[2:]) u (x, y)) end;
    create function KIND_avg(double precision[]) returns KIND
      language sql immutable strict parallel safe
      return case when ($1)[1] > 0 then (
        select _stand_in_KIND(array_agg((e / ($1)[1])::real order by i))
        from unnest(($1)[2:]) with ordinality u (e, i)) end;
    create aggregate avg(KIND) (sfunc = KIND_accum, stype = double precision[], finalfunc = KIND_avg,
      combinefunc = KIND_combine, initcond = '{0}', parallel = safe);
    create aggregate sum(KIND) (sfunc = KIND_add, stype = KIND, combinefunc = KIND_add, parallel = safe);

    create operator class KIND_ip_ops for type KIND using ivfflat as
      operator 1 =, function 1 _stand_in_hash(KIND);
    create operator class KIND_cosine_ops for type KIND using ivfflat as
      operator 1 =, function 1 _stand_in_hash(KIND);
  $script$;
begin
  -- json's own reading and writing: [1,2,3] is JSON, and what isn't JSON is refused at once
  foreach kind in array array['vector', 'halfvec'] loop
    execute replace(replace(one_type, 'KIND', kind), 'STORE', 'json_');
    execute replace($script$
      create function _stand_in_floats(KIND) returns real[]
        language sql immutable strict parallel safe return translate($1::text, '[]', '{}')::real[];
      create function _stand_in_KIND(real[]) returns KIND
        language sql immutable strict parallel safe return translate($1::text, '{}', '[]')::KIND;
    $script$, 'KIND', kind);
  end loop;
  execute replace(replace(one_type, 'KIND', 'sparsevec'), 'STORE', 'text');
  execute $script$
    create function _stand_in_floats(sparsevec) returns real[]
      language sql immutable strict parallel safe return _stand_in_dense($1::text);
    create function _stand_in_sparsevec(real[]) returns sparsevec
      language sql immutable strict parallel safe
      return (select format('{%s}/%s', string_agg(i || ':' || e, ',' order by i) filter (where e <> 0), max(i))
        ::sparsevec from unnest($1) with ordinality u (e, i));
  $script$;
  foreach kind in array array['vector', 'halfvec', 'sparsevec'] loop
    execute replace(arithmetic, 'KIND', kind);
  end loop;
  foreach kind in array array['vector', 'halfvec'] loop
    execute replace(dense_only, 'KIND', kind);
  end loop;
end $stand_in$;

-- The default class of each type under ivfflat; hnsw has none.
create operator class vector_l2_ops default for type vector using ivfflat as
  operator 1 =, function 1 _stand_in_hash(vector);
create operator class halfvec_l2_ops for type halfvec using ivfflat as
  operator 1 =, function 1 _stand_in_hash(halfvec);

create cast (vector as real[]) with function vector_to_float4(vector, integer, boolean) as implicit;
create cast (halfvec as real[]) with function halfvec_to_float4(halfvec, integer, boolean) as assignment;

create function vector_norm(vector) returns float8
  language sql immutable strict parallel safe
  return (select sqrt(sum(e::float8 ^ 2)) from unnest(_stand_in_floats($1)) e);
create function l2_norm(halfvec) returns float8
  language sql immutable strict parallel safe
  return (select sqrt(sum(e::float8 ^ 2)) from unnest(_stand_in_floats($1)) e);
create function l2_norm(sparsevec) returns float8
  language sql immutable strict parallel safe
  return (select sqrt(sum(e::float8 ^ 2)) from unnest(_stand_in_floats($1)) e);

create function vector_to_halfvec(vector, integer, boolean) returns halfvec
  language sql immutable strict parallel safe
  return _stand_in_halfvec(_stand_in_checked(_stand_in_floats($1), $2));
create function halfvec_to_vector(halfvec, integer, boolean) returns vector
  language sql immutable strict parallel safe
  return _stand_in_vector(_stand_in_checked(_stand_in_floats($1), $2));
create function vector_to_sparsevec(vector, integer, boolean) returns sparsevec
  language sql immutable strict parallel safe
  return _stand_in_sparsevec(_stand_in_checked(_stand_in_floats($1), $2));
create function sparsevec_to_vector(sparsevec, integer, boolean) returns vector
  language sql immutable strict parallel safe
  return _stand_in_vector(_stand_in_checked(_stand_in_floats($1), $2));
create function halfvec_to_sparsevec(halfvec, integer, boolean) returns sparsevec
  language sql immutable strict parallel safe
  return _stand_in_sparsevec(_stand_in_checked(_stand_in_floats($1), $2));
create function sparsevec_to_halfvec(sparsevec, integer, boolean) returns halfvec
  language sql immutable strict parallel safe
  return _stand_in_halfvec(_stand_in_checked(_stand_in_floats($1), $2));
create cast (vector as halfvec) with function vector_to_halfvec(vector, integer, boolean) as implicit;
create cast (halfvec as vector) with function halfvec_to_vector(halfvec, integer, boolean) as assignment;
create cast (vector as sparsevec) with function vector_to_sparsevec(vector, integer, boolean) as implicit;
create cast (sparsevec as vector) with function sparsevec_to_vector(sparsevec, integer, boolean) as assignment;
create cast (halfvec as sparsevec) with function halfvec_to_sparsevec(halfvec, integer, boolean) as implicit;
create cast (sparsevec as halfvec)
  with function sparsevec_to_halfvec(sparsevec, integer, boolean) as assignment;

create function hamming_distance(bit, bit) returns float8
  language sql immutable strict parallel safe
  return bit_count($1 # $2)::float8;
create function jaccard_distance(bit, bit) returns float8
  language sql immutable strict parallel safe
  return case when bit_count($1 & $2) = 0 then 1 else 1 - bit_count($1 & $2)::float8 / bit_count($1 | $2) end;
create operator <~> (leftarg = bit, rightarg = bit, function = hamming_distance, commutator = <~>);
create operator <%> (leftarg = bit, rightarg = bit, function = jaccard_distance, commutator = <%>);
create function _stand_in_hash(bit) returns integer
  language sql immutable strict parallel safe
  return hashtext($1::text);
create operator class bit_hamming_ops for type bit using hnsw as operator 1 =, function 1 _stand_in_hash(bit);
create operator class bit_jaccard_ops for type bit using hnsw as operator 1 =, function 1 _stand_in_hash(bit);
create operator class bit_hamming_ops for type bit using ivfflat as
  operator 1 =, function 1 _stand_in_hash(bit);

-- Support functions of the original's indexes: dumps grant on them, nothing can call them from SQL.
create function ivfflat_halfvec_support(internal) returns internal language internal as 'hashhandler';
create function ivfflat_bit_support(internal) returns internal language internal as 'hashhandler';
create function hnsw_halfvec_support(internal) returns internal language internal as 'hashhandler';
create function hnsw_bit_support(internal) returns internal language internal as 'hashhandler';
create function hnsw_sparsevec_support(internal) returns internal language internal as 'hashhandler';
