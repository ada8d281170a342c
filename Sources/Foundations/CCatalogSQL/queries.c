// The questions to the catalog, one a file, embedded by the compiler.
#include "CCatalogSQL.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char server[] = {
#embed "queries/server.sql"
};
static const unsigned char database[] = {
#embed "queries/database.sql"
};
static const unsigned char roles[] = {
#embed "queries/roles.sql"
};
static const unsigned char extensions[] = {
#embed "queries/extensions.sql"
};
static const unsigned char schemas[] = {
#embed "queries/schemas.sql"
};
static const unsigned char parameters[] = {
#embed "queries/parameters.sql"
};
static const unsigned char default_privileges[] = {
#embed "queries/default_privileges.sql"
};
static const unsigned char collations[] = {
#embed "queries/collations.sql"
};
static const unsigned char types[] = {
#embed "queries/types.sql"
};
static const unsigned char domain_constraints[] = {
#embed "queries/domain_constraints.sql"
};
static const unsigned char routines[] = {
#embed "queries/routines.sql"
};
static const unsigned char aggregates[] = {
#embed "queries/aggregates.sql"
};
static const unsigned char operators[] = {
#embed "queries/operators.sql"
};
static const unsigned char casts[] = {
#embed "queries/casts.sql"
};
static const unsigned char text_search[] = {
#embed "queries/text_search.sql"
};
static const unsigned char foreign_data[] = {
#embed "queries/foreign_data.sql"
};
static const unsigned char sequences[] = {
#embed "queries/sequences.sql"
};
static const unsigned char tables[] = {
#embed "queries/tables.sql"
};
static const unsigned char columns[] = {
#embed "queries/columns.sql"
};
static const unsigned char constraints[] = {
#embed "queries/constraints.sql"
};
static const unsigned char indexes[] = {
#embed "queries/indexes.sql"
};
static const unsigned char views[] = {
#embed "queries/views.sql"
};
static const unsigned char rules[] = {
#embed "queries/rules.sql"
};
static const unsigned char statistics[] = {
#embed "queries/statistics.sql"
};
static const unsigned char triggers[] = {
#embed "queries/triggers.sql"
};
static const unsigned char policies[] = {
#embed "queries/policies.sql"
};
static const unsigned char publications[] = {
#embed "queries/publications.sql"
};
static const unsigned char event_triggers[] = {
#embed "queries/event_triggers.sql"
};
static const unsigned char grants[] = {
#embed "queries/grants.sql"
};
static const unsigned char remarks[] = {
#embed "queries/remarks.sql"
};
static const unsigned char uncovered[] = {
#embed "queries/uncovered.sql"
};
static const unsigned char dependencies[] = {
#embed "queries/dependencies.sql"
};

#define QUERY(name) {#name, name, sizeof(name)}

const nomdev_query nomdev_catalog_queries[] = {
  QUERY(server),
  QUERY(database),
  QUERY(roles),
  QUERY(extensions),
  QUERY(schemas),
  QUERY(parameters),
  QUERY(default_privileges),
  QUERY(collations),
  QUERY(types),
  QUERY(domain_constraints),
  QUERY(routines),
  QUERY(aggregates),
  QUERY(operators),
  QUERY(casts),
  QUERY(text_search),
  QUERY(foreign_data),
  QUERY(sequences),
  QUERY(tables),
  QUERY(columns),
  QUERY(constraints),
  QUERY(indexes),
  QUERY(views),
  QUERY(rules),
  QUERY(statistics),
  QUERY(triggers),
  QUERY(policies),
  QUERY(publications),
  QUERY(event_triggers),
  QUERY(grants),
  QUERY(remarks),
  QUERY(uncovered),
  QUERY(dependencies),
};
const size_t nomdev_catalog_query_count = sizeof(nomdev_catalog_queries) / sizeof(nomdev_query);
