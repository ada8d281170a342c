/// `did you mean 'a', 'b' or 'c'?`, nil without names.
func suggestion(_ names: [String]) -> String? {
  let quoted = names.map { "'\($0)'" }
  guard let last = quoted.last else { return nil }
  let others = quoted.dropLast().joined(separator: ", ")
  return "did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
}
