#include "CHTTPServer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

// The request target must reach Swift undecoded: routing and storage keys depend on it.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// What libmicrohttpd has to say about broken requests is not for the user's terminal.
static void drop_message(void *context, const char *format, va_list arguments) {
  (void)context;
  (void)format;
  (void)arguments;
}


static void *see_target(void *context, const char *target, struct MHD_Connection *connection) {
  (void)connection;
  const struct nomdev_http_options *options = context;
  return options->target(options->server, target);
}

static enum MHD_Result handle(
    void *context, struct MHD_Connection *connection, const char *target, const char *method,
    const char *version, const char *body, size_t *body_size, void **request) {
  const struct nomdev_http_options *options = context;
  return options->access(options->server, connection, target, method, version, body, body_size, request);
}

static void complete(
    void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code) {
  (void)connection;
  (void)code;
  const struct nomdev_http_options *options = context;
  if (*request != NULL) options->completed(options->server, *request);
  *request = NULL;
}

struct MHD_Daemon *nomdev_http_start(const struct nomdev_http_options *options) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(options->port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);

  // Not epoll: libmicrohttpd asks it to tell of each change once, and then misses the end of a connection that
  // came together with data. Such connections would stay open until they are timed out.
  unsigned flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
  // The options live as long as the server, which owns them.
  void *context = (void *)options;
  return MHD_start_daemon(
      flags, options->port, NULL, NULL, &handle, context,
      MHD_OPTION_EXTERNAL_LOGGER, &drop_message, NULL,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->header_bytes,
      MHD_OPTION_UNESCAPE_CALLBACK, &keep_escapes, NULL,
      MHD_OPTION_URI_LOG_CALLBACK, &see_target, context,
      MHD_OPTION_NOTIFY_COMPLETED, &complete, context,
      MHD_OPTION_END);
}

uint16_t nomdev_http_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

unsigned nomdev_http_connections(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info == NULL ? 0 : info->num_connections;
}

void nomdev_http_do_not_chunk(struct MHD_Response *response) {
  (void)MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}
