import Cluster
import Processes
import Support
import Testing

@Suite struct TemplateClusterTests {
  // Small on purpose: what is tried here is how templates come to be, not what is in them.
  private let content = TemplateContent(
    scripts: [.init(name: "one.sql", sql: "create role postgres login superuser; create table made ()")],
    extensionFiles: [
      ("ghost.control", "comment = 'nomdev stand-in: a ghost'\ndefault_version = '1.0'\n"),
      ("ghost--1.0.sql", "create function boo() returns text language sql as $$ select 'boo' $$;"),
      ("plpgsql.control", "comment = 'not the real one'\n"),
    ],
    trustedExtensions: ["ghost", "pgcrypto"], digest: "test")

  private func options(_ cache: ScratchFolder, _ content: TemplateContent) -> RunningCluster.EphemeralOptions
  {
    .init(content: content, cache: "\(cache.path)/cache")
  }

  @Test func `makes a template once, with its stand-ins, and uses it again`() throws {
    let cache = try ScratchFolder(isOpen: true, inMemory: true)

    let first = try RunningCluster.ephemeral(options(cache, content))
    let second = try RunningCluster.ephemeral(options(cache, content))

    #expect(first.record.template == second.record.template)
    let templates = Files.names(in: "\(cache.path)/cache").filter { $0 != "lock" }
    #expect(templates.count == 1)
    let db = try second.connect()
    #expect(try db.value("select to_regclass('made')") == "made")
    try db.run("create extension ghost")
    #expect(try db.value("select boo()") == "boo")
    #expect(
      try db.value("select comment from pg_available_extensions where name = 'plpgsql'")
        == "PL/pgSQL procedural language")
    let trusted = try db.rows(
      """
      select name from pg_available_extension_versions
      where trusted and name in ('ghost', 'pgcrypto', 'file_fdw') group by 1 order by 1
      """)
    #expect(trusted.map { $0[0] } == ["ghost", "pgcrypto"])
  }

  @Test func `a script that is refused is named, and leaves no template`() throws {
    let cache = try ScratchFolder(isOpen: true, inMemory: true)
    let content = TemplateContent(
      scripts: [.init(name: "broken.sql", sql: "create tabel oops ()")], digest: "broken")

    let error = #expect(throws: ClusterError.self) { try RunningCluster.ephemeral(options(cache, content)) }

    #expect(error?.diagnostics.first?.code == "cluster.platform")
    #expect(error?.diagnostics.first?.message.contains("broken.sql") == true)
    #expect(Files.names(in: "\(cache.path)/cache") == ["lock"])
  }

  @Test func `two processes make one template, and one that was killed leaves no half of it`() throws {
    let cache = try ScratchFolder(isOpen: true, inMemory: true)
    let folder = "\(cache.path)/cache"
    let killed = try Owner(["template", folder])
    // In the middle: the draft is there, initdb runs.
    for _ in 0..<2000 where !Files.names(in: folder).contains(where: { $0.hasPrefix("draft-") }) {
      pause(.milliseconds(1))
    }
    pause(.milliseconds(200))
    killed.kill()
    #expect(!Files.names(in: folder).contains { $0.hasPrefix("template-") })

    let both = try ["a", "b"].map { try Owner(["template", folder], output: .file("\(cache.path)/\($0)")) }
    #expect(both.allSatisfy { $0.process.wait() == .exited(0) })

    #expect(try cache.read("a") == cache.read("b"))
    #expect(Files.names(in: folder).count == 2)
  }
}

@Suite struct ServerInstallationTests {
  @Test func `a folder without a server is refused when it was named`() throws {
    let folder = try ScratchFolder()

    let error = #expect(throws: ClusterError.self) {
      try ServerInstallation.find(environment: ["NOMDEV_PG_BIN": folder.path])
    }

    #expect(error?.diagnostics.first?.code == "cluster.not_found")
  }

  @Test func `without any server the error says where it looked and how to get one`() throws {
    let folder = try ScratchFolder()

    let error = #expect(throws: ClusterError.self) {
      try ServerInstallation.find(
        environment: ["PATH": folder.path], roots: [.init(folder: "\(folder.path)/versions")])
    }

    #expect(error?.diagnostics.first?.detail?.contains("\(folder.path)/versions/*/bin") == true)
    #expect(error?.diagnostics.first?.hint?.contains("install") == true)
  }

  @Test func `takes the newest supported version, not the newest`() throws {
    let folder = try ScratchFolder()
    for version in [14, 15, 17, 99] {
      for program in ["postgres", "initdb"] {
        Files.makeExecutable(try folder.write("\(version)/bin/\(program)", ""))
      }
    }

    let found = try ServerInstallation.find(environment: [:], roots: [.init(folder: folder.path)])

    #expect(found.programs == "\(folder.path)/17/bin")
  }
}

extension Files {
  fileprivate static func makeExecutable(_ path: String) { try? setMode(path, 0o755) }
}
