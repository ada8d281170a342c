#define _GNU_SOURCE
#include "CProcess.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef __APPLE__
#include <crt_externs.h>
#include <sys/sysctl.h>

char **cprocess_environment(void) { return *_NSGetEnviron(); }

unsigned long long cprocess_start_time(pid_t pid) {
  struct kinfo_proc info;
  size_t size = sizeof info;
  int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, pid};
  if (sysctl(name, 4, &info, &size, NULL, 0) != 0 || size == 0) return 0;
  if (info.kp_proc.p_stat == 5) return 0;  // SZOMB: it has ended, nobody has waited for it
  return (unsigned long long)info.kp_proc.p_starttime.tv_sec * 1000000ULL +
         (unsigned long long)info.kp_proc.p_starttime.tv_usec;
}
#else
extern char **environ;

char **cprocess_environment(void) { return environ; }

unsigned long long cprocess_start_time(pid_t pid) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return 0;
  text[count] = 0;
  // The second field is the program's name in parentheses and may hold blanks and parentheses itself.
  char *field = strrchr(text, ')');
  if (!field) return 0;
  field += 2;
  if (*field == 'Z' || *field == 'X') return 0;  // it has ended, nobody has waited for it
  for (int number = 3; number < 22; number++) {
    field = strchr(field, ' ');
    if (!field) return 0;
    field++;
  }
  return strtoull(field, NULL, 10);
}
#endif

int cprocess_terminal_width(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
