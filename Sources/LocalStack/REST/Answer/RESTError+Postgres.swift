import Gateway
import JSONValues
import Postgres

extension RESTError {
  /// The server's own refusal, with the HTTP status its SQLSTATE stands for.
  ///
  /// - Parameter isAuthenticated: Whether the role is another than the anonymous one.
  init(_ error: PostgresError, isAuthenticated: Bool) {
    let state = error.state.rawValue
    if state == "PGRST" {
      self = Self.raised(error)
      return
    }
    if error.severity == nil, state.hasPrefix("08") {
      // libpq's own word: no server spoke.
      self.init(
        503, "PGRST001", "Database client error. Retrying the connection.", details: .string(error.message),
        headers: [HTTPHeader("Retry-After", "1")])
      return
    }
    self.init(
      Self.status(state, error.message, isAuthenticated: isAuthenticated), state, error.message,
      details: error.detail.map { .string($0) } ?? .null, hint: error.hint.map { .string($0) } ?? .null)
    if status == 401 { headers.append(HTTPHeader("WWW-Authenticate", "Bearer")) }
    if status == 503 { headers.append(HTTPHeader("Retry-After", "1")) }
  }

  static func connection(_ error: PostgresError) -> RESTError {
    RESTError(
      503, "PGRST000", "Database connection error. Retrying the connection.",
      details: .string(error.message), headers: [HTTPHeader("Retry-After", "1")])
  }

  private static func status(_ state: String, _ message: String, isAuthenticated: Bool) -> Int {
    switch state {
    case "23503", "23505": return 409
    case "25006": return 405
    case "21000": return message.hasSuffix("requires a WHERE clause") ? 400 : 500
    case "22023": return message.hasPrefix("role") && message.hasSuffix("does not exist") ? 401 : 400
    case "53400": return 500
    case "57P01": return 503
    case "P0001": return 400
    case "42883": return message.hasPrefix("function xmlagg(") ? 406 : 404
    case "42P01": return 404
    case "42P17": return 500
    case "42501": return isAuthenticated ? 403 : 401
    default: break
    }
    switch state.prefix(2) {
    case "08", "53": return 503
    case "0L", "0P", "28": return 403
    case "09", "25", "2D", "38", "39", "3B", "40", "54", "55", "57", "58", "F0", "HV", "P0", "XX":
      return 500
    case "PT": return Int(state.dropFirst(2)).flatMap { (100...999).contains($0) ? $0 : nil } ?? 500
    default: return 400
    }
  }

  // MARK: - RAISE SQLSTATE 'PGRST'

  /// A refusal that SQL code composed itself: message and detail are JSON and say everything.
  private static func raised(_ error: PostgresError) -> RESTError {
    let messageHint: JSON =
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
    let detailHint: JSON =
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
    func unreadable(_ details: String, _ hint: JSON) -> RESTError {
      RESTError(
        500, "PGRST121", "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
        details: .string(details), hint: hint)
    }
    let message = try? JSON(parsing: error.message)
    guard let message, let code = message["code"]?.string, let text = message["message"]?.string,
      let details = optionalText(message["details"]), let hint = optionalText(message["hint"])
    else { return unreadable("Invalid JSON value for MESSAGE: '\(error.message)'", messageHint) }
    guard let detail = error.detail else {
      return unreadable("DETAIL is missing in the RAISE statement", detailHint)
    }
    let control = try? JSON(parsing: detail)
    guard let control, let status = control["status"]?.int, let members = control["headers"]?.members,
      optionalText(control["status_text"]) != nil
    else { return unreadable("Invalid JSON value for DETAIL: '\(detail)'", detailHint) }
    var headers: [HTTPHeader] = []
    for member in members {
      guard let value = member.value.string else {
        return unreadable("Invalid JSON value for DETAIL: '\(detail)'", detailHint)
      }
      headers.append(HTTPHeader(member.key, value))
    }
    return RESTError(
      (100...999).contains(status) ? status : 500, code, text, details: details, hint: hint, headers: headers)
  }

  /// Null where there is none; nil where it is there and no text.
  private static func optionalText(_ value: JSON?) -> JSON? {
    guard let value, !value.isNull else { return .null }
    return value.string.map { .string($0) }
  }
}
