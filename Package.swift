// swift-tools-version: 6.2
// The dependency graph on one screen. Arrows go down only:
// nomdev -> Features -> LocalStack -> Foundations. Built with
// `--explicit-target-dependency-import-check error`, which makes this file the architecture test.
import PackageDescription

// MARK: - Foundations: what it stands on, useful without nomdev

let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CLibPQ", path: "Sources/Foundations/CLibPQ", pkgConfig: "libpq",
    providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
  .systemLibrary(
    name: "CPgQuery", path: "Sources/Foundations/CPgQuery",
    providers: [.apt(["libpg-query-dev"]), .brew(["libpg_query"])]),
  .systemLibrary(
    name: "CYAML", path: "Sources/Foundations/CYAML", pkgConfig: "yaml-0.1",
    providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
  .systemLibrary(
    name: "CCrypto", path: "Sources/Foundations/CCrypto", pkgConfig: "libcrypto",
    providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
  .systemLibrary(
    name: "CMicrohttpd", path: "Sources/Foundations/CMicrohttpd", pkgConfig: "libmicrohttpd",
    providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
  .systemLibrary(
    name: "CCrypt", path: "Sources/Foundations/CCrypt", pkgConfig: "libcrypt",
    providers: [.apt(["libcrypt-dev"]), .brew(["libxcrypt"])]),
]

let foundations: [Target] = [
  .target(name: "CTOML", path: "Sources/Foundations/CTOML"),
  .target(name: "CProcess", path: "Sources/Foundations/CProcess"),
  .target(name: "JSONValues", path: "Sources/Foundations/JSONValues"),
  .target(
    name: "Diagnostics", dependencies: ["JSONValues"], path: "Sources/Foundations/Diagnostics"),
  .target(name: "Arguments", dependencies: ["Diagnostics"], path: "Sources/Foundations/Arguments"),
  .target(
    name: "Documents", dependencies: ["CTOML", "CYAML", "Diagnostics", "JSONValues"],
    path: "Sources/Foundations/Documents"),
  .target(name: "Postgres", dependencies: ["CLibPQ", "Diagnostics"], path: "Sources/Foundations/Postgres"),
  .target(name: "CCatalogSQL", path: "Sources/Foundations/CCatalogSQL", exclude: ["queries"]),
  .target(
    name: "Catalog", dependencies: ["CCatalogSQL", "Diagnostics", "Postgres"],
    path: "Sources/Foundations/Catalog"),
  .target(
    name: "CatalogChanges", dependencies: ["Catalog", "Diagnostics", "JSONValues", "Postgres", "SQLSyntax"],
    path: "Sources/Foundations/CatalogChanges"),
  .target(
    name: "SQLSyntax", dependencies: ["CPgQuery", "Diagnostics", "JSONValues"],
    path: "Sources/Foundations/SQLSyntax"),
  .target(
    name: "Scripts", dependencies: ["Diagnostics", "Postgres", "SQLSyntax"],
    path: "Sources/Foundations/Scripts"),
  .target(
    name: "Processes", dependencies: ["CProcess", "Diagnostics"],
    path: "Sources/Foundations/Processes"),
  .target(
    name: "CHTTPServer", dependencies: ["CMicrohttpd"], path: "Sources/Foundations/CHTTPServer"),
  .target(
    name: "Tokens", dependencies: ["CCrypt", "CCrypto", "JSONValues"], path: "Sources/Foundations/Tokens"),
  .target(
    name: "ProjectFile", dependencies: ["Diagnostics", "Documents", "JSONValues"],
    path: "Sources/Foundations/ProjectFile"),
  .target(
    name: "Targets", dependencies: ["CLibPQ", "Diagnostics", "Postgres", "Processes", "ProjectFile"],
    path: "Sources/Foundations/Targets"),
]

// MARK: - LocalStack: the embedded default

let localStack: [Target] = [
  .target(
    name: "CPlatformSQL", path: "Sources/LocalStack/CPlatformSQL",
    // Embedded by the C files; SwiftPM has no business with them.
    exclude: ["extensions", "sql"]),
  .target(name: "Platform", dependencies: ["CPlatformSQL", "Tokens"], path: "Sources/LocalStack/Platform"),
  .target(
    name: "Cluster", dependencies: ["Diagnostics", "Platform", "Postgres", "Processes", "Tokens"],
    path: "Sources/LocalStack/Cluster"),
  .target(
    name: "Gateway", dependencies: ["CHTTPServer", "CMicrohttpd", "Diagnostics", "JSONValues", "Tokens"],
    path: "Sources/LocalStack/Gateway"),
  .target(
    name: "REST", dependencies: ["Diagnostics", "Gateway", "JSONValues", "Postgres", "Tokens"],
    path: "Sources/LocalStack/REST"),
  .target(
    name: "Stack",
    dependencies: [
      "Cluster", "Diagnostics", "JSONValues", "Platform", "Postgres", "Processes", "ProjectFile",
    ],
    path: "Sources/LocalStack/Stack"),
]

// MARK: - Features: what the tool does; values in, values out

let features: [Target] = [
  .target(
    name: "Migrations",
    dependencies: ["Diagnostics", "JSONValues", "Platform", "Postgres", "SQLSyntax", "Scripts", "Tokens"],
    path: "Sources/Features/Migrations"),
  .target(
    name: "Lint", dependencies: ["Diagnostics", "JSONValues", "SQLSyntax"], path: "Sources/Features/Lint"),
  .target(
    name: "SchemaState", dependencies: ["Catalog", "CatalogChanges", "Diagnostics", "JSONValues"],
    path: "Sources/Features/SchemaState"),
  .target(
    name: "Squash", dependencies: ["Catalog", "CatalogChanges", "Diagnostics", "SQLSyntax"],
    path: "Sources/Features/Squash"),
  .target(
    name: "Seeding", dependencies: ["Diagnostics", "Postgres", "SQLSyntax", "Scripts", "Targets"],
    path: "Sources/Features/Seeding"),
]

// MARK: - The command

let command: [Target] = [
  .executableTarget(
    name: "nomdev",
    dependencies: [
      "Arguments", "Catalog", "CatalogChanges", "Cluster", "Diagnostics", "Documents", "Gateway",
      "JSONValues",
      "Lint", "Migrations", "Platform", "Postgres", "Processes", "ProjectFile", "REST", "SQLSyntax",
      "SchemaState",
      "Scripts", "Seeding", "Squash", "Stack", "Targets", "Tokens",
    ])
]

// MARK: - Tests mirror Sources

func tests(of name: String, with dependencies: [String], besides data: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: ([name] + dependencies).map { .byName(name: $0) }, path: "Tests/\(name)Tests",
    exclude: data)
}

let allTests: [Target] = [
  .target(
    name: "Support", dependencies: ["Cluster", "Diagnostics", "Platform", "Postgres", "Processes"],
    path: "Tests/Support"),
  tests(of: "JSONValues", with: []),
  // A process that tests kill: it owns a cluster, as nomdev does.
  .executableTarget(
    name: "ClusterOwner", dependencies: ["Cluster", "Processes", "Stack"], path: "Tests/ClusterOwner"),
  tests(of: "Diagnostics", with: ["JSONValues"]),
  tests(of: "Arguments", with: ["Diagnostics"]),
  tests(of: "Documents", with: ["Diagnostics", "JSONValues"]),
  tests(of: "SQLSyntax", with: ["Diagnostics", "JSONValues"]),
  tests(of: "Processes", with: ["Diagnostics", "Support"]),
  tests(of: "Tokens", with: ["JSONValues"]),
  tests(of: "Gateway", with: ["JSONValues", "Support", "Tokens"]),
  tests(of: "REST", with: ["Gateway", "JSONValues", "Postgres", "SQLSyntax", "Support", "Tokens"]),
  tests(of: "ProjectFile", with: ["Diagnostics", "Support"]),
  tests(of: "Postgres", with: ["Diagnostics", "Support"]),
  tests(of: "Targets", with: ["Cluster", "Diagnostics", "Postgres", "Processes", "ProjectFile", "Support"]),
  tests(of: "Platform", with: ["CPlatformSQL", "Postgres", "Support"]),
  tests(of: "Cluster", with: ["ClusterOwner", "Diagnostics", "Postgres", "Processes", "Support"]),
  tests(
    of: "Stack",
    with: ["ClusterOwner", "Cluster", "Diagnostics", "Platform", "Postgres", "Processes", "Support"]),
  tests(
    of: "Migrations", with: ["Cluster", "Diagnostics", "Postgres", "SQLSyntax", "Scripts", "Support"],
    besides: ["Cases"]
  ),
  tests(of: "CatalogChanges", with: ["Catalog", "Postgres", "Support"]),
  tests(of: "SchemaState", with: ["Catalog", "CatalogChanges", "Diagnostics", "Postgres", "Support"]),
  tests(of: "Scripts", with: ["Diagnostics", "Postgres", "SQLSyntax"]),
  tests(of: "Lint", with: ["Diagnostics", "SQLSyntax"]),
  tests(of: "Seeding", with: ["Diagnostics", "Postgres", "Support", "Targets", "Tokens"]),
  .testTarget(
    name: "ClientTests",
    dependencies: ["Gateway", "JSONValues", "Postgres", "Processes", "REST", "Support", "Tokens"],
    path: "Tests/ClientTests", exclude: ["Scripts"]),
  .testTarget(
    name: "CommandTests",
    dependencies: [
      "Cluster", "Diagnostics", "JSONValues", "Platform", "Postgres", "Processes", "SQLSyntax", "Stack",
      "Support",
    ],
    path: "Tests/CommandTests", exclude: ["Fixtures"]),
]

let package = Package(
  name: "nomdev",
  // Duration, Mutex and String(validating:) need it.
  platforms: [.macOS(.v15)],
  products: [.executable(name: "nomdev", targets: ["nomdev"])],
  targets: systemLibraries + foundations + localStack + features + command + allTests,
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17,
  cxxLanguageStandard: .cxx17)
