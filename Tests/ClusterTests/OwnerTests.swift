import Cluster
import Processes
import Support
import Testing

/// Starts the program that owns a cluster, and kills it when the test ends.
final class Owner {
  let process: ChildProcess

  init(_ arguments: [String], output: Launch.Stream = .none) throws {
    var launch = Launch(builtProgram("ClusterOwner"), arguments)
    launch.output = output
    process = try ChildProcess(launch)
  }

  deinit { kill() }

  func kill() {
    process.send(signal: 9)
    process.wait()
  }
}

@Suite struct OwnerTests {
  @Test(.enabled(if: isLinux, "the death signal is Linux's"))
  func `a server does not outlive an owner that was killed, and the next start sweeps up`() throws {
    let folder = try ScratchFolder()
    let owner = try Owner(["ephemeral", "\(folder.path)/record"])
    let record = try waitForRecord("\(folder.path)/record")
    #expect(record.server.isAlive)

    owner.kill()

    #expect(record.server.waitUntilGone(within: .seconds(10)))
    #expect(Files.exists(record.dataFolder))
    let next = try RunningCluster.ephemeral()
    #expect(!Files.exists(record.dataFolder))
    #expect(!ClusterRegistry.running().contains(record))
    withExtendedLifetime(next) {}
  }

  @Test func `Ctrl-C ends the owner with 130 and leaves nothing`() throws {
    let folder = try ScratchFolder()
    let owner = try Owner(["ephemeral", "\(folder.path)/record"])
    let record = try waitForRecord("\(folder.path)/record")

    owner.process.send(signal: 2)

    #expect(owner.process.wait() == .exited(130))
    #expect(!record.server.isAlive)
    #expect(!Files.exists(record.dataFolder))
  }

  private func waitForRecord(_ path: String) throws -> ClusterRecord {
    for _ in 0..<5000 {
      if let record = (try? Files.read(path)).flatMap({ ClusterRecord(text: $0) }) { return record }
      pause(.milliseconds(2))
    }
    Issue.record("the owner did not start its cluster")
    throw SystemError("waiting for \(path)", number: 110)
  }
}

#if os(Linux)
  private let isLinux = true
#else
  private let isLinux = false
#endif
