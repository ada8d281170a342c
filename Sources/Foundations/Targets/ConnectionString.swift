import CLibPQ
import Postgres
import Processes

/// A connection string as libpq itself reads it, completed from the environment as libpq would.
///
/// Nothing here compares substrings: what a URI's user part, a `?host=`, a percent sign or a quote means is
/// libpq's business, and so what is checked is what would be connected to.
package struct ConnectionString: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// The values by libpq's keyword. A keyword that is missing was given nowhere.
  package private(set) var values: [String: String] = [:]
  /// The environment variable a value came from, by keyword.
  private(set) var variables: [String: String] = [:]
  /// Every keyword that libpq would fill from the environment: the variable, and libpq's own default.
  private var defaults: [String: (variable: String, value: String)] = [:]

  /// - Parameters:
  ///   - text: A URI or `key=value` pairs. Empty is all defaults.
  ///   - environment: The process's own, `PGHOST` and its kin.
  /// - Throws: ``TargetError/unreadable(_:)``. No part of a password is in it.
  package init(_ text: String, environment: [String: String]) throws {
    // The C library would stop at it and connect to something else than what is shown.
    guard !text.unicodeScalars.contains("\0") else {
      throw TargetError.unreadable("it holds a NUL character")
    }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      defer { PQfreemem(message) }
      throw TargetError.unreadable(Self.harmless(message.map { String(cString: $0) } ?? "out of memory"))
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword.map({ String(cString: $0) }) {
      read(keyword, option.pointee, environment)
      option += 1
    }
  }

  private mutating func read(
    _ keyword: String, _ option: PQconninfoOption, _ environment: [String: String]
  ) {
    let variable = option.envvar.map { String(cString: $0) }
    if let value = option.val {
      values[keyword] = String(cString: value)
    } else if let variable, let value = environment[variable] {
      values[keyword] = value
      variables[keyword] = variable
    }
    if let variable { defaults[keyword] = (variable, option.compiled.map { String(cString: $0) } ?? "") }
  }

  /// The value of a keyword; empty where it was given nowhere, as libpq treats both alike.
  subscript(keyword: String) -> String { values[keyword] ?? "" }

  /// Whom the session is for: libpq's own default is the user of the process.
  var user: String { self["user"].isEmpty ? SystemUser.current?.name ?? "" : self["user"] }
  /// libpq's own default is a database with the user's name.
  var database: String { self["dbname"].isEmpty ? user : self["dbname"] }
  var port: String { self["port"].isEmpty ? defaults["port"]?.value ?? "5432" : self["port"] }

  /// A connection string that says everything, so that libpq takes nothing from the environment of the
  /// process: each keyword it would look up there is written, empty where it has no value.
  ///
  /// The two exceptions are safe: libpq takes an empty `service` for a name, so it is left out and
  /// `PGSERVICE` is refused before; and `replication` would change what the session speaks.
  func complete(_ overrides: [String: String]) -> String {
    var all = values.merging(["user": user, "dbname": database]) { $1 }
    all.merge(overrides) { $1 }
    for (keyword, standard) in defaults where (all[keyword] ?? "").isEmpty {
      // An empty value is written only against a variable that is there: newer versions of libpq have
      // keywords that don't take one.
      let isSet = ProcessEnvironment.value(standard.variable) != nil
      all[keyword] = standard.value.isEmpty && !isSet ? nil : standard.value
    }
    if all["connect_timeout"] == "" { all["connect_timeout"] = "0" }
    all["service"] = nil
    all["replication"] = nil
    return Connection.conninfo(all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// libpq quotes what it couldn't read, and that may be a password with a sign it trips over. Only its own
  /// words, and names that can be nothing but keywords, are repeated.
  private static func harmless(_ message: String) -> String {
    let line = message.split(whereSeparator: \.isNewline).first.map(String.init) ?? message
    let names = ["invalid connection option \"", "invalid URI query parameter: \""]
    if names.contains(where: line.hasPrefix), line.utf8.filter({ $0 == UInt8(ascii: "\"") }).count == 2,
      let name = line.split(separator: "\"").last,
      name.utf8.allSatisfy({ (97...122).contains($0) || $0 == 95 })
    {
      return line
    }
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return line }
    return "\(parts[0])\"…\""
  }
}

// MARK: - Showing

extension ConnectionString {
  /// Where it leads, as a URI without any secret.
  package var description: String {
    let host = self["host"].isEmpty ? self["hostaddr"] : self["host"]
    let name = Self.encoded(database)
    if host.hasPrefix("/") || host.isEmpty {
      let place = host.isEmpty ? "" : "host=\(Self.encoded(host, keeping: "/"))&"
      return "postgres://\(Self.encoded(user))@/\(name)?\(place)port=\(Self.encoded(port))"
    }
    let hosts = host.split(separator: ",", omittingEmptySubsequences: false)
    let ports = port.split(separator: ",", omittingEmptySubsequences: false)
    let places = hosts.enumerated().map { index, host in
      let shown =
        host.contains(":") ? "[\(Self.encoded(String(host), keeping: ":"))]" : Self.encoded(String(host))
      return
        "\(shown):\(Self.encoded(String(ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : "")))"
    }
    return "postgres://\(Self.encoded(user))@\(places.joined(separator: ","))/\(name)"
  }

  /// The same: a value that is printed by accident must not show its password either.
  package var debugDescription: String { description }

  /// Any connection string as it may be printed: without password, whatever form it has.
  package static func redacted(_ text: String) -> String {
    (try? ConnectionString(text, environment: [:]))?.description ?? "a connection string that can't be read"
  }

  /// A name may hold anything, also what a terminal would obey.
  private static func encoded(_ text: String, keeping: String = "") -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || "-._~\(keeping)".unicodeScalars.contains(scalar)
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
