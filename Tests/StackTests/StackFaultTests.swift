import Cluster
import Postgres
import Processes
import Stack
import Support
import Testing

@Suite struct StackFaultTests {
  let project: ScratchProject
  let stack: ProjectStack

  init() throws {
    project = try ScratchProject()
    stack = try project.stack()
  }

  @Test func `a server that was killed is started again with what was committed`() throws {
    let first = try stack.up()
    try stack.connect()?.run("create table public.kept as select 7 as n")

    first.record.server.send(signal: 9)
    #expect(first.record.server.waitUntilGone(within: .seconds(10)))

    let second = try stack.up()
    #expect(!second.wasRunning)
    #expect(second.port == first.port)
    #expect(try stack.connect()?.value("select n from public.kept") == "7")
  }

  @Test func `many ups at once start one server`() throws {
    let owners = try (0..<4).map { try owner("up", output: .file("\(project.path)/out-\($0)")) }

    #expect(owners.allSatisfy { $0.wait() == .exited(0) })
    let records = try (0..<4).map { try project.folder.read("out-\($0)") }
    #expect(Set(records).count == 1)
    #expect(try stack.status()?.record.text == records.first)
  }

  @Test func `a pid that belongs to another process by now stops nothing`() throws {
    var record = try stack.up().record
    try stack.down()
    var launch = Launch("/bin/sleep", ["60"])
    launch.user = try ServerAccount.current()
    launch.folder = "/"
    launch.deathSignal = 9
    let sleeper = try ChildProcess(launch)
    defer {
      sleeper.send(signal: 9)
      sleeper.wait()
    }
    try Files.write(
      "\(sleeper.pid)\n\(project.data)\n1700000000\n\(project.port)\n/tmp\n127.0.0.1\n  1 2\nready   \n",
      to: "\(project.data)/postmaster.pid")
    record.server = ProcessIdentity(pid: sleeper.pid, startTime: 1)
    try Files.write(record.text, to: "\(project.path)/.nomdev/stack")

    #expect(try stack.status() == nil)
    #expect(try !stack.up().wasRunning)
    #expect(sleeper.identity.isAlive)
  }

  @Test func `a server nobody wrote down is found by its data`() throws {
    let record = try stack.up().record
    try Files.remove("\(project.path)/.nomdev/stack")
    ClusterRegistry.remove(token: record.token)

    let again = try stack.up()

    #expect(again.wasRunning)
    #expect(again.record.server == record.server)
    #expect(again.record.token == record.token)
    #expect(ClusterRegistry.running().contains { $0.token == record.token })
  }

  @Test func `a server whose data were removed under it does not keep the port`() throws {
    let record = try stack.up().record
    try Files.remove("\(project.path)/.nomdev")

    let again = try stack.up()

    #expect(again.port == record.port)
    #expect(!record.server.isAlive)
  }

  @Test(arguments: [
    // What a kill at each step of a reset leaves, and whether the old data are what comes back.
    (["data", "data.draft"], true), (["data", "data.new"], true), (["data.old", "data.new"], false),
    (["data", "data.old"], true), (["data.old", "data.draft"], true),
  ])
  func `a reset that was killed is mended`(left: [String], oldComesBack: Bool) throws {
    _ = try stack.up()
    try stack.connect()?.run("create table public.old ()")
    try stack.down()
    let home = "\(project.path)/.nomdev"
    try Files.rename("\(home)/data", to: "\(home)/\(left[0])")
    if left.count > 1 {
      let owner = try ServerAccount.current()
      let template = try TemplateCluster.ready()
      try Files.copyTree("\(template.folder)/data", to: "\(home)/\(left[1])", owner: owner)
    }

    _ = try stack.up()

    #expect(try stack.connect()?.value("select to_regclass('public.old')") == (oldComesBack ? "old" : nil))
    _ = try stack.reset()
    #expect(try stack.connect()?.value("select to_regclass('public.old')") == nil)
  }

  @Test func `a reset killed at any moment is followed by an up that works`() throws {
    _ = try stack.up()
    for delay in [2, 8, 20, 35, 60, 90, 140] {
      let owner = try owner("reset")
      pause(.milliseconds(delay))
      owner.send(signal: 9)
      owner.wait()

      _ = try stack.up()
      #expect(try stack.connect()?.value("select 1") == "1")
    }
  }

  @Test(.enabled(if: canMount, "a small disk can be mounted by root on Linux only"))
  func `a full disk is called one, and loses nothing`() throws {
    let disk = try SmallDisk(at: "\(project.path)/.nomdev", megabytes: 20)
    let error = #expect(throws: ClusterError.self) { try stack.up() }
    #expect(error?.diagnostics.first?.code == "cluster.disk_full")
    #expect(!Files.names(in: disk.path).contains { $0.hasPrefix("data") })

    // Room for the data, and then for nothing but them.
    try disk.resize(megabytes: 200)
    _ = try stack.up()
    try disk.resize(megabytes: 200 - (Files.freeBytes(disk.path) ?? 0) >> 20 + 8)
    try stack.connect()?.run("create table public.kept as select 7 as n")
    let second = #expect(throws: ClusterError.self) { try stack.reset() }
    #expect(second?.diagnostics.first?.code == "cluster.disk_full")
    #expect(try stack.connect()?.value("select n from public.kept") == "7")
    try stack.down()
  }

  private func owner(_ command: String, output: Launch.Stream = .none) throws -> ChildProcess {
    var launch = Launch(builtProgram("ClusterOwner"), [command, project.path])
    launch.output = output
    return try ChildProcess(launch)
  }
}

#if os(Linux)
  private let canMount = SystemUser.isRoot
#else
  private let canMount = false
#endif

/// A file system of a few megabytes, unmounted when the object goes.
private final class SmallDisk {
  let path: String

  init(at path: String, megabytes: Int) throws {
    self.path = path
    try Files.makeFolder(path, mode: 0o711)
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,mode=711", "tmpfs", path])
  }

  func resize(megabytes: Int) throws {
    try Self.run("mount", ["-o", "remount,size=\(megabytes)m", path])
  }

  deinit { try? Self.run("umount", ["--lazy", path]) }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let finished = try ChildProcess.run(Launch("/bin/\(program)", arguments))
    try #require(finished.status == .exited(0), "\(finished.errorText)")
  }
}
