import Diagnostics
import ProjectFile
import Support
import Testing

struct ProjectTests {
  private func load(
    _ files: [String: String], from folder: String = "", environment: [String: String] = [:]
  ) throws -> (project: Project, root: String) {
    let scratch = try ScratchFolder()
    // A name that ends in a slash is a folder without files that matter.
    for (name, text) in files { try scratch.write(name.hasSuffix("/") ? "\(name).keep" : name, text) }
    let project = try Project.load(
      from: folder.isEmpty ? scratch.path : "\(scratch.path)/\(folder)", environment: environment)
    return (project, scratch.path)
  }

  private func refusal(
    _ files: [String: String], environment: [String: String] = [:],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> String {
    do {
      _ = try load(files, environment: environment)
      Issue.record("nothing was refused", sourceLocation: sourceLocation)
      return ""
    } catch let error as any Diagnosable {
      return error.diagnostics.map { $0.rendered() }.joined(separator: "\n")
    }
  }

  // MARK: - Folders

  @Test(arguments: [
    (["nomdev.toml", "db/migrations/"], "db", ""),
    (["supabase/config.toml", "supabase/migrations/"], "supabase/migrations", ""),
    (["supabase/config.toml"], "supabase", ""),
    (["supabase/migrations/"], "supabase", ""),
    (["migrations/"], "migrations", ""),
    (["a/migrations/", "migrations/"], "a", "a"),
    (["src/deep/er/", "migrations/"], "src/deep/er", ""),
  ])
  func `finds the project from any folder inside`(files: [String], start: String, root: String) throws {
    let (project, top) = try load(.init(uniqueKeysWithValues: files.map { ($0, "") }), from: start)

    #expect(project.root == (root.isEmpty ? top : "\(top)/\(root)"))
  }

  @Test func `says what makes a project where there is none`() throws {
    #expect(try refusal([:]).hasPrefix("error[project.not-found]: no project found in /"))
  }

  @Test func `a folder of migrations is enough`() throws {
    let (project, root) = try load([
      "migrations/1_a.sql": "", "seeds/b.sql": "", "seeds/a.sql": "", "seeds/x.txt": "",
    ])

    #expect(project.migrations == "\(root)/migrations")
    #expect(project.seeds.files == ["\(root)/seeds/a.sql", "\(root)/seeds/b.sql"])
    #expect(project.checks == "\(root)/checks")
    #expect(project.settings == ProjectSettings())
    #expect(project.settings.ports.database == 54322)
    #expect(project.settings.api.grants == .explicit)
    #expect(project.warnings.isEmpty)
  }

  @Test func `a Supabase project needs no file of its own`() throws {
    let (project, root) = try load(
      [
        "supabase/migrations/1_a.sql": "", "supabase/seed.sql": "", "supabase/roles.sql": "",
        "supabase/config.toml": """
        project_id = "shop"
        [api]
        port = 55321
        schemas = ["public", "shop"]
        max_rows = 50
        auto_expose_new_tables = true
        [db]
        port = 55322
        major_version = 17
        [db.vault]
        mail_key = "env(MAIL_KEY)"
        [local_smtp]
        port = 55324
        [storage]
        file_size_limit = "5MiB"
        [storage.buckets.photos]
        public = true
        file_size_limit = "1.5MB"
        allowed_mime_types = ["image/png"]
        [auth]
        jwt_expiry = 60
        [auth.email]
        max_frequency = "1m30s"
        enable_confirmations = true
        [auth.external.apple]
        secret = "env(NOT_SET)"
        """,
      ], environment: ["MAIL_KEY": "secret"])

    #expect(project.name == "shop")
    #expect(project.migrations == "\(root)/supabase/migrations")
    #expect(project.seeds.files == ["\(root)/supabase/seed.sql"])
    #expect(project.roles == "\(root)/supabase/roles.sql")
    #expect(
      project.settings.ports
        == {
          var p = ProjectSettings.Ports(); p.api = 55321; p.database = 55322; p.mail = 55324; return p
        }())
    #expect(project.settings.api.schemas == ["public", "shop"])
    #expect(project.settings.api.maxRows == 50)
    #expect(project.settings.api.grants == .legacy)
    #expect(project.settings.database.vault == ["mail_key": "secret"])
    #expect(project.settings.storage.fileSizeLimit == 5 << 20)
    let bucket = try #require(project.settings.storage.buckets.first)
    #expect(
      [bucket.name, "\(bucket.isPublic)", "\(bucket.fileSizeLimit ?? 0)"] == ["photos", "true", "1572864"])
    #expect(project.settings.auth.jwtLifetime == .seconds(60))
    #expect(project.settings.auth.email.maximumFrequency == .seconds(90))
    #expect(project.settings.auth.email.needsConfirmation)
    #expect(project.warnings.isEmpty)
  }

  @Test func `nomdev's own file wins over Supabase's`() throws {
    let (project, root) = try load(
      [
        "supabase/config.toml": "[db]\nport = 1000\n[api]\nport = 2000\n", "db/": "", "data/9.sql": "",
        "nomdev.toml": """
        [project]
        migrations = "db"
        seeds = "./data"
        checks = "rules"
        grants = "legacy"
        state_rows = ["public.tags"]
        [ports]
        database = 3000
        [trust]
        system_identifiers = ["7512345678901234567"]
        [target.prod]
        kind = "hosted"
        api_url = "https://ref.example.com"
        key = "env:KEY"
        db_url = "env:DB"
        """,
      ], environment: ["KEY": "k"])

    #expect(project.migrations == "\(root)/db")
    #expect(project.seeds.files == ["\(root)/data/9.sql"])
    #expect(project.checks == "\(root)/rules")
    #expect(project.settings.ports.database == 3000)
    #expect(project.settings.ports.api == 2000)
    #expect(project.settings.api.grants == .legacy)
    #expect(project.stateRows == ["public.tags"])
    #expect(project.trustedSystemIdentifiers == ["7512345678901234567"])
    let target = try #require(project.targets.first)
    #expect(target.kind == .hosted)
    #expect(
      [target.name, target.apiURL, target.key, target.databaseURL] == [
        "prod", "https://ref.example.com", "k", nil,
      ])
    #expect(target.unset.map(\.message) == ["the environment variable DB is not set"])
  }

  // MARK: - Seeds

  @Test func `seed patterns keep their order, each sorted, none twice`() throws {
    let (project, root) = try load([
      "supabase/config.toml":
        "[db.seed]\nsql_paths = ['./seeds/b*.sql', 'seeds/*.sql', '../more.sql', 'none/*.sql']\n",
      "supabase/seeds/a.sql": "", "supabase/seeds/b2.sql": "", "supabase/seeds/b1.sql": "", "more.sql": "",
    ])

    #expect(
      project.seeds.files
        == ["supabase/seeds/b1.sql", "supabase/seeds/b2.sql", "supabase/seeds/a.sql", "more.sql"].map {
          "\(root)/\($0)"
        })
    #expect(project.seeds.warnings.map(\.message) == ["no seed file matches \"none/*.sql\""])
  }

  @Test func `seeding can be switched off, and a missing default is no news`() throws {
    let (project, _) = try load(["supabase/config.toml": "[db.seed]\nenabled = false\n"])

    #expect(!project.seeds.isEnabled)
    #expect(
      project.seeds
        == {
          var seeds = Project.Seeds(); seeds.isEnabled = false; return seeds
        }())
  }

  // MARK: - Environment

  @Test func `variables replace keys and stand in for texts`() throws {
    let (project, _) = try load(
      [
        "supabase/config.toml":
          "[api]\nport = 1\n[db]\nport = 'env(DB_PORT)'\n[auth]\nsite_url = 'env(MISSING)'\n"
      ],
      environment: [
        "SUPABASE_API_PORT": "7000", "DB_PORT": "7001", "SUPABASE_AUTH_EMAIL_ENABLE_CONFIRMATIONS": "true",
        "SUPABASE_API_SCHEMAS": "public,shop", "SUPABASE_DB_URL": "x", "SUPABASE_AUTH": "x",
      ])

    #expect(project.settings.ports.api == 7000)
    #expect(project.settings.ports.database == 7001)
    #expect(project.settings.auth.email.needsConfirmation)
    #expect(project.settings.api.schemas == ["public", "shop"])
    #expect(project.settings.auth.siteURL == ProjectSettings().auth.siteURL)
    #expect(project.warnings.map(\.message) == ["the environment variable MISSING is not set"])
    #expect(project.warnings.first?.location?.line == 6)
  }

  @Test func `a value from the environment is never quoted`() throws {
    let text = try refusal(
      ["supabase/config.toml": "[api]\nport = 'env(PORT)'\n"], environment: ["PORT": "hunter2"])

    #expect(text.contains("expected a whole number in the environment variable PORT"))
    #expect(!text.contains("hunter2"))
  }

  @Test func `env files complete the environment in order`() throws {
    let files = [
      "supabase/config.toml": "", "supabase/.env": "A=supabase\n",
      ".env.development.local": "B=local\nA=no\n",
      ".env.local": "B=no\nC=c\n", ".env": "D=d\nSET=no\nE=e\n", ".env.staging": "E=staging\n",
    ]

    let (project, _) = try load(files, environment: ["SET": "yes"])
    #expect(
      project.environment == ["SET": "yes", "A": "supabase", "B": "local", "C": "c", "D": "d", "E": "e"])
    let (staged, _) = try load(files, environment: ["SUPABASE_ENV": "staging"])
    #expect(staged.environment["E"] == "staging")
    #expect(staged.environment["B"] == "no")
  }

  @Test func `env files know comments, quotes and references`() throws {
    let (project, _) = try load([
      "migrations/": "",
      ".env": """
      # comment
      export A = one # comment
      B="two # kept"  # comment
      C='$A'
      D="${A}-$B"
      E=p#ss$$
      F="line\\nnext \\$A"
      not a line
      G=
      """,
    ])

    #expect(
      project.environment == [
        "A": "one", "B": "two # kept", "C": "$A", "D": "one-two # kept", "E": "p#ss$$", "F": "line\nnext $A",
        "G": "",
      ])
  }

  // MARK: - Problems

  @Test func `an unknown key warns in Supabase's file and stops in nomdev's`() throws {
    let (project, _) = try load(["supabase/config.toml": "[api]\nprot = 1\n[shiny]\nx = 1\n"])

    #expect(project.warnings.map(\.message) == ["unknown key `prot` in [api]", "unknown key `shiny`"])
    #expect(
      try refusal(["nomdev.toml": "[project]\nmigratons = 'db'\n"]) == """
        error[document.unknown-key]: unknown key `migratons` in [project]
          --> nomdev.toml:2:1
         2 | migratons = 'db'
           | ^^^^^^^^^
        hint: perhaps you meant `migrations`
        """)
  }

  @Test(arguments: [
    ("nomdev.toml", "[project]\nmigrations = 'nowhere'\n", "there is no folder nowhere", "2:14"),
    ("nomdev.toml", "[trust]\nsystem_identifiers = [1]\n", "expected a text", "2:23"),
    ("nomdev.toml", "[trust]\nsystem_identifiers = ['007']\n", "not a system identifier", "2:23"),
    ("nomdev.toml", "[target.a]\napi_url = 'x'\n", "[target.a] needs the key `kind`", "1:1"),
    ("nomdev.toml", "[target.a]\nkind = 'hostd'\n", "\"hostd\" is not one of the choices", "2:8"),
    ("nomdev.toml", "[project\n", "error[toml.syntax]", "1:9"),
    ("supabase/config.toml", "[api]\nport = 0\n", "0 is out of range", "2:8"),
    ("supabase/config.toml", "[storage]\nfile_size_limit = 'lots'\n", "not a size", "2:19"),
    ("supabase/config.toml", "[auth.sessions]\ntimebox = '1 fortnight'\n", "not a time span", "2:11"),
    ("supabase/config.toml", "api = 3\n", "expected a table", "1:7"),
  ])
  func `points at what is wrong`(file: String, text: String, message: String, place: String) throws {
    let shown = try refusal([file: text])

    #expect(shown.contains(message))
    #expect(shown.contains("--> \(file):\(place)"))
  }

  @Test func `tells the problems of both files at once`() throws {
    let text = try refusal(["nomdev.toml": "x = 1\ny = 2\n", "supabase/config.toml": "[db]\nport = 'x'\n"])

    #expect(text.components(of: "error[") == 3)
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
