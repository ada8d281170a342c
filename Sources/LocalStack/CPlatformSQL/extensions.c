// The stand-in extensions as they are written into a server's extension folder: a control file and a script
// each. A script is listed again under every older or newer version real projects name in
// `create extension ... version`, because a stand-in is the same for all of them.

#include "CPlatformSQL.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char basejump_supabase_test_helpers_control[] = {
#embed "extensions/basejump-supabase_test_helpers.control"
};
static const unsigned char basejump_supabase_test_helpers_sql[] = {
#embed "extensions/basejump-supabase_test_helpers--0.0.6.sql"
};

static const unsigned char http_control[] = {
#embed "extensions/http.control"
};
static const unsigned char http_sql[] = {
#embed "extensions/http--1.6.sql"
};

static const unsigned char hypopg_control[] = {
#embed "extensions/hypopg.control"
};
static const unsigned char hypopg_sql[] = {
#embed "extensions/hypopg--1.4.0.sql"
};

static const unsigned char index_advisor_control[] = {
#embed "extensions/index_advisor.control"
};
static const unsigned char index_advisor_sql[] = {
#embed "extensions/index_advisor--0.2.0.sql"
};

static const unsigned char pg_cron_control[] = {
#embed "extensions/pg_cron.control"
};
static const unsigned char pg_cron_sql[] = {
#embed "extensions/pg_cron--1.6.4.sql"
};

static const unsigned char pg_graphql_control[] = {
#embed "extensions/pg_graphql.control"
};
static const unsigned char pg_graphql_sql[] = {
#embed "extensions/pg_graphql--1.5.11.sql"
};

static const unsigned char pg_hashids_control[] = {
#embed "extensions/pg_hashids.control"
};
static const unsigned char pg_hashids_sql[] = {
#embed "extensions/pg_hashids--1.3.sql"
};

static const unsigned char pg_ivm_control[] = {
#embed "extensions/pg_ivm.control"
};
static const unsigned char pg_ivm_sql[] = {
#embed "extensions/pg_ivm--1.9.sql"
};

static const unsigned char pg_jsonschema_control[] = {
#embed "extensions/pg_jsonschema.control"
};
static const unsigned char pg_jsonschema_sql[] = {
#embed "extensions/pg_jsonschema--0.3.3.sql"
};

static const unsigned char pg_net_control[] = {
#embed "extensions/pg_net.control"
};
static const unsigned char pg_net_sql[] = {
#embed "extensions/pg_net--0.14.0.sql"
};

static const unsigned char pg_partman_control[] = {
#embed "extensions/pg_partman.control"
};
static const unsigned char pg_partman_sql[] = {
#embed "extensions/pg_partman--5.1.0.sql"
};

static const unsigned char pg_repack_control[] = {
#embed "extensions/pg_repack.control"
};
static const unsigned char pg_repack_sql[] = {
#embed "extensions/pg_repack--1.5.0.sql"
};

static const unsigned char pg_stat_monitor_control[] = {
#embed "extensions/pg_stat_monitor.control"
};
static const unsigned char pg_stat_monitor_sql[] = {
#embed "extensions/pg_stat_monitor--2.1.sql"
};

static const unsigned char pg_tle_control[] = {
#embed "extensions/pg_tle.control"
};
static const unsigned char pg_tle_sql[] = {
#embed "extensions/pg_tle--1.4.0.sql"
};

static const unsigned char pgaudit_control[] = {
#embed "extensions/pgaudit.control"
};
static const unsigned char pgaudit_sql[] = {
#embed "extensions/pgaudit--1.7.sql"
};

static const unsigned char pgjwt_control[] = {
#embed "extensions/pgjwt.control"
};
static const unsigned char pgjwt_sql[] = {
#embed "extensions/pgjwt--0.2.0.sql"
};

static const unsigned char pgmq_control[] = {
#embed "extensions/pgmq.control"
};
static const unsigned char pgmq_sql[] = {
#embed "extensions/pgmq--1.5.1.sql"
};

static const unsigned char pgsodium_control[] = {
#embed "extensions/pgsodium.control"
};
static const unsigned char pgsodium_sql[] = {
#embed "extensions/pgsodium--3.1.8.sql"
};

static const unsigned char pgtap_control[] = {
#embed "extensions/pgtap.control"
};
static const unsigned char pgtap_sql[] = {
#embed "extensions/pgtap--1.3.3.sql"
};

static const unsigned char plpgsql_check_control[] = {
#embed "extensions/plpgsql_check.control"
};
static const unsigned char plpgsql_check_sql[] = {
#embed "extensions/plpgsql_check--2.7.sql"
};

static const unsigned char postgis_control[] = {
#embed "extensions/postgis.control"
};
static const unsigned char postgis_sql[] = {
#embed "extensions/postgis--3.3.2.sql"
};

static const unsigned char rum_control[] = {
#embed "extensions/rum.control"
};
static const unsigned char rum_sql[] = {
#embed "extensions/rum--1.3.sql"
};

