-- Stand-in for pgtap: the name only, so that migrations which create it apply. Tests fail, naming the
-- function that is missing. Debian has the real one: postgresql-15-pgtap.
select 1;
