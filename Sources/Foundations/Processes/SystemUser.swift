#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An account of this machine.
package struct SystemUser: Sendable, Hashable {
  package let name: String
  package let id: UInt32
  package let group: UInt32
  /// Its home folder, as the account database has it.
  package let home: String

  /// The account with this name; nil where there is none.
  package static func named(_ name: String) -> SystemUser? {
    found { getpwnam_r(name, $0, $1, $2, $3) }
  }

  /// The account this process runs as; nil where the account database does not know it, as in some
  /// containers.
  package static var current: SystemUser? {
    found { getpwuid_r(geteuid(), $0, $1, $2, $3) }
  }

  /// The effective user id of this process.
  package static var currentID: UInt32 { geteuid() }

  package static var isRoot: Bool { geteuid() == 0 }

  /// The ids of every group it belongs to, its own first.
  package var groups: [UInt32] {
    var capacity: Int32 = 64
    while true {
      #if canImport(Glibc)
        var ids = [gid_t](repeating: 0, count: Int(capacity))
        let count = getgrouplist(name, group, &ids, &capacity)
        if count >= 0 { return Array(ids.prefix(Int(count))) }
      #else
        var ids = [Int32](repeating: 0, count: Int(capacity))
        if getgrouplist(name, Int32(bitPattern: group), &ids, &capacity) >= 0 {
          return ids.prefix(Int(capacity)).map { UInt32(bitPattern: $0) }
        }
        capacity *= 2
      #endif
      if capacity > 1 << 16 { return [group] }
    }
  }

  private static func found(
    _ look: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32
  ) -> SystemUser? {
    var entry = passwd()
    var answer: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
      guard let base = buffer.baseAddress, look(&entry, base, buffer.count, &answer) == 0, answer != nil
      else { return nil }
      return SystemUser(
        name: String(cString: entry.pw_name), id: entry.pw_uid, group: entry.pw_gid,
        home: String(cString: entry.pw_dir))
    }
  }
}
