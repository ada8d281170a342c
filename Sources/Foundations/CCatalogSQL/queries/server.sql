-- Which server this is, and where in the catalog it is asked.
select current_setting('server_version_num') as version, current_database() as database, current_user as role,
  (select pg_catalog.txid_snapshot_xmax(pg_catalog.txid_current_snapshot()))::text as snapshot
