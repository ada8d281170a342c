import Testing
import Tokens

@Suite struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `agrees with the standard's examples`(text: String, expected: String) {
    #expect(Digest.sha256(text.utf8) == expected)
  }

  @Test func `reads more than one block`() {
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)

    #expect(Digest.sha256(million) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}

@Suite struct PasswordHashTests {
  @Test func `matches the password it was made of and no other`() throws {
    let hash = try #require(PasswordHash.bcrypt("correct horse", cost: 4))

    #expect(hash.hasPrefix("$2b$04$"))
    #expect(hash.count == 60)
    #expect(PasswordHash.matches("correct horse", hash))
    #expect(!PasswordHash.matches("correct Horse", hash))
    #expect(!PasswordHash.matches("", hash))
  }

  @Test func `salts every hash anew`() {
    #expect(PasswordHash.bcrypt("same", cost: 4) != PasswordHash.bcrypt("same", cost: 4))
  }

  @Test func `knows the form of other programs`() {
    // A published test vector of bcrypt.
    #expect(PasswordHash.matches("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"))
  }

  @Test(arguments: ["", "plain", "*0", "*1", "$2b$04$", "$2b$99$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"])
  func `matches nothing against what is no hash`(hash: String) {
    #expect(!PasswordHash.matches(hash, hash))
    #expect(!PasswordHash.matches("", hash))
  }

  @Test(arguments: [-1, 0, 3, 32]) func `refuses a cost out of range`(cost: Int) {
    #expect(PasswordHash.bcrypt("any", cost: cost) == nil)
  }
}
