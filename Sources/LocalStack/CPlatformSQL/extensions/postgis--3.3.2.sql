-- Stand-in for postgis: what location columns need. Values are kept and shown as EWKT text (the original
-- shows hexadecimal EWKB). Points are measured: on the plane for geometry, on a sphere for geography (the
-- original uses a spheroid: up to 0.5 % apart). A point can be tested against a polygon of one ring.
-- Anything else that would have to be computed is refused. GiST indexes can be made and aren't used.
-- Debian has the real extension: postgresql-15-postgis-3.

-- Volatile, so that the planner doesn't call it ahead of the CASE that guards it.
create function _stand_in_postgis_refuse(what text) returns text
  language plpgsql volatile
as $$
begin
  raise exception '% is not computed by the nomdev stand-in for postgis', what
    using errcode = 'feature_not_supported', hint = 'install the real extension (Debian: postgresql-15-postgis-3)';
end $$;

do $stand_in$
declare
  kind text;
begin
  foreach kind in array array['geometry', 'geography'] loop
    execute replace($script$
      create type KIND;
      create function KIND_in(cstring, oid, integer) returns KIND
        language internal immutable strict parallel safe as 'textin';
      create function KIND_out(KIND) returns cstring
        language internal immutable strict parallel safe as 'textout';
      create function KIND_recv(internal, oid, integer) returns KIND
        language internal immutable strict parallel safe as 'textrecv';
      create function KIND_send(KIND) returns bytea
        language internal immutable strict parallel safe as 'textsend';
      -- (point, 4326) is taken, counted and not kept
      create function KIND_typmod_in(cstring[]) returns integer
        language internal immutable strict parallel safe as 'array_cardinality';
      create function KIND_typmod_out(integer) returns cstring
        language internal immutable strict parallel safe as 'varchartypmodout';
      create type KIND (input = KIND_in, output = KIND_out, receive = KIND_recv, send = KIND_send,
        typmod_in = KIND_typmod_in, typmod_out = KIND_typmod_out,
        internallength = variable, alignment = double, storage = main);

      create function _stand_in_postgis_srid(KIND) returns integer
        language sql immutable strict parallel safe
        return (regexp_match($1::text, '^\s*srid=([0-9]+);', 'i'))[1]::integer;
      create function _stand_in_postgis_wkt(KIND) returns text
        language sql immutable strict parallel safe
        return regexp_replace($1::text, '^\s*srid=[0-9]+;\s*', '', 'i');
      -- The point's coordinates; no other shape has any here.
      create function _stand_in_postgis_point(KIND) returns float8[]
        language sql immutable strict parallel safe
        return case when _stand_in_postgis_wkt($1) ~* '^\s*point\s*z?m?\s*\('
          then regexp_split_to_array(btrim(substring(_stand_in_postgis_wkt($1) from '\((.*)\)')), '\s+')::float8[]
          else _stand_in_postgis_refuse(split_part(_stand_in_postgis_wkt($1), '(', 1))::float8[] end;

      create function KIND_eq(KIND, KIND) returns boolean
        language internal immutable strict parallel safe as 'byteaeq';
      create function KIND_lt(KIND, KIND) returns boolean
        language internal immutable strict parallel safe as 'bytealt';
      create function KIND_le(KIND, KIND) returns boolean
        language internal immutable strict parallel safe as 'byteale';
      create function KIND_gt(KIND, KIND) returns boolean
        language internal immutable strict parallel safe as 'byteagt';
      create function KIND_ge(KIND, KIND) returns boolean
        language internal immutable strict parallel safe as 'byteage';
      create function KIND_cmp(KIND, KIND) returns integer
        language internal immutable strict parallel safe as 'byteacmp';
      create operator = (leftarg = KIND, rightarg = KIND, function = KIND_eq, commutator = =);
      create operator < (leftarg = KIND, rightarg = KIND, function = KIND_lt, commutator = >);
      create operator <= (leftarg = KIND, rightarg = KIND, function = KIND_le, commutator = >=);
      create operator > (leftarg = KIND, rightarg = KIND, function = KIND_gt, commutator = <);
      create operator >= (leftarg = KIND, rightarg = KIND, function = KIND_ge, commutator = <=);
      create operator class btree_KIND_ops default for type KIND using btree as
        operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 KIND_cmp(KIND, KIND);

      create function st_srid(KIND) returns integer
        language sql immutable strict parallel safe
        return coalesce(_stand_in_postgis_srid($1), case 'KIND' when 'geography' then 4326 else 0 end);
      create function st_asewkt(KIND) returns text
        language sql immutable strict parallel safe
        return $1::text;
      create function st_astext(KIND, integer default 15) returns text
        language sql immutable strict parallel safe
        return _stand_in_postgis_wkt($1);
      create function st_asgeojson(KIND, maxdecimaldigits integer default 9) returns text
        language sql immutable strict parallel safe
        return json_build_object('type', 'Point', 'coordinates', _stand_in_postgis_point($1))::text;
      create function geometrytype(KIND) returns text
        language sql immutable strict parallel safe
        return upper(substring(_stand_in_postgis_wkt($1) from '^\s*([A-Za-z]+)'));
    $script$, 'KIND', kind);
  end loop;
