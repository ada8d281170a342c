/// What a server is started with. Everything is on its command line, so that one place says it all and a
/// data folder can be moved.
struct ServerSettings {
  var socketFolder: String
  var port: Int
  /// Whether it listens on TCP, on loopback only.
  var listens: Bool
  var hasIPv6: Bool
  var token: String
  /// Whether the data may be lost when the machine stops.
  var isThrowAway: Bool
  var extra: [String: String] = [:]

  var arguments: [String] {
    var all = [
      "listen_addresses": listens ? (hasIPv6 ? "127.0.0.1,::1" : "127.0.0.1") : "",
      "port": String(port),
      "unix_socket_directories": socketFolder,
      "unix_socket_permissions": "0700",
      "nomdev.instance": token,
      "cluster_name": "nomdev",
      "timezone": "UTC",
      "log_timezone": "UTC",
      "log_line_prefix": "%m [%p] ",
      "max_connections": "100",
      // Migrations make publications, and subscriptions to them; both ask for it.
      "wal_level": "logical",
      "shared_buffers": "32MB",
      "max_wal_size": "128MB",
      "min_wal_size": "2MB",
      "jit": "off",
    ]
    if isThrowAway {
      for (name, value) in [
        "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off",
        "shared_buffers": "16MB", "max_wal_size": "64MB",
      ] {
        all[name] = value
      }
    }
    all.merge(extra) { _, given in given }
    return all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
  }
}
