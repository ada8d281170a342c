import Diagnostics
import Documents

extension Project {
  /// Reads `supabase/config.toml`, if there is one. A key it doesn't know is a warning: the file belongs to
  /// another tool, whose newer versions know more.
  mutating func readSupabaseConfig(in folder: Folder) throws {
    guard let file = try folder.read("supabase/config.toml") else { return }
    let substitution = Substitution(environment: environment)
    let root = TableReader(try Node(toml: file)) { substitution($0, $1, $2) }
    name = root.string("project_id") ?? name
    settings.api.read(root.table("api"), port: &settings.ports.api)
    settings.database.read(root.table("db"), port: &settings.ports.database, seed: &settings.seed)
    // Newer templates call it [local_smtp]; both may be there while a team moves over.
    for name in ["inbucket", "local_smtp"] {
      let mail = root.table(name)
      mail.assign(&settings.ports.mail, "port", in: Self.port)
      mail.ignore("enabled", "smtp_port", "pop3_port", "admin_email", "sender_name")
    }
    settings.storage.read(root.table("storage"))
    settings.auth.read(root.table("auth"))
    root.ignore(
      "realtime", "studio", "edge_runtime", "functions", "analytics", "experimental", "remotes", "workdir")
    warnings += try root.finish(unknownKeys: .warning)
  }

  static let port = 1...65535
}

extension TableReader {
  /// Puts a key's value in the place of the default, where it is given.
  func assign(_ value: inout Int, _ key: String, in range: ClosedRange<Int> = 0...Int.max) {
    value = int(key, in: range) ?? value
  }
  func assign(_ value: inout Bool, _ key: String) { value = bool(key) ?? value }
  func assign(_ value: inout String, _ key: String) { value = string(key) ?? value }
  func assign(_ value: inout [String], _ key: String) { value = strings(key) ?? value }
  func assign(_ value: inout Duration, _ key: String) { value = read(key) { try $0.duration() } ?? value }

  /// Names and texts the user chose, numbers and truth values as text.
  func texts(_ key: String) -> [String: String] {
    var texts: [String: String] = [:]
    for member in namedValues(key) {
      switch member.node.value {
      case .int(let number): texts[member.key] = String(number)
      case .float(let number): texts[member.key] = String(number)
      case .bool(let flag): texts[member.key] = String(flag)
      default: texts[member.key] = record { try member.node.string() }
      }
    }
    return texts
  }
}

extension ProjectSettings.API {
  fileprivate mutating func read(_ table: TableReader, port: inout Int) {
    table.assign(&isEnabled, "enabled")
    table.assign(&port, "port", in: Project.port)
    table.assign(&schemas, "schemas")
    table.assign(&extraSearchPath, "extra_search_path")
    table.assign(&maxRows, "max_rows")
    if let exposes = table.bool("auto_expose_new_tables") { grants = exposes ? .legacy : .explicit }
    table.ignore("tls", "external_url")
  }
}

extension ProjectSettings.Database {
  fileprivate mutating func read(
    _ table: TableReader, port: inout Int, seed: inout ProjectSettings.Seed
  ) {
    table.assign(&port, "port", in: Project.port)
    table.assign(&majorVersion, "major_version", in: 13...99)
    vault = table.texts("vault")
    settings = table.texts("settings")
    let seedTable = table.table("seed")
    seedTable.assign(&seed.isEnabled, "enabled")
    seed.paths = seedTable.strings("sql_paths")
    table.ignore(
      "shadow_port", "health_timeout", "pooler", "migrations", "network_restrictions", "ssl_enforcement",
      "root_key")
  }
}

extension ProjectSettings.Storage {
  fileprivate mutating func read(_ table: TableReader) {
    table.assign(&isEnabled, "enabled")
    fileSizeLimit = table.read("file_size_limit") { try $0.bytes() } ?? fileSizeLimit
    for (name, section) in table.namedTables("buckets") {
      var bucket = Bucket(name: name)
      section.assign(&bucket.isPublic, "public")
      bucket.fileSizeLimit = section.read("file_size_limit") { try $0.bytes() }
      section.assign(&bucket.allowedMIMETypes, "allowed_mime_types")
      bucket.objectsPath = section.string("objects_path")
      buckets.append(bucket)
    }
    table.ignore("image_transformation", "s3_protocol", "analytics", "vector")
  }
}

extension ProjectSettings.Auth {
  fileprivate mutating func read(_ table: TableReader) {
    table.assign(&isEnabled, "enabled")
    table.assign(&siteURL, "site_url")
    table.assign(&additionalRedirectURLs, "additional_redirect_urls")
    table.assign(&jwtSecret, "jwt_secret")
    jwtIssuer = table.string("jwt_issuer")
    jwtLifetime = table.int("jwt_expiry", in: 1...604_800).map { .seconds($0) } ?? jwtLifetime
    signingKeysPath = table.string("signing_keys_path")
    table.assign(&rotatesRefreshTokens, "enable_refresh_token_rotation")
    table.assign(&refreshTokenReuseInterval, "refresh_token_reuse_interval")
    table.assign(&allowsSignup, "enable_signup")
    table.assign(&allowsAnonymousSignIns, "enable_anonymous_sign_ins")
    table.assign(&allowsManualLinking, "enable_manual_linking")
    table.assign(&minimumPasswordLength, "minimum_password_length")
    table.assign(&passwordRequirements, "password_requirements")
    let sessions = table.table("sessions")
    sessionTimebox = sessions.read("timebox") { try $0.duration() }
    sessionInactivityTimeout = sessions.read("inactivity_timeout") { try $0.duration() }
    email.read(table.table("email"))
    table.ignore(
      "rate_limit", "captcha", "sms", "mfa", "hook", "external", "third_party", "web3", "oauth_server",
      "passkey", "webauthn", "publishable_key", "secret_key", "anon_key", "service_role_key")
  }
}

extension ProjectSettings.Auth.Email {
  fileprivate mutating func read(_ table: TableReader) {
    table.assign(&isEnabled, "enable_signup")
    table.assign(&doubleConfirmsChanges, "double_confirm_changes")
    table.assign(&needsConfirmation, "enable_confirmations")
    table.assign(&securePasswordChange, "secure_password_change")
    table.assign(&maximumFrequency, "max_frequency")
    table.assign(&codeLength, "otp_length", in: 6...10)
    table.assign(&codeLifetime, "otp_expiry")
    table.ignore("smtp", "template", "notification")
  }
}