static const unsigned char supabase_dbdev_control[] = {
#embed "extensions/supabase-dbdev.control"
};
static const unsigned char supabase_dbdev_sql[] = {
#embed "extensions/supabase-dbdev--0.0.5.sql"
};

static const unsigned char supabase_vault_control[] = {
#embed "extensions/supabase_vault.control"
};
static const unsigned char supabase_vault_sql[] = {
#embed "extensions/supabase_vault--0.3.1.sql"
};

static const unsigned char timescaledb_control[] = {
#embed "extensions/timescaledb.control"
};
static const unsigned char timescaledb_sql[] = {
#embed "extensions/timescaledb--2.9.1.sql"
};

static const unsigned char vector_control[] = {
#embed "extensions/vector.control"
};
static const unsigned char vector_sql[] = {
#embed "extensions/vector--0.8.0.sql"
};

static const unsigned char wrappers_control[] = {
#embed "extensions/wrappers.control"
};
static const unsigned char wrappers_sql[] = {
#embed "extensions/wrappers--0.5.0.sql"
};

#define FILE_OF(name, bytes) {name, bytes, sizeof(bytes)}

const nomdev_file nomdev_extension_files[] = {
  FILE_OF("basejump-supabase_test_helpers.control", basejump_supabase_test_helpers_control),
  FILE_OF("basejump-supabase_test_helpers--0.0.6.sql", basejump_supabase_test_helpers_sql),
  FILE_OF("http.control", http_control),
  FILE_OF("http--1.6.sql", http_sql),
  FILE_OF("http--1.4.sql", http_sql),
  FILE_OF("http--1.5.sql", http_sql),
  FILE_OF("hypopg.control", hypopg_control),
  FILE_OF("hypopg--1.4.0.sql", hypopg_sql),
  FILE_OF("hypopg--1.3.1.sql", hypopg_sql),
  FILE_OF("hypopg--1.4.1.sql", hypopg_sql),
  FILE_OF("index_advisor.control", index_advisor_control),
  FILE_OF("index_advisor--0.2.0.sql", index_advisor_sql),
  FILE_OF("pg_cron.control", pg_cron_control),
  FILE_OF("pg_cron--1.6.4.sql", pg_cron_sql),
  FILE_OF("pg_cron--1.4-1.sql", pg_cron_sql),
  FILE_OF("pg_cron--1.4.2.sql", pg_cron_sql),
  FILE_OF("pg_cron--1.5.sql", pg_cron_sql),
  FILE_OF("pg_cron--1.6.sql", pg_cron_sql),
  FILE_OF("pg_graphql.control", pg_graphql_control),
  FILE_OF("pg_graphql--1.5.11.sql", pg_graphql_sql),
  FILE_OF("pg_graphql--1.2.0.sql", pg_graphql_sql),
  FILE_OF("pg_graphql--1.2.3.sql", pg_graphql_sql),
  FILE_OF("pg_graphql--1.4.0.sql", pg_graphql_sql),
  FILE_OF("pg_graphql--1.5.0.sql", pg_graphql_sql),
  FILE_OF("pg_graphql--1.5.4.sql", pg_graphql_sql),
  FILE_OF("pg_graphql--1.5.7.sql", pg_graphql_sql),
  FILE_OF("pg_graphql--1.5.9.sql", pg_graphql_sql),
  FILE_OF("pg_hashids.control", pg_hashids_control),
  FILE_OF("pg_hashids--1.3.sql", pg_hashids_sql),
  FILE_OF("pg_ivm.control", pg_ivm_control),
  FILE_OF("pg_ivm--1.9.sql", pg_ivm_sql),
  FILE_OF("pg_jsonschema.control", pg_jsonschema_control),
  FILE_OF("pg_jsonschema--0.3.3.sql", pg_jsonschema_sql),
  FILE_OF("pg_jsonschema--0.1.4.sql", pg_jsonschema_sql),
  FILE_OF("pg_jsonschema--0.2.0.sql", pg_jsonschema_sql),
  FILE_OF("pg_jsonschema--0.3.1.sql", pg_jsonschema_sql),
  FILE_OF("pg_net.control", pg_net_control),
  FILE_OF("pg_net--0.14.0.sql", pg_net_sql),
  FILE_OF("pg_net--0.7.1.sql", pg_net_sql),
  FILE_OF("pg_net--0.7.3.sql", pg_net_sql),
  FILE_OF("pg_net--0.8.0.sql", pg_net_sql),
  FILE_OF("pg_net--0.10.0.sql", pg_net_sql),
  FILE_OF("pg_net--0.11.0.sql", pg_net_sql),
  FILE_OF("pg_net--0.13.0.sql", pg_net_sql),
  FILE_OF("pg_net--0.19.5.sql", pg_net_sql),
  FILE_OF("pg_partman.control", pg_partman_control),
  FILE_OF("pg_partman--5.1.0.sql", pg_partman_sql),
  FILE_OF("pg_repack.control", pg_repack_control),
  FILE_OF("pg_repack--1.5.0.sql", pg_repack_sql),
  FILE_OF("pg_stat_monitor.control", pg_stat_monitor_control),
  FILE_OF("pg_stat_monitor--2.1.sql", pg_stat_monitor_sql),
  FILE_OF("pg_tle.control", pg_tle_control),
  FILE_OF("pg_tle--1.4.0.sql", pg_tle_sql),
  FILE_OF("pg_tle--1.0.4.sql", pg_tle_sql),
  FILE_OF("pg_tle--1.2.0.sql", pg_tle_sql),
  FILE_OF("pg_tle--1.3.2.sql", pg_tle_sql),
  FILE_OF("pgaudit.control", pgaudit_control),
  FILE_OF("pgaudit--1.7.sql", pgaudit_sql),
  FILE_OF("pgjwt.control", pgjwt_control),
  FILE_OF("pgjwt--0.2.0.sql", pgjwt_sql),
  FILE_OF("pgjwt--0.1.1.sql", pgjwt_sql),
  FILE_OF("pgmq.control", pgmq_control),
  FILE_OF("pgmq--1.5.1.sql", pgmq_sql),
  FILE_OF("pgmq--1.4.4.sql", pgmq_sql),
  FILE_OF("pgmq--1.5.0.sql", pgmq_sql),
  FILE_OF("pgsodium.control", pgsodium_control),
  FILE_OF("pgsodium--3.1.8.sql", pgsodium_sql),
  FILE_OF("pgsodium--3.0.4.sql", pgsodium_sql),
  FILE_OF("pgsodium--3.1.0.sql", pgsodium_sql),
  FILE_OF("pgsodium--3.1.5.sql", pgsodium_sql),
  FILE_OF("pgsodium--3.1.6.sql", pgsodium_sql),
  FILE_OF("pgtap.control", pgtap_control),
  FILE_OF("pgtap--1.3.3.sql", pgtap_sql),
  FILE_OF("pgtap--1.2.0.sql", pgtap_sql),
  FILE_OF("pgtap--1.3.1.sql", pgtap_sql),
  FILE_OF("pgtap--1.3.2.sql", pgtap_sql),
  FILE_OF("plpgsql_check.control", plpgsql_check_control),
  FILE_OF("plpgsql_check--2.7.sql", plpgsql_check_sql),
  FILE_OF("plpgsql_check--2.2.sql", plpgsql_check_sql),
  FILE_OF("plpgsql_check--2.8.sql", plpgsql_check_sql),
  FILE_OF("postgis.control", postgis_control),
  FILE_OF("postgis--3.3.2.sql", postgis_sql),
  FILE_OF("postgis--3.1.4.sql", postgis_sql),
  FILE_OF("postgis--3.3.3.sql", postgis_sql),
  FILE_OF("postgis--3.3.7.sql", postgis_sql),
  FILE_OF("rum.control", rum_control),
  FILE_OF("rum--1.3.sql", rum_sql),
  FILE_OF("supabase-dbdev.control", supabase_dbdev_control),
  FILE_OF("supabase-dbdev--0.0.5.sql", supabase_dbdev_sql),
  FILE_OF("supabase-dbdev--0.0.2.sql", supabase_dbdev_sql),
  FILE_OF("supabase-dbdev--0.0.3.sql", supabase_dbdev_sql),
  FILE_OF("supabase-dbdev--0.0.4.sql", supabase_dbdev_sql),
  FILE_OF("supabase_vault.control", supabase_vault_control),
  FILE_OF("supabase_vault--0.3.1.sql", supabase_vault_sql),
  FILE_OF("supabase_vault--0.2.8.sql", supabase_vault_sql),
  FILE_OF("supabase_vault--0.2.9.sql", supabase_vault_sql),
  FILE_OF("supabase_vault--0.3.0.sql", supabase_vault_sql),
  FILE_OF("timescaledb.control", timescaledb_control),
  FILE_OF("timescaledb--2.9.1.sql", timescaledb_sql),
  FILE_OF("vector.control", vector_control),
  FILE_OF("vector--0.8.0.sql", vector_sql),
  FILE_OF("vector--0.5.0.sql", vector_sql),
  FILE_OF("vector--0.5.1.sql", vector_sql),
  FILE_OF("vector--0.6.0.sql", vector_sql),
  FILE_OF("vector--0.6.2.sql", vector_sql),
  FILE_OF("vector--0.7.0.sql", vector_sql),
  FILE_OF("vector--0.7.4.sql", vector_sql),
  FILE_OF("wrappers.control", wrappers_control),
  FILE_OF("wrappers--0.5.0.sql", wrappers_sql),
};

const size_t nomdev_extension_file_count = sizeof(nomdev_extension_files) / sizeof(nomdev_file);
