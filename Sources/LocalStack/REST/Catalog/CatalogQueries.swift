/// What is asked of the catalog, one question a constant. All run with an empty search path, so that every
/// name comes out qualified. `$1` is the exposed schemas, `$2` the extra search path, as `text[]`.
enum CatalogQueries {
  /// Every relation outside the system schemas, partitions left out: oid, schema, name, comment, kind,
  /// what can be written through it (bits as pg_relation_is_updatable's, exposed schemas alone), and its
  /// column names by number. Relations that are not exposed matter to what views are made of.
  static let relations = """
    select c.oid, n.nspname, c.relname, d.description, c.relkind,
      case when c.relkind in ('r', 'p') then 28
        when c.relkind in ('v', 'f') and n.nspname = any ($1)
        then pg_catalog.pg_relation_is_updatable(c.oid, true) else 0 end,
      (select pg_catalog.json_object_agg(a.attnum, a.attname) from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_description d
      on d.objoid = c.oid and d.objsubid = 0 and d.classoid = 'pg_catalog.pg_class'::regclass
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      and not pg_catalog.pg_is_other_temp_schema(n.oid)
    order by n.nspname, c.relname
    """

  /// The columns of the exposed relations, a row each, in their order.
  static let columns = """
    with recursive chain (domain, at) as (
      select oid, typbasetype from pg_catalog.pg_type where typtype = 'd'
      union all
      select chain.domain, t.typbasetype from chain
      join pg_catalog.pg_type t on t.oid = chain.at where t.typtype = 'd'
    ), base as (
      select chain.domain, t.oid, t.typnamespace from chain
      join pg_catalog.pg_type t on t.oid = chain.at where t.typtype <> 'd'
    ), labels as (
      select enumtypid, pg_catalog.json_agg(enumlabel order by enumsortorder) as names
      from pg_catalog.pg_enum group by enumtypid
    )
    select a.attrelid, a.attname, d.description,
      not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
      case when t.typtype = 'd' and base.typnamespace = 'pg_catalog'::regnamespace
        then pg_catalog.format_type(base.oid, null)
        when t.typtype <> 'd' and t.typnamespace = 'pg_catalog'::regnamespace
        then pg_catalog.format_type(a.atttypid, null)
        else pg_catalog.format_type(a.atttypid, a.atttypmod) end,
      pg_catalog.format_type(a.atttypid, a.atttypmod),
      case when real.modifier = -1 then null
        when real.type in (1042, 1043) then real.modifier - 4
        when real.type in (1560, 1562) then real.modifier end,
      case when t.typtype = 'd' and f.adbin is null then pg_catalog.pg_get_expr(t.typdefaultbin, 0)
        when a.attidentity = 'd' then pg_catalog.format('nextval(%L)', s.objid::regclass)
        when a.attgenerated <> '' then null
        else pg_catalog.pg_get_expr(f.adbin, f.adrelid) end,
      labels.names
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_type t on t.oid = a.atttypid
    left join base on base.domain = t.oid
    cross join lateral (select case when t.typtype = 'd' then t.typbasetype else t.oid end,
      case when t.typtype = 'd' then t.typtypmod else a.atttypmod end) as real (type, modifier)
    left join labels on labels.enumtypid = coalesce(base.oid, t.oid)
    left join pg_catalog.pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
    left join pg_catalog.pg_description d on d.objoid = a.attrelid and d.objsubid = a.attnum
      and d.classoid = 'pg_catalog.pg_class'::regclass
    left join pg_catalog.pg_depend s on s.refobjid = a.attrelid and s.refobjsubid = a.attnum
      and s.deptype = 'i' and s.classid = 'pg_catalog.pg_class'::regclass and a.attidentity <> ''
    where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and n.nspname = any ($1)
    order by a.attrelid, a.attnum
    """

  /// Primary, unique and foreign keys: kind, name, table, columns by number, and for foreign keys what they
  /// point to. A partition's copy of its parent's foreign key counts only where a view may go by it.
  static let keys = """
    select contype, conname, conrelid, pg_catalog.array_to_json(conkey), confrelid,
      pg_catalog.array_to_json(confkey), conparentid = 0
    from pg_catalog.pg_constraint
    where contype in ('p', 'u', 'f') and conrelid <> 0
      and connamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    order by conrelid, conname
    """

  /// The stored query of every view that can be part of a relationship.
  static let views = """
    select c.oid, n.nspname = any ($1), r.ev_action
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
    where c.relkind in ('v', 'm') and (n.nspname = any ($1) or n.nspname = any ($2))
    """

