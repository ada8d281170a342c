import SQLSyntax
import Testing

struct TreeTests {
  @Test func `gives a tree for each statement, places included`() throws {
    let read = script("-- ö\n\\set x 1\nselect 1; create table if not exists a.b (c int)")
    let trees = read.trees()

    #expect(trees.map { $0?.content?.type } == ["SelectStmt", "CreateStmt"])
    let table = try #require(trees[1])
    let place = try #require(table.content?.fields["relation"]?["location"]?.int)
    #expect(read.source.text(place + table.base..<place + table.base + 3) == "a.b")
    #expect(read.location(byte: place).column == 38)
  }

  @Test func `gives the trees the grammar knows where it does not know the whole file`() throws {
    let read = script("select 1; \(newer); create table if not exists b (c int)")
    let trees = read.trees()

    #expect(trees.map { $0?.content?.type } == ["SelectStmt", nil, "CreateStmt"])
    let table = try #require(trees[2])
    let place = try #require(table.content?.fields["relation"]?["location"]?.int)
    #expect(read.source.text(place + table.base..<place + table.base + 1) == "b")
  }
}
