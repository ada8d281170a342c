-- Stand-in for wrappers: the name only. A foreign data wrapper that names one of its handlers fails, because
-- the handler is missing: no foreign system is reachable from here.
select 1;
