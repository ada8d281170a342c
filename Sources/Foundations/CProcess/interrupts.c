#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

// A handler that writes to a pipe, read by a thread, rather than sigwait: sigwait needs the signals blocked
// in every thread, and threads of the Swift runtime may exist before the first call comes here.
static int ends[2] = {-1, -1};
static void (*callback)(int);
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(ends[1], &byte, 1);
  (void)ignored;
  errno = saved;
}

static void *deliver(void *unused) {
  (void)unused;
  for (;;) {
    unsigned char byte;
    ssize_t count = read(ends[0], &byte, 1);
    if (count == 1) callback(byte);
    else if (count == 0 || errno != EINTR) return NULL;
  }
}

static void watch(int number) {
  struct sigaction before;
  if (sigaction(number, NULL, &before) != 0 || before.sa_handler == SIG_IGN) return;
  struct sigaction action = {0};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static void begin(void) {
  if (pipe(ends) != 0) return;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failed = pthread_create(&thread, NULL, deliver, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) return;
  pthread_detach(thread);
  watch(SIGINT);
  watch(SIGTERM);
}

void cprocess_watch_interrupts(void (*function)(int)) {
  callback = function;
  pthread_once(&once, begin);
}