end $stand_in$;

create cast (geometry as geography) without function as implicit;
create cast (geography as geometry) without function;
create cast (text as geometry) with inout as implicit;
create cast (geometry as text) with inout as implicit;

-- An index over the text's bytes, so that `using gist (location)` is taken. It serves no operator anyone
-- writes; btree_gist's library comes with the server's contrib modules.
do $stand_in$
declare
  kind text;
  class text;
begin
  create function _stand_in_postgis_decompress(internal) returns internal
    language c immutable strict parallel safe as '$libdir/btree_gist', 'gbt_var_decompress';
  create function _stand_in_postgis_compress(internal) returns internal
    language c immutable strict parallel safe as '$libdir/btree_gist', 'gbt_bytea_compress';
  create function _stand_in_postgis_penalty(internal, internal, internal) returns internal
    language c immutable strict parallel safe as '$libdir/btree_gist', 'gbt_bytea_penalty';
  create function _stand_in_postgis_picksplit(internal, internal) returns internal
    language c immutable strict parallel safe as '$libdir/btree_gist', 'gbt_bytea_picksplit';
  create function _stand_in_postgis_union(internal, internal) returns internal
    language c immutable strict parallel safe as '$libdir/btree_gist', 'gbt_bytea_union';
  create function _stand_in_postgis_same(internal, internal, internal) returns internal
    language c immutable strict parallel safe as '$libdir/btree_gist', 'gbt_bytea_same';
  for kind, class in values ('geometry', 'gist_geometry_ops_2d'), ('geography', 'gist_geography_ops') loop
    execute replace(replace($script$
      create function _stand_in_postgis_consistent(internal, KIND, smallint, oid, internal) returns boolean
        language c immutable strict parallel safe as '$libdir/btree_gist', 'gbt_bytea_consistent';
      create operator class CLASS default for type KIND using gist as
        operator 3 = (KIND, KIND),
        function 1 _stand_in_postgis_consistent(internal, KIND, smallint, oid, internal),
        function 2 _stand_in_postgis_union(internal, internal),
        function 3 _stand_in_postgis_compress(internal),
        function 4 _stand_in_postgis_decompress(internal),
        function 5 _stand_in_postgis_penalty(internal, internal, internal),
        function 6 _stand_in_postgis_picksplit(internal, internal),
        function 7 _stand_in_postgis_same(internal, internal, internal);
    $script$, 'KIND', kind), 'CLASS', class);
  end loop;
end $stand_in$;

create function st_makepoint(float8, float8) returns geometry
  language sql immutable strict parallel safe
  return format('POINT(%s %s)', $1, $2)::geometry;
create function st_makepoint(float8, float8, float8) returns geometry
  language sql immutable strict parallel safe
  return format('POINT Z (%s %s %s)', $1, $2, $3)::geometry;
create function st_setsrid(geom geometry, srid integer) returns geometry
  language sql immutable strict parallel safe
  return (case when srid = 0 then '' else format('SRID=%s;', srid) end || _stand_in_postgis_wkt(geom))::geometry;
create function st_setsrid(geog geography, srid integer) returns geography
  language sql immutable strict parallel safe
  return st_setsrid(geog::geometry, srid)::geography;
create function st_point(float8, float8) returns geometry
  language sql immutable strict parallel safe
  return st_makepoint($1, $2);
create function st_point(float8, float8, srid integer) returns geometry
  language sql immutable strict parallel safe
  return st_setsrid(st_makepoint($1, $2), srid);
create function st_geomfromtext(text) returns geometry
  language sql immutable strict parallel safe
  return $1::geometry;
create function st_geomfromtext(text, integer) returns geometry
  language sql immutable strict parallel safe
  return st_setsrid($1::geometry, $2);
create function st_geomfromewkt(text) returns geometry
  language sql immutable strict parallel safe
  return $1::geometry;
create function st_pointfromtext(text, integer) returns geometry
  language sql immutable strict parallel safe
  return st_setsrid($1::geometry, $2);
create function st_geogfromtext(text) returns geography
  language sql immutable strict parallel safe
  return $1::geometry::geography;
create function st_geographyfromtext(text) returns geography
  language sql immutable strict parallel safe
  return $1::geometry::geography;
create function st_geomfromgeojson(text) returns geometry
  language sql immutable strict parallel safe
  return case when $1::json ->> 'type' = 'Point'
    then st_setsrid(st_makepoint(($1::json -> 'coordinates' ->> 0)::float8, ($1::json -> 'coordinates' ->> 1)::float8), 4326)
    else _stand_in_postgis_refuse($1::json ->> 'type')::geometry end;
create function st_geomfromgeojson(jsonb) returns geometry
  language sql immutable strict parallel safe
  return st_geomfromgeojson($1::text);
create function st_geomfromgeojson(json) returns geometry
  language sql immutable strict parallel safe
  return st_geomfromgeojson($1::text);
