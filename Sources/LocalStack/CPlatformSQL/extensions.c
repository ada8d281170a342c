// The stand-ins for extensions that a server may lack.
#include "CPlatformSQL.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// C has no empty array: the count says how many of these there are.
const nomdev_file nomdev_extension_files[] = {{"", (const unsigned char *)"", 0}};
const size_t nomdev_extension_file_count = 0;
