-- Stand-in for pg_repack: its command-line client finds a version it doesn't know and stops.

create schema if not exists repack;
create function repack.version() returns text
  language sql immutable
  return 'nomdev stand-in: nothing is repacked';
