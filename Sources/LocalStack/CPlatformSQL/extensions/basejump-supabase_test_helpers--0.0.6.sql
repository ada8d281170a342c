-- Stand-in for basejump-supabase_test_helpers: the name only. Suites that use its functions fail, naming
-- the function that is missing.
select 1;
