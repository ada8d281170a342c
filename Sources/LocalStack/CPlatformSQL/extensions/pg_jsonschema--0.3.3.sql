-- Stand-in for pg_jsonschema: the keywords below are checked, annotations are passed over, and a schema
-- that uses any other keyword is refused with an error. A check that silently passed would be worse.

create function _stand_in_pg_jsonschema_refuse(keyword text) returns void
  language plpgsql immutable
as $$
begin
  raise exception 'JSON schema keyword "%" is not checked by the nomdev stand-in for pg_jsonschema', keyword
    using errcode = 'feature_not_supported', hint = 'install the real extension to check this schema';
end $$;

-- Whether an instance is of a JSON schema type.
create function _stand_in_pg_jsonschema_is(instance jsonb, wanted text) returns boolean
  language sql immutable parallel safe
  return case wanted
    when 'integer' then jsonb_typeof(instance) = 'number' and (instance #>> '{}')::numeric % 1 = 0
    else jsonb_typeof(instance) = wanted end;

create function _stand_in_pg_jsonschema_errors(root jsonb, rule jsonb, instance jsonb, place text) returns text[]
  language plpgsql immutable set search_path = @extschema@, pg_catalog, pg_temp
as $$
declare
  kind constant text := jsonb_typeof(instance);
  scalar constant text := instance #>> '{}';
  errors text[] := '{}';
  keyword text;
  wanted jsonb;
  item record;
  matches int;
  part jsonb;
begin
  if jsonb_typeof(rule) = 'boolean' then
    return case when rule = 'true' then errors else array[format('%s: nothing is allowed here', place)] end;
  end if;
  if jsonb_typeof(rule) <> 'object' then
    raise exception 'a JSON schema must be an object or a boolean' using errcode = 'invalid_parameter_value';
  end if;
  for keyword, wanted in select k.key, k.value from jsonb_each(rule) k loop
    case keyword
      when '$schema', '$id', '$comment', '$defs', 'definitions', 'title', 'description', 'default', 'examples',
        'deprecated', 'readOnly', 'writeOnly', 'format', 'contentEncoding', 'contentMediaType' then
        null;
      when '$ref' then
        if wanted #>> '{}' !~ '^#(/|$)' then
          perform _stand_in_pg_jsonschema_refuse('$ref to another document');
        end if;
        part := root #> array_remove(string_to_array(
          replace(replace(substr(wanted #>> '{}', 2), '~1', '/'), '~0', '~'), '/'), '');
        if part is null then
          raise exception '$ref points nowhere: %', wanted #>> '{}' using errcode = 'invalid_parameter_value';
        end if;
        errors := errors || _stand_in_pg_jsonschema_errors(root, part, instance, place);
      when 'type' then
        if not exists (
          select from jsonb_array_elements_text(
            case jsonb_typeof(wanted) when 'array' then wanted else jsonb_build_array(wanted) end) t
          where _stand_in_pg_jsonschema_is(instance, t)
        ) then
          errors := errors || format('%s: %s is not of type %s', place, instance, wanted);
        end if;
      when 'enum' then
        if not exists (select from jsonb_array_elements(wanted) e where e = instance) then
          errors := errors || format('%s: %s is not one of %s', place, instance, wanted);
        end if;
      when 'const' then
        if instance <> wanted then
          errors := errors || format('%s: %s was expected', place, wanted);
        end if;
      when 'required' then
        if kind = 'object' then
          errors := errors || array(select format('%s: "%s" is a required property', place, r)
            from jsonb_array_elements_text(wanted) r where not instance ? r);
        end if;
      when 'properties' then
        if kind = 'object' then
          for item in select p.key, p.value from jsonb_each(wanted) p where instance ? p.key loop
            errors := errors || _stand_in_pg_jsonschema_errors(root, item.value, instance -> item.key,
              place || '/' || item.key);
          end loop;
        end if;
      when 'patternProperties' then
        if kind = 'object' then
          for item in select i.key, i.value, p.value as rule from jsonb_each(wanted) p, jsonb_each(instance) i
            where i.key ~ p.key loop
            errors := errors || _stand_in_pg_jsonschema_errors(root, item.rule, item.value,
              place || '/' || item.key);
          end loop;
        end if;
      when 'additionalProperties' then
        if kind = 'object' then
          for item in select i.key, i.value from jsonb_each(instance) i
            where not coalesce(rule -> 'properties', '{}') ? i.key
              and not exists (select from jsonb_object_keys(coalesce(rule -> 'patternProperties', '{}')) p
                where i.key ~ p) loop
            errors := errors || _stand_in_pg_jsonschema_errors(root, wanted, item.value,
              place || '/' || item.key);
          end loop;
        end if;
      when 'propertyNames' then
        if kind = 'object' then
          for item in select k from jsonb_object_keys(instance) k loop
            errors := errors || _stand_in_pg_jsonschema_errors(root, wanted, to_jsonb(item.k), place);
          end loop;
        end if;
      when 'minProperties' then
        if kind = 'object' and (select count(*) from jsonb_object_keys(instance)) < (wanted #>> '{}')::int then
          errors := errors || format('%s: fewer than %s properties', place, wanted);
        end if;
      when 'maxProperties' then
        if kind = 'object' and (select count(*) from jsonb_object_keys(instance)) > (wanted #>> '{}')::int then
          errors := errors || format('%s: more than %s properties', place, wanted);
        end if;
      when 'items' then
        if jsonb_typeof(wanted) = 'array' then
          perform _stand_in_pg_jsonschema_refuse('items as a list');
        end if;
        if kind = 'array' then
          for item in select e.value, e.place - 1 as at
            from jsonb_array_elements(instance) with ordinality e (value, place) loop
            errors := errors || _stand_in_pg_jsonschema_errors(root, wanted, item.value, place || '/' || item.at);
          end loop;
        end if;
      when 'minItems' then
        if kind = 'array' and jsonb_array_length(instance) < (wanted #>> '{}')::int then
          errors := errors || format('%s: fewer than %s items', place, wanted);
        end if;
      when 'maxItems' then
        if kind = 'array' and jsonb_array_length(instance) > (wanted #>> '{}')::int then
          errors := errors || format('%s: more than %s items', place, wanted);
        end if;
      when 'uniqueItems' then
        if kind = 'array' and wanted = 'true' and jsonb_array_length(instance)
          > (select count(distinct e) from jsonb_array_elements(instance) e) then
          errors := errors || format('%s: has non-unique elements', place);
        end if;
      when 'minLength' then
        if kind = 'string' and length(scalar) < (wanted #>> '{}')::int then
          errors := errors || format('%s: %s is shorter than %s characters', place, instance, wanted);
        end if;
      when 'maxLength' then
        if kind = 'string' and length(scalar) > (wanted #>> '{}')::int then
          errors := errors || format('%s: %s is longer than %s characters', place, instance, wanted);
        end if;
      when 'pattern' then
        if kind = 'string' and scalar !~ (wanted #>> '{}') then
          errors := errors || format('%s: %s does not match %s', place, instance, wanted);
        end if;
      when 'minimum' then
        if kind = 'number' and scalar::numeric < (wanted #>> '{}')::numeric then
          errors := errors || format('%s: %s is less than the minimum of %s', place, instance, wanted);
        end if;
      when 'maximum' then
        if kind = 'number' and scalar::numeric > (wanted #>> '{}')::numeric then
          errors := errors || format('%s: %s is greater than the maximum of %s', place, instance, wanted);
        end if;
      when 'exclusiveMinimum' then
        if kind = 'number' and scalar::numeric <= (wanted #>> '{}')::numeric then
          errors := errors || format('%s: %s is not greater than %s', place, instance, wanted);
        end if;
      when 'exclusiveMaximum' then
        if kind = 'number' and scalar::numeric >= (wanted #>> '{}')::numeric then
          errors := errors || format('%s: %s is not less than %s', place, instance, wanted);
        end if;
      when 'multipleOf' then
        if kind = 'number' and scalar::numeric % (wanted #>> '{}')::numeric <> 0 then
          errors := errors || format('%s: %s is not a multiple of %s', place, instance, wanted);
        end if;
      when 'allOf', 'anyOf', 'oneOf' then
        matches := 0;
        for part in select p from jsonb_array_elements(wanted) p loop
          if _stand_in_pg_jsonschema_errors(root, part, instance, place) = '{}' then
            matches := matches + 1;
          end if;
        end loop;
        if keyword = 'allOf' and matches < jsonb_array_length(wanted) or keyword = 'anyOf' and matches = 0
          or keyword = 'oneOf' and matches <> 1 then
          errors := errors || format('%s: %s is not valid under the schemas of %s', place, instance, keyword);
        end if;
      when 'not' then
        if _stand_in_pg_jsonschema_errors(root, wanted, instance, place) = '{}' then
          errors := errors || format('%s: %s is not allowed', place, instance);
        end if;
      else
        perform _stand_in_pg_jsonschema_refuse(keyword);
    end case;
  end loop;
  return errors;
end $$;

create function json_matches_schema(schema json, instance json) returns bool
  language sql immutable strict parallel safe
  return _stand_in_pg_jsonschema_errors(schema::jsonb, schema::jsonb, instance::jsonb, '') = '{}';
create function jsonb_matches_schema(schema json, instance jsonb) returns bool
  language sql immutable strict parallel safe
  return _stand_in_pg_jsonschema_errors(schema::jsonb, schema::jsonb, instance, '') = '{}';
create function jsonschema_validation_errors(schema json, instance json) returns text[]
  language sql immutable strict parallel safe
  return _stand_in_pg_jsonschema_errors(schema::jsonb, schema::jsonb, instance::jsonb, '');

-- Whether the schema is one by its outer form: the parts are only looked at when something is checked.
create function jsonschema_is_valid(schema json) returns bool
  language sql immutable strict parallel safe
  return jsonb_typeof(schema::jsonb) in ('object', 'boolean')
    and coalesce(jsonb_typeof(schema::jsonb -> 'type') in ('string', 'array'), true)
    and coalesce(jsonb_typeof(schema::jsonb -> 'properties') = 'object', true)
    and coalesce(jsonb_typeof(schema::jsonb -> 'required') = 'array', true)
    and coalesce(jsonb_typeof(schema::jsonb -> 'enum') = 'array', true);
