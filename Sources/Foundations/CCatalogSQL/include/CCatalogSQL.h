// The catalog queries that are part of the binary.
#pragma once
#include <stddef.h>

typedef struct {
  // The file's name without folders and without .sql.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t length;
} nomdev_query;

extern const nomdev_query nomdev_catalog_queries[];
extern const size_t nomdev_catalog_query_count;

// Swift does not see arrays of unknown length.
static inline const nomdev_query *_Nonnull nomdev_catalog_queries_pointer(void) { return nomdev_catalog_queries; }
