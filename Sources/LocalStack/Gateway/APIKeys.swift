import JSONValues
import Tokens

/// The keys of a stack's API, and what each stands for.
package struct APIKeys: Sendable {
  package var publishable: String
  package var secret: String
  /// The tokens of the roles `anon` and `service_role`, as older clients send them.
  package var anonymousToken: String
  package var serviceToken: String
  /// What tokens are verified with.
  package var verification: JWTKeySet

  package init(
    publishable: String, secret: String, anonymousToken: String, serviceToken: String,
    verification: JWTKeySet
  ) {
    self.publishable = publishable
    self.secret = secret
    self.anonymousToken = anonymousToken
    self.serviceToken = serviceToken
    self.verification = verification
  }

  /// The well-known development keys, the same in every local stack: they guard nothing.
  ///
  /// - Parameters:
  ///   - secret: The project's JWT secret; nil is the well-known one. With another secret the two tokens
  ///     are signed anew.
  ///   - signer: The stack's own signing key, whose public half joins the keys.
  package static func development(secret own: String? = nil, signer: JWTSigner? = nil) -> APIKeys {
    let secret = own ?? wellKnownSecret
    var keys = [JWTKey(secret: Array(secret.utf8))]
    if let jwk = signer?.jwk, let key = JWTKey(jwk: jwk) { keys.append(key) }
    func token(_ role: String, _ known: String) -> String {
      guard own != nil, own != wellKnownSecret else { return known }
      let claims: JSON = ["iss": "supabase-demo", "role": .string(role), "exp": 1_983_812_996]
      return JWTSigner(secret: Array(secret.utf8)).token(claims) ?? known
    }
    return APIKeys(
      publishable: "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH",
      secret: "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz",
      anonymousToken: token(
        "anon",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5"
          + "ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0"),
      serviceToken: token(
        "service_role",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIs"
          + "ImV4cCI6MTk4MzgxMjk5Nn0.EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU"),
      verification: JWTKeySet(keys: keys))
  }

  package static let wellKnownSecret = "super-secret-jwt-token-with-at-least-32-characters-long"
}
