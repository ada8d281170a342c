extension Platform {
  /// Extensions of PostgreSQL's own and well-known packages that the platform lets `postgres` create and
  /// that stock PostgreSQL keeps for superusers. Their control files, where present, must say
  /// `trusted = true` in the server's private copy. Those that stock PostgreSQL trusts already are not listed.
  ///
  /// Not here, because the platform refuses them too: adminpack, amcheck, file_fdw, old_snapshot,
  /// pageinspect, pg_buffercache, pg_freespacemap, pg_surgery, pg_visibility, xml2.
  package static let trustedExtensions = [
    "address_standardizer", "address_standardizer_data_us", "autoinc", "bloom", "dblink", "dict_xsyn",
    "earthdistance", "http", "hypopg", "index_advisor", "insert_username", "moddatetime",
    "pg_cron", "pg_graphql", "pg_hashids", "pg_jsonschema", "pg_net", "pg_partman", "pg_prewarm",
    "pg_repack", "pg_stat_monitor", "pg_stat_statements", "pg_tle", "pg_walinspect", "pgaudit", "pgjwt",
    "pgmq",
    "pgroonga", "pgroonga_database", "pgrouting", "pgrowlocks", "pgsodium", "pgstattuple", "pgtap",
    "plpgsql_check", "postgis", "postgis_raster", "postgis_sfcgal", "postgis_tiger_geocoder",
    "postgis_topology", "postgres_fdw", "refint", "rum", "sslinfo", "supabase_vault", "timescaledb",
    "vector", "wrappers",
  ]
}
