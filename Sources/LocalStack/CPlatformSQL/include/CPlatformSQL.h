// Files that are part of the binary: the platform's SQL and the stand-ins for extensions.
#pragma once
#include <stddef.h>

typedef struct {
  // The file's name without folders.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t length;
} nomdev_file;

// The platform's scripts, in the order they are run.
extern const nomdev_file nomdev_platform_scripts[];
extern const size_t nomdev_platform_script_count;

// Control and script files of the stand-ins, in no particular order.
extern const nomdev_file nomdev_extension_files[];
extern const size_t nomdev_extension_file_count;

// Swift does not see arrays of unknown length.
static inline const nomdev_file *_Nonnull nomdev_platform_scripts_pointer(void) {
  return nomdev_platform_scripts;
}
static inline const nomdev_file *_Nonnull nomdev_extension_files_pointer(void) {
  return nomdev_extension_files;
}
