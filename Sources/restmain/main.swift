import Foundation
import Gateway
import Postgres
import REST
import Tokens


var options: [String: [String]] = [:]
var flags: Set<String> = []
var index = 1
while index < CommandLine.arguments.count {
  let argument = CommandLine.arguments[index]
  if ["--aggregates", "--plan", "--server-timing", "--openapi-security"].contains(argument) {
    flags.insert(argument)
    index += 1
    continue
  }
  options[argument, default: []].append(CommandLine.arguments[index + 1])
  index += 2
}
@MainActor func one(_ name: String) -> String? { options[name]?.last }
var configuration = RESTConfiguration(
  database: one("--db-url")!, schemas: (one("--schemas") ?? "public").components(separatedBy: ","),
  anonymousRole: one("--anon-role"))
if let extra = one("--extra-search-path") {
  configuration.extraSearchPath = extra.isEmpty ? [] : extra.components(separatedBy: ",")
}
if let secret = one("--jwt-secret") { configuration.keys = try JWTKeySet(setting: secret) }
configuration.audience = one("--jwt-aud")
configuration.preRequest = one("--pre-request")
configuration.rootFunction = one("--root-function")
configuration.openAPIProxy = one("--openapi-proxy")
configuration.openAPISecurity = flags.contains("--openapi-security")
if let mode = one("--openapi-mode") { configuration.openAPIMode = .init(rawValue: mode)! }
if let end = one("--tx-end") { configuration.transactionEnd = .init(rawValue: end)! }
configuration.maximumRows = one("--max-rows").flatMap { Int($0) }
configuration.allowsAggregates = flags.contains("--aggregates")
configuration.allowsPlan = flags.contains("--plan")
configuration.tellsTimings = flags.contains("--server-timing")
configuration.settings = (options["--setting"] ?? []).map { text in
  let parts = text.split(separator: "=", maxSplits: 1)
  return (String(parts[0]), String(parts[1]))
}
configuration.port = one("--port").flatMap { Int($0) } ?? 3000
let service = try RESTService(configuration)
service.startListening()
let workers = one("--workers").flatMap { Int($0) } ?? 8
let server = try HTTPServer(port: UInt16(configuration.port), workers: workers) { service.responder() }
print("listening on \(server.port)")
signal(SIGTERM, SIG_IGN)
signal(SIGINT, SIG_IGN)
var signals = sigset_t()
sigemptyset(&signals)
let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
source.setEventHandler {
  server.stop()
  service.stop()
  exit(0)
}
source.resume()
dispatchMain()
