// The platform's SQL, embedded by the compiler. `#embed` is C23, and takes no time at any size.
#include "CPlatformSQL.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char roles[] = {
#embed "sql/010_roles.sql"
};
static const unsigned char database[] = {
#embed "sql/020_database.sql"
};
static const unsigned char settings[] = {
#embed "sql/025_settings.sql"
};
static const unsigned char auth_tables[] = {
#embed "sql/030_auth_tables.sql"
};
static const unsigned char auth_access[] = {
#embed "sql/035_auth_access.sql"
};
static const unsigned char storage_tables[] = {
#embed "sql/040_storage_tables.sql"
};
static const unsigned char storage_functions[] = {
#embed "sql/045_storage_functions.sql"
};
static const unsigned char realtime[] = {
#embed "sql/050_realtime.sql"
};
static const unsigned char services[] = {
#embed "sql/060_services.sql"
};
static const unsigned char event_triggers[] = {
#embed "sql/070_event_triggers.sql"
};
static const unsigned char guard[] = {
#embed "sql/080_guard.sql"
};
static const unsigned char privileged[] = {
#embed "sql/085_privileged.sql"
};

#define SCRIPT(file, bytes) {file, bytes, sizeof(bytes)}

const nomdev_file nomdev_platform_scripts[] = {
  SCRIPT("010_roles.sql", roles),
  SCRIPT("020_database.sql", database),
  SCRIPT("025_settings.sql", settings),
  SCRIPT("030_auth_tables.sql", auth_tables),
  SCRIPT("035_auth_access.sql", auth_access),
  SCRIPT("040_storage_tables.sql", storage_tables),
  SCRIPT("045_storage_functions.sql", storage_functions),
  SCRIPT("050_realtime.sql", realtime),
  SCRIPT("060_services.sql", services),
  SCRIPT("070_event_triggers.sql", event_triggers),
  SCRIPT("080_guard.sql", guard),
  SCRIPT("085_privileged.sql", privileged),
};
const size_t nomdev_platform_script_count = sizeof(nomdev_platform_scripts) / sizeof(nomdev_file);
