#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// What the child tells the parent when a step before exec fails.
struct failure {
  int code;
  int stage;
};

static const char *const stages[] = {
    "opening /dev/null", "redirecting", "making a process group", "entering the folder",
    "changing to another user", "asking for a death signal", "running"};

enum { stage_null, stage_redirect, stage_group, stage_directory, stage_user, stage_death, stage_exec };

// Only async-signal-safe calls from here on: this process has other threads, and any of them may have held
// any lock when the child was forked.
static void fail(int report, int stage) {
  struct failure failure = {errno, stage};
  ssize_t ignored = write(report, &failure, sizeof failure);
  (void)ignored;
  _exit(127);
}

static int source_of(int descriptor, int null_flags, int report) {
  int source = descriptor;
  if (source < 0) source = open("/dev/null", null_flags | O_CLOEXEC);
  if (source < 0) fail(report, stage_null);
  // Above 2, so that no later dup2 overwrites what is still to be used.
  if (source <= 2) source = fcntl(source, F_DUPFD_CLOEXEC, 3);
  if (source < 0) fail(report, stage_redirect);
  return source;
}

static void child(const struct cprocess_launch *launch, int report, pid_t parent) {
  if (report <= 2) {
    report = fcntl(report, F_DUPFD_CLOEXEC, 3);
    if (report < 0) _exit(127);
  }
  int input = source_of(launch->input, O_RDONLY, report);
  int output = source_of(launch->output, O_WRONLY, report);
  int error = source_of(launch->error, O_WRONLY, report);
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(error, 2) < 0) fail(report, stage_redirect);
#if defined(__linux__) && defined(SYS_close_range)
  // Descriptors that others opened without close-on-exec must not keep their pipes and locks alive in a
  // server that outlives this process. 4 is CLOSE_RANGE_CLOEXEC; an old kernel refuses and nothing is lost.
  syscall(SYS_close_range, 3U, ~0U, 4U);
#endif
  if (launch->grouping == 1 && setpgid(0, 0) != 0) fail(report, stage_group);
  if (launch->grouping == 2 && setsid() < 0) fail(report, stage_group);
  if (launch->changes_user) {
    if (setgroups(launch->group_count, launch->groups) != 0 || setgid(launch->group) != 0 ||
        setuid(launch->user) != 0)
      fail(report, stage_user);
  }
  if (launch->directory && chdir(launch->directory) != 0) fail(report, stage_directory);
#ifdef __linux__
  // After setuid, which clears it.
  if (launch->death_signal) {
    if (prctl(PR_SET_PDEATHSIG, launch->death_signal) != 0) fail(report, stage_death);
    if (getppid() != parent) _exit(127);  // it died before we asked
  }
#else
  (void)parent;
#endif
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(launch->path, launch->arguments, launch->environment);
  fail(report, stage_exec);
}

static int fork_and_exec(const struct cprocess_launch *launch, pid_t *pid, const char **stage) {
  int report[2];
  *stage = "making a pipe";
  if (pipe(report) != 0) return errno;
  fcntl(report[0], F_SETFD, FD_CLOEXEC);
  fcntl(report[1], F_SETFD, FD_CLOEXEC);
  *stage = "forking";
  pid_t parent = getpid();
  pid_t started = fork();
  if (started == 0) child(launch, report[1], parent);
  int code = errno;
  close(report[1]);
  if (started < 0) {
    close(report[0]);
    return code;
  }
  // The write end closes when exec succeeds, so an end of file is good news.
  struct failure failure;
  ssize_t count;
  do count = read(report[0], &failure, sizeof failure);
  while (count < 0 && errno == EINTR);
  close(report[0]);
  if (count == (ssize_t)sizeof failure) {
    while (waitpid(started, NULL, 0) < 0 && errno == EINTR) {
    }
    *stage = stages[failure.stage];
    return failure.code;
  }
  *pid = started;
  return 0;
}

// The thread that forks. It handles one request at a time and never ends.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int thread_error;

static struct {
  const struct cprocess_launch *launch;
  int busy, done, result;
  pid_t pid;
  const char *stage;
} request;

static void *serve(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!request.launch || request.done) pthread_cond_wait(&changed, &lock);
    request.result = fork_and_exec(request.launch, &request.pid, &request.stage);
    request.done = 1;
    pthread_cond_broadcast(&changed);
  }
  return NULL;
}

static void begin(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  thread_error = pthread_create(&thread, NULL, serve, NULL);
  if (thread_error == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int cprocess_start(const struct cprocess_launch *launch, pid_t *pid, const char **stage) {
  pthread_once(&once, begin);
  *stage = "making a thread";
  if (thread_error) return thread_error;
  pthread_mutex_lock(&lock);
  while (request.busy) pthread_cond_wait(&changed, &lock);
  request.busy = 1;
  request.done = 0;
  request.launch = launch;
  pthread_cond_broadcast(&changed);
  while (!request.done) pthread_cond_wait(&changed, &lock);
  int result = request.result;
  *pid = request.pid;
  *stage = request.stage;
  request.launch = NULL;
  request.busy = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return result;
}
