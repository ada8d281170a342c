// What Swift cannot call by itself, or not the same way on Linux and macOS: fork, variadic functions,
// signal handlers, and copying many files on several threads. See Processes for the Swift side.
#pragma once
#include <stddef.h>
#include <sys/types.h>

/// What a child process is started with. Descriptors are the parent's; -1 means /dev/null.
struct cprocess_launch {
  const char *path;
  char *const *arguments;
  char *const *environment;
  /// NULL keeps the parent's.
  const char *directory;
  int input, output, error;
  /// 1 makes a process group of its own, 2 a session of its own, 0 neither.
  int grouping;
  /// The signal the child gets when this process ends, 0 for none. Without effect on macOS.
  int death_signal;
  /// Whether the child changes to `user`, `group` and `groups`.
  int changes_user;
  uid_t user;
  gid_t group;
  const gid_t *groups;
  int group_count;
};

/// Starts a child from one thread that lives as long as the process, so that the death signal, which
/// follows the *thread* that forked, comes when the process ends and not before.
/// Returns 0, or the errno of the step that failed, whose name is put into `stage`.
int cprocess_start(const struct cprocess_launch *launch, pid_t *pid, const char **stage);

/// Calls `callback` with the number of each SIGINT and SIGTERM, on a thread of its own, from the first call
/// on. A signal that was ignored when this process began stays ignored.
void cprocess_watch_interrupts(void (*callback)(int signal));

char **cprocess_environment(void);

/// Copies regular files on `threads` threads, made with `mode` and given to `user` and `group` when `user`
/// is not (uid_t)-1. A file that exists already is an error, or overwritten when `overwrites` is not 0.
/// Returns 0 or the first errno; `failed` is then the index of that file.
int cprocess_copy_files(const char *const *from, const char *const *to, size_t count, int threads,
                        int overwrites, mode_t mode, uid_t user, gid_t group, size_t *failed);

/// Bytes free for an ordinary user on the file system of `path`; -1 with errno set.
long long cprocess_free_bytes(const char *path);

/// When a process began, in units and from an origin of the platform's own, only to be compared.
/// 0 when there is no such process.
unsigned long long cprocess_start_time(pid_t pid);

/// open(2), which is variadic in C. The descriptor is closed on exec.
int cprocess_open(const char *path, int flags, mode_t mode);

/// Width of the terminal in columns, 0 where there is none.
int cprocess_terminal_width(int descriptor);
