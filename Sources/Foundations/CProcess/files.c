#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

int cprocess_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }

long long cprocess_free_bytes(const char *path) {
  struct statvfs status;
  if (statvfs(path, &status) != 0) return -1;
  return (long long)status.f_bavail * (long long)status.f_frsize;
}

struct copy {
  const char *const *from;
  const char *const *to;
  size_t count;
  int flags;
  mode_t mode;
  uid_t user;
  gid_t group;
  atomic_size_t next;
  atomic_int error;
  atomic_size_t failed;
};

static int copy_bytes(int from, int to, char *buffer, size_t size) {
  for (;;) {
    ssize_t count = read(from, buffer, size);
    if (count == 0) return 0;
    if (count < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    for (ssize_t done = 0; done < count;) {
      ssize_t written = write(to, buffer + done, (size_t)(count - done));
      if (written < 0 && errno != EINTR) return errno;
      if (written > 0) done += written;
    }
  }
}

static int copy_one(struct copy *copy, size_t index, char *buffer, size_t size) {
  int from = open(copy->from[index], O_RDONLY | O_CLOEXEC);
  if (from < 0) return errno;
  int result = 0;
  int to = open(copy->to[index], O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | copy->flags, copy->mode);
  if (to < 0) {
    result = errno;
    close(from);
    return result;
  }
  if (fchmod(to, copy->mode) != 0) result = errno;
  if (!result && copy->user != (uid_t)-1 && fchown(to, copy->user, copy->group) != 0) result = errno;
  if (!result) result = copy_bytes(from, to, buffer, size);
  close(from);
  if (close(to) != 0 && !result) result = errno;
  return result;
}

static void *work(void *context) {
  struct copy *copy = context;
  size_t size = 256 * 1024;
  char *buffer = malloc(size);
  if (!buffer) {
    atomic_store(&copy->error, ENOMEM);
    return NULL;
  }
  while (!atomic_load(&copy->error)) {
    size_t index = atomic_fetch_add(&copy->next, 1);
    if (index >= copy->count) break;
    int error = copy_one(copy, index, buffer, size);
    int none = 0;
    if (error && atomic_compare_exchange_strong(&copy->error, &none, error))
      atomic_store(&copy->failed, index);
  }
  free(buffer);
  return NULL;
}

int cprocess_copy_files(const char *const *from, const char *const *to, size_t count, int threads,
                        int overwrites, mode_t mode, uid_t user, gid_t group, size_t *failed) {
  struct copy copy = {.from = from, .to = to, .count = count, .flags = overwrites ? O_TRUNC : O_EXCL,
                      .mode = mode, .user = user, .group = group};
  pthread_t others[16];
  int started = 0;
  while (started < threads - 1 && started < 16 &&
         pthread_create(&others[started], NULL, work, &copy) == 0)
    started++;
  work(&copy);
  for (int index = 0; index < started; index++) pthread_join(others[index], NULL);
  *failed = atomic_load(&copy.failed);
  return atomic_load(&copy.error);
}