create function st_makeenvelope(float8, float8, float8, float8, integer default 0) returns geometry
  language sql immutable strict parallel safe
  return st_setsrid(format('POLYGON((%1$s %2$s,%1$s %4$s,%3$s %4$s,%3$s %2$s,%1$s %2$s))', $1, $2, $3, $4)::geometry, $5);

create function st_x(geometry) returns float8
  language sql immutable strict parallel safe
  return (_stand_in_postgis_point($1))[1];
create function st_y(geometry) returns float8
  language sql immutable strict parallel safe
  return (_stand_in_postgis_point($1))[2];
create function st_z(geometry) returns float8
  language sql immutable strict parallel safe
  return (_stand_in_postgis_point($1))[3];

-- Metres on a sphere with the mean radius of the earth.
create function st_distancesphere(geom1 geometry, geom2 geometry) returns float8
  language sql immutable strict parallel safe
  return 2 * 6371008.7714150598 * asin(least(1, sqrt(
    sind((st_y(geom2) - st_y(geom1)) / 2) ^ 2
    + cosd(st_y(geom1)) * cosd(st_y(geom2)) * sind((st_x(geom2) - st_x(geom1)) / 2) ^ 2)));
create function st_distance(geometry, geometry) returns float8
  language sql immutable strict parallel safe
  return sqrt((st_x($2) - st_x($1)) ^ 2 + (st_y($2) - st_y($1)) ^ 2);
create function st_distance(geography, geography, use_spheroid boolean default true) returns float8
  language sql immutable strict parallel safe
  return st_distancesphere($1::geometry, $2::geometry);
create function st_dwithin(geometry, geometry, float8) returns boolean
  language sql immutable strict parallel safe
  return st_distance($1, $2) <= $3;
create function st_dwithin(geography, geography, float8, use_spheroid boolean default true) returns boolean
  language sql immutable strict parallel safe
  return st_distance($1, $2) <= $3;
create operator <-> (leftarg = geometry, rightarg = geometry, function = st_distance, commutator = <->);
create function geography_distance_knn(geography, geography) returns float8
  language sql immutable strict parallel safe
  return st_distance($1, $2);
create operator <-> (leftarg = geography, rightarg = geography, function = geography_distance_knn, commutator = <->);

-- The box around all coordinates of a shape.
create function _stand_in_postgis_box(geometry) returns box
  language sql immutable strict parallel safe
  return (
    select box(point(min(c[1]::float8), min(c[2]::float8)), point(max(c[1]::float8), max(c[2]::float8)))
    from regexp_matches(_stand_in_postgis_wkt($1), '(-?[0-9.]+(?:e[-+]?[0-9]+)?)\s+(-?[0-9.]+(?:e[-+]?[0-9]+)?)', 'gi') c);
create function geometry_overlaps(geom1 geometry, geom2 geometry) returns boolean
  language sql immutable strict parallel safe
  return _stand_in_postgis_box(geom1) && _stand_in_postgis_box(geom2);
create operator && (leftarg = geometry, rightarg = geometry, function = geometry_overlaps, commutator = &&);

-- A polygon of one ring as the server's own type.
create function _stand_in_postgis_polygon(geometry) returns polygon
  language sql immutable strict parallel safe
  return case when _stand_in_postgis_wkt($1) ~* '^\s*polygon\s*\(\([^()]*\)\)\s*$'
    then ('(' || regexp_replace(regexp_replace(substring(_stand_in_postgis_wkt($1) from '\(\((.*)\)\)'),
      '\s*([^\s,]+)\s+([^\s,]+)\s*', '(\1,\2)', 'g'), '\s', '', 'g') || ')')::polygon
    else _stand_in_postgis_refuse('this shape')::polygon end;
create function st_contains(geom1 geometry, geom2 geometry) returns boolean
  language sql immutable strict parallel safe
  return _stand_in_postgis_polygon(geom1) @> point(st_x(geom2), st_y(geom2));
create function st_covers(geom1 geometry, geom2 geometry) returns boolean
  language sql immutable strict parallel safe
  return st_contains(geom1, geom2);
create function st_within(geom1 geometry, geom2 geometry) returns boolean
  language sql immutable strict parallel safe
  return st_contains(geom2, geom1);
create function st_intersects(geom1 geometry, geom2 geometry) returns boolean
  language sql immutable strict parallel safe
  return case
    when geometrytype(geom1) = 'POINT' and geometrytype(geom2) = 'POINT'
      then st_x(geom1) = st_x(geom2) and st_y(geom1) = st_y(geom2)
    when geometrytype(geom1) = 'POINT' then st_contains(geom2, geom1)
    else st_contains(geom1, geom2) end;

create function postgis_version() returns text
  language sql immutable
  return '3.3 nomdev stand-in';

create table spatial_ref_sys (
  srid integer primary key check (srid > 0 and srid <= 998999),
  auth_name varchar(256),
  auth_srid integer,
  srtext varchar(2048),
  proj4text varchar(2048)
);
grant select on spatial_ref_sys to public;
