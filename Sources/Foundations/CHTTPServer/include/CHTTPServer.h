// Typed one-line entries to libmicrohttpd's variadic functions, which Swift cannot call.
#ifndef NOMDEV_HTTP_SERVER_H
#define NOMDEV_HTTP_SERVER_H

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

// Called with the request target as it stands on the request line, before the headers are read. What it
// returns is the request's own context.
typedef void *(*nomdev_http_target)(void *server, const char *target);
// Called when the headers are read, for every piece of the body, and when it has ended.
typedef enum MHD_Result (*nomdev_http_access)(
    void *server, struct MHD_Connection *connection, const char *target, const char *method,
    const char *version, const char *body, size_t *body_size, void **context);
// Called exactly once for each request whose target was seen, when nothing refers to it any more.
typedef void (*nomdev_http_completed)(void *server, void *context);

struct nomdev_http_options {
  uint16_t port;  // 0: any free one
  unsigned connection_limit;
  unsigned idle_seconds;  // a client that sends or reads nothing for so long is cut off
  size_t header_bytes;    // the connection's memory pool, which bounds request line and headers
  void *server;
  nomdev_http_target target;
  nomdev_http_access access;
  nomdev_http_completed completed;
};

// One thread that waits for all connections. NULL when the port is taken; errno
// says why.
struct MHD_Daemon *nomdev_http_start(const struct nomdev_http_options *options);
// The port the daemon listens on, 0 when it is not known.
uint16_t nomdev_http_port(struct MHD_Daemon *daemon);
// How many connections are open.
unsigned nomdev_http_connections(struct MHD_Daemon *daemon);
// Lets a response of unknown length end with its connection.
void nomdev_http_do_not_chunk(struct MHD_Response *response);

#endif
