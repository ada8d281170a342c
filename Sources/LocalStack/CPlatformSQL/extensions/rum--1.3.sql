-- Stand-in for rum: the server's GIN under the name rum. Searches use the index; ordering by distance and
-- the classes with additional columns don't exist.

create function rumhandler(internal) returns index_am_handler
  language internal as 'ginhandler';
create access method rum type index handler rumhandler;
comment on access method rum is 'nomdev stand-in: a GIN index, without ordering';

create operator class rum_tsvector_ops default for type tsvector using rum as
  operator 1 @@ (tsvector, tsquery),
  function 1 bttextcmp(text, text),
  function 2 gin_extract_tsvector(tsvector, internal, internal),
  function 3 gin_extract_tsquery(tsvector, internal, smallint, internal, internal, internal, internal),
  function 4 gin_tsquery_consistent(internal, smallint, tsvector, integer, internal, internal, internal, internal),
  function 5 gin_cmp_prefix(text, text, smallint, internal),
  storage text;
