extension Unicode.Scalar {
  /// How many terminal columns the character takes: 0 for combining marks and joiners, 2 for East Asian wide
  /// characters and emoji, else 1. A tab is the caller's matter.
  ///
  /// Ranges are those of Unicode's EastAsianWidth W and F, merged where only unassigned characters lie between;
  /// the standard library has no such property.
  var displayWidth: Int {
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x20000...0x3FFFD,
  ]
}

extension Collection where Element == Unicode.Scalar {
  /// The columns a terminal gives these characters, joined emoji counted once.
  var displayWidth: Int {
    var width = 0
    var last: Unicode.Scalar?
    var isInFlag = false
    for scalar in self {
      defer { last = scalar }
      // Two regional indicators are one flag.
      isInFlag = scalar.isRegionalIndicator && !isInFlag && last?.isRegionalIndicator == true
      if isInFlag { continue }
      // A skin tone, or what a zero-width joiner attaches, is drawn within the emoji before it.
      if last == "\u{200D}"
        || (scalar.properties.isEmojiModifier && last?.properties.isEmojiModifierBase == true)
      {
        continue
      }
      // Variation selector 16 asks for the emoji, two columns wide.
      if scalar == "\u{FE0F}", let last, last.displayWidth == 1, last.properties.isEmoji { width += 1 }
      width += scalar.displayWidth
    }
    return width
  }
}