  /// The functions that can be called. `$2`: the settings that are made for the whole transaction, `$3`:
  /// whether only those the current role may execute.
  static let functions = """
    with recursive chain (domain, at) as (
      select oid, typbasetype from pg_catalog.pg_type where typtype = 'd'
      union all
      select chain.domain, t.typbasetype from chain
      join pg_catalog.pg_type t on t.oid = chain.at where t.typtype = 'd'
    ), base as (
      select chain.domain, t.oid from chain
      join pg_catalog.pg_type t on t.oid = chain.at where t.typtype <> 'd'
    )
    select n.nspname, p.proname, d.description,
      inputs.parameters,
      p.proretset, tn.nspname, coalesce(row_type.relname, t.typname),
      t.typtype = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false),
      p.provolatile, p.provariadic <> 0,
      (select lower(split_part(split_part(s, '=', 2), ',', 1)) from unnest(p.proconfig) s
        where s like 'default_transaction_isolation=%'),
      (select pg_catalog.json_agg(pg_catalog.json_build_array(
          split_part(s, '=', 1), substr(s, strpos(s, '=') + 1))) from unnest(p.proconfig) s
        where split_part(s, '=', 1) = any ($2))
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    left join base on base.domain = p.prorettype
    join pg_catalog.pg_type t on t.oid = coalesce(base.oid, p.prorettype)
    join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
    left join pg_catalog.pg_class row_type on row_type.oid = t.typrelid
    left join pg_catalog.pg_description d
      on d.objoid = p.oid and d.objsubid = 0 and d.classoid = 'pg_catalog.pg_proc'::regclass
    cross join lateral (
      select pg_catalog.json_agg(pg_catalog.json_build_array(
          coalesce(i.name, ''), i.type::regtype::text,
          case i.type::regtype::text when 'bit' then 'bit varying' when 'bit[]' then 'bit varying[]'
            when 'character' then 'character varying' when 'character[]' then 'character varying[]'
            else i.type::regtype::text end,
          i.place <= p.pronargs - p.pronargdefaults, coalesce(i.mode = 'v', false)) order by i.place)
          as parameters,
        pg_catalog.count(*) as total, pg_catalog.count(i.name) as named, min(i.type) as type
      from (select x.name, x.type, x.mode, pg_catalog.row_number() over (order by x.n) as place
        from unnest(p.proargnames, coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes)
          with ordinality as x (name, type, mode, n)
        where x.type is not null and coalesce(x.mode in ('i', 'b', 'v'), true)) as i
    ) as inputs
    where p.prokind = 'f' and t.oid <> 'pg_catalog.trigger'::regtype and n.nspname = any ($1)
      and (inputs.total = inputs.named or (inputs.total = 1 and inputs.type in (17, 25, 114, 142, 3802)))
      and (not $3 or pg_catalog.has_function_privilege(p.oid, 'execute'))
    order by n.nspname, p.proname, p.oid
    """

  /// Functions that turn a row of one relation into rows of another.
  static let computedRelationships = """
    with row_types as (
      select reltype from pg_catalog.pg_class
      where relkind in ('r', 'p', 'v', 'm', 'f') and reltype <> 0
    )
    select n.nspname, p.proname, an.nspname, a.typname, rn.nspname, r.typname,
      not p.proretset or p.prorows = 1
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
    join pg_catalog.pg_namespace an on an.oid = a.typnamespace
    join pg_catalog.pg_type r on r.oid = p.prorettype
    join pg_catalog.pg_namespace rn on rn.oid = r.typnamespace
    where p.pronargs = 1 and a.oid in (select reltype from row_types)
      and r.oid in (select reltype from row_types)
    """

  /// Implicit casts between a domain and JSON or text: how such a column is shown and read.
  static let representations = """
    select c.castsource::regtype::text, c.casttarget::regtype::text, c.castfunc::regproc::text
    from pg_catalog.pg_cast c
    join pg_catalog.pg_type s on s.oid = c.castsource
    join pg_catalog.pg_type t on t.oid = c.casttarget
    where c.castcontext = 'i' and c.castmethod = 'f'
      and pg_catalog.has_function_privilege(c.castfunc, 'execute')
      and ((s.typtype = 'd' and t.oid in ('json'::regtype, 'text'::regtype))
        or (t.typtype = 'd' and s.oid in ('json'::regtype, 'text'::regtype)))
    """

  /// Domains named like a media type, with the aggregates and functions that make such a body: handler,
  /// target, the type asked for, the type answered with.
  static let mediaHandlers = """
    with media as (
      select oid, typnamespace, typname,
        case typname when '*/*' then 'application/octet-stream' else typname end as answered
      from pg_catalog.pg_type
      where typtype = 'd' and (typname = '*/*' or typname ~ '^[A-Za-z0-9.-]+/[A-Za-z0-9.+-]+$')
    )
    select n.nspname, p.proname, an.nspname, a.typname, lower(media.typname), media.answered, true
    from media
    join pg_catalog.pg_proc p on p.prorettype = media.oid and p.prokind = 'a' and p.pronargs = 1
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
    join pg_catalog.pg_namespace an on an.oid = a.typnamespace
    where n.nspname = any ($1) and (a.oid = 'pg_catalog.anyelement'::regtype
      or exists (select from pg_catalog.pg_class c
        where c.reltype = a.oid and c.relkind in ('r', 'p', 'v', 'm', 'f')))
    union all
    select mn.nspname, media.typname, n.nspname, p.proname, lower(media.typname), media.answered, false
    from media
    join pg_catalog.pg_namespace mn on mn.oid = media.typnamespace
    join pg_catalog.pg_proc p on p.prorettype = media.oid and p.prokind = 'f' and not p.proretset
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = any ($1)
    """

  static let timezones = "select name from pg_catalog.pg_timezone_names"

  /// What `alter role ... set` says for the roles that this login may become.
  ///
  /// - Parameter privilege: What else makes a setting one that this login may make.
  static func roleSettings(privilege: String) -> String {
    """
    select r.rolname, lower(split_part(s, '=', 1)), lower(substr(s, strpos(s, '=') + 1))
    from pg_catalog.pg_auth_members m
    join pg_catalog.pg_roles r on r.oid = m.roleid
    cross join lateral unnest(r.rolconfig) s
    join pg_catalog.pg_settings p on lower(p.name) = lower(split_part(s, '=', 1))
    where m.member = (select oid from pg_catalog.pg_roles where rolname = current_user)
      and (p.context = 'user' \(privilege))
    order by 1, 2
    """
  }
}
