import Processes
import Support
import Testing

@Suite struct ChildProcessTests {
  @Test func `runs a program to its end and returns what it wrote`() throws {
    let finished = try ChildProcess.run(
      Launch("/bin/sh", ["-c", "cat; echo oops >&2; exit 3"]), input: Array("hello".utf8))

    #expect(finished.status == .exited(3))
    #expect(finished.outputText == "hello")
    #expect(finished.errorText == "oops\n")
  }

  @Test func `gives a program exactly the environment and the folder it was asked to`() throws {
    let folder = try ScratchFolder()
    var launch = Launch("/bin/sh", ["-c", "pwd; env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD="])
    launch.environment = ["GREETING": "hi there"]
    launch.folder = folder.path

    let finished = try ChildProcess.run(launch)

    #expect(finished.outputText == "\(folder.path)\nGREETING=hi there\n")
  }

  @Test func `a program that is not there is an error that names it and the step`() throws {
    let error = #expect(throws: SpawnError.self) { try ChildProcess.run(Launch("/nowhere/program")) }

    #expect(error?.diagnostics.first?.code == "system.spawn")
    #expect(error?.diagnostics.first?.message == "/nowhere/program could not be started")
    #expect(error?.diagnostics.first?.detail == "running: No such file or directory")
  }

  @Test func `output larger than a pipe does not block`() throws {
    let finished = try ChildProcess.run(Launch("/bin/sh", ["-c", "head -c 300000 /dev/zero"]))

    #expect(finished.output.count == 300_000)
  }

  @Test func `a program ended by a signal says which`() throws {
    let finished = try ChildProcess.run(Launch("/bin/sh", ["-c", "kill -TERM $$"]))

    #expect(finished.status == .signalled(15))
  }

  @Test func `a child started on a thread that ends lives on`() async throws {
    // The death signal follows the thread that forks: with a careless spawn it would come now.
    let child = try await Task.detached {
      var launch = Launch("/bin/sleep", ["60"])
      launch.deathSignal = 9
      return try ChildProcess(launch).identity
    }.value

    pause(.milliseconds(50))

    #expect(child.isAlive)
    child.send(signal: 9)
    #expect(child.waitUntilGone(within: .seconds(5)))
  }

  @Test func `many threads may start children at once`() async throws {
    let codes = try await withThrowingTaskGroup(of: ProcessEnd.self) { group in
      for code in 0..<20 {
        group.addTask { try ChildProcess.run(Launch("/bin/sh", ["-c", "exit \(code)"])).status }
      }
      return try await group.reduce(into: Set<ProcessEnd>()) { $0.insert($1) }
    }

    #expect(codes == Set((0..<20).map { .exited(Int32($0)) }))
  }

  @Test(.enabled(if: SystemUser.isRoot, "only root can change the account"))
  func `changes the account with all its groups`() throws {
    let user = try #require(SystemUser.named("nobody"))
    var launch = Launch("/bin/sh", ["-c", "id -u; id -g; id -G"])
    launch.user = user
    launch.folder = "/"

    let finished = try ChildProcess.run(launch)

    let groups = user.groups.map(String.init).joined(separator: " ")
    #expect(finished.outputText == "\(user.id)\n\(user.group)\n\(groups)\n")
  }
}

@Suite struct ProcessIdentityTests {
  @Test func `another process with the same number is not the one`() throws {
    let me = ProcessIdentity.current

    #expect(me.isAlive)
    #expect(!ProcessIdentity(pid: me.pid, startTime: me.startTime + 1).isAlive)
    #expect(ProcessIdentity(pid: 0) == nil)
  }

  @Test func `a zombie is gone`() throws {
    let child = try ChildProcess(Launch("/bin/sh", ["-c", "exit 0"]))

    #expect(child.identity.waitUntilGone(within: .seconds(5)))
    #expect(child.wait() == .exited(0))
  }
}

@Suite struct FileLockTests {
  @Test func `is held once, says by whom, and is free again when it goes`() throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/lock"

    var lock = try FileLock.tryToTake(path)
    #expect(lock != nil)
    #expect(try FileLock.tryToTake(path) == nil)
    #expect(FileLock.holder(path) == ProcessIdentity.current.pid)

    lock = nil
    #expect(try FileLock.tryToTake(path) != nil)
  }
}

@Suite struct LoopbackPortTests {
  @Test func `a free port is free, and none of the impossible ones is`() throws {
    let port = try #require(LoopbackPort.free())

    #expect(LoopbackPort.isFree(port))
    #expect(!LoopbackPort.isFree(0))
    #expect(!LoopbackPort.isFree(65536))
  }
}

@Suite struct FilesTests {
  @Test func `what is written is private, whole and nothing beside it`() throws {
    let folder = try ScratchFolder()
    try Files.write("one", to: "\(folder.path)/note")
    try Files.write("two", to: "\(folder.path)/note")

    #expect(try folder.read("note") == "two")
    #expect(Files.status("\(folder.path)/note")?.mode == 0o600)
    #expect(Files.names(in: folder.path) == ["note"])
  }

  @Test func `copies a tree with its links and empty folders`() throws {
    let folder = try ScratchFolder()
    for number in 0..<50 { try folder.write("tree/sub/\(number)", "content \(number)") }
    try Files.makeFolder("\(folder.path)/tree/empty")
    try Files.link("\(folder.path)/tree/link", to: "sub/7")

    try Files.copyTree("\(folder.path)/tree", to: "\(folder.path)/copy")

    #expect(try folder.read("copy/sub/49") == "content 49")
    #expect(Files.destination(ofLink: "\(folder.path)/copy/link") == "sub/7")
    #expect(Files.status("\(folder.path)/copy/empty")?.kind == .folder)
    #expect(Files.names(in: "\(folder.path)/copy/sub").count == 50)
  }

  @Test func `removing a tree does not follow links out of it`() throws {
    let folder = try ScratchFolder()
    try folder.write("outside/kept", "")
    try Files.makeFolder("\(folder.path)/tree")
    try Files.link("\(folder.path)/tree/link", to: "../outside")

    try Files.remove("\(folder.path)/tree")

    #expect(!folder.exists("tree"))
    #expect(folder.exists("outside/kept"))
  }

  @Test func `the last lines of a file are whole lines`() throws {
    let folder = try ScratchFolder()
    let lines = (0..<5000).map { "line \($0)" }
    try folder.write("log", lines.joined(separator: "\n") + "\n")

    #expect(Files.lastLines("\(folder.path)/log", 3) == ["line 4997", "line 4998", "line 4999"])
    #expect(Files.lastLines("\(folder.path)/none", 3) == [])
  }

  @Test func `a full disk is called one`() {
    let error = SystemError("copying a file", number: 28)

    #expect(error.diagnostics.first?.code == "system.disk_full")
    #expect(error.diagnostics.first?.detail == "No space left on device")
  }
}

@Suite struct ClusterRecordTests {
  private let record = ClusterRecord(
    token: "ab12", server: .current, port: 54322, listens: true, socketFolder: "/run/nomdev/x=y",
    dataFolder: "/srv/a project/.nomdev/data", logFile: "/tmp/log", template: "/tmp/template",
    systemIdentifier: "7")

  @Test func `reads what it wrote`() {
    #expect(ClusterRecord(text: record.text) == record)
  }

  @Test func `a part of a record is none`() {
    #expect(ClusterRecord(text: String(record.text.prefix(60))) == nil)
    #expect(ClusterRecord(text: "") == nil)
    #expect(ClusterRecord(text: "not a record\n") == nil)
  }
}
