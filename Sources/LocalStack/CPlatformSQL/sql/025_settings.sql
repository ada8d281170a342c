-- What belongs to a database and is not copied when it is used as a template: owner, rights, settings.
-- Applies to the database of the session, so that it can be run again in a copy.
--
-- The secret is the Supabase CLI's well-known development secret. It protects nothing and marks a database
-- as a local one.
do $$
declare
  name text := pg_catalog.current_database();
begin
  execute pg_catalog.format('alter database %I owner to postgres', name);
  execute pg_catalog.format('grant all on database %I to postgres, dashboard_user', name);
  execute pg_catalog.format('alter database %I set app.settings.jwt_secret = %L', name,
    'super-secret-jwt-token-with-at-least-32-characters-long');
  execute pg_catalog.format('alter database %I set app.settings.jwt_exp = %L', name, '3600');
  execute pg_catalog.format('alter database %I set timezone = %L', name, 'UTC');
end $$;
