// Does one thing with a cluster, says so on standard output, and where it owns something waits to be killed.
//
//   ClusterOwner ephemeral FILE       starts a throw-away cluster, writes its record to a file, waits
//   ClusterOwner template CACHE       makes a template in a cache folder, prints its folder
//   ClusterOwner up PROJECT           starts a project's stack, prints its record
//   ClusterOwner reset PROJECT        resets a project's stack, prints its record
import Cluster
import Processes
import Stack

func say(_ text: String) { print(text, terminator: "") }

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case ("ephemeral", let file?):
  let cluster = try RunningCluster.ephemeral()
  try Files.write(cluster.record.text, to: file)
  withExtendedLifetime(cluster) { while true { pause(.seconds(60)) } }
case ("template", let cache?): say(try TemplateCluster.ready(cache: cache).folder)
case ("up", let project?): say(try ProjectStack(project: project, port: .preferred(54399)).up().record.text)
case ("reset", let project?):
  say(try ProjectStack(project: project, port: .preferred(54399)).reset().record.text)
default: fatalError("see the head of this file")
}
