import CCrypt

/// Passwords as Auth stores them: bcrypt, in crypt(3)'s form.
package enum PasswordHash {
  /// Whether a password is the one a hash was made of. A malformed hash matches nothing.
  ///
  /// Takes any form the system's crypt knows, `$2a$` of pgcrypto's `gen_salt('bf')` included.
  package static func matches(_ password: String, _ hash: String) -> Bool {
    guard let computed = crypt(password, setting: hash) else { return false }
    return equal(Array(computed.utf8), Array(hash.utf8))
  }

  /// Hashes a password with a fresh salt.
  ///
  /// - Parameter cost: Rounds as a power of two, 4 to 31. Ten takes about a tenth of a second; each step
  ///   doubles that.
  /// - Returns: 60 characters that begin with `$2b$`; nil for a cost out of range.
  package static func bcrypt(_ password: String, cost: Int) -> String? {
    guard (4...31).contains(cost) else { return nil }
    var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    // Without random bytes given, libcrypt takes the system's own.
    guard crypt_gensalt_rn("$2b$", UInt(cost), nil, 0, &setting, Int32(setting.count)) != nil else {
      return nil
    }
    return setting.withUnsafeBufferPointer { crypt(password, setting: $0) }
  }

  private static func crypt(_ password: String, setting: String) -> String? {
    setting.utf8CString.withUnsafeBufferPointer { crypt(password, setting: $0) }
  }

  private static func crypt(_ password: String, setting: UnsafeBufferPointer<CChar>) -> String? {
    guard let setting = setting.baseAddress else { return nil }
    // 32 KB: too much for a thread's stack to be safe.
    let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
    data.initialize(to: crypt_data())
    defer {
      data.deinitialize(count: 1)
      data.deallocate()
    }
    guard let result = crypt_r(password, setting, data) else { return nil }
    let text = String(cString: result)
    // A failure is a text that is no hash, made so that it never equals the setting.
    return text.hasPrefix("*") ? nil : text
  }

  /// Compares without telling by the time taken where the first difference is.
  private static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
