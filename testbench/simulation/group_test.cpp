// Groups as a user writes them (docs/reference/scenarios.md, "Groups").
// State space: every word of the language on networks of one, two and three dimensions, in every
// order; every mistake; random groups against a list that is made node by node.
#include "simulation/scenario/group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/input_error.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::simulation {
namespace {

using reference::Node;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

systemc::NetworkConfig network_of(int x, int y = 1, int z = 1) {
  systemc::NetworkConfig network;
  network.size = {x, y, z};
  network.router.dims = z > 1 ? 3 : y > 1 ? 2 : 1;
  return network;
}

GroupSet parsed(const std::string& text, const systemc::NetworkConfig& network,
                const std::string& name = "") {
  return parse_groups(text, name, network, "--group");
}

std::vector<Node> nodes_of(const std::string& text, const systemc::NetworkConfig& network) {
  const GroupSet set = parsed(text, network);
  EXPECT_EQ(set.groups.size(), 1u) << text;
  EXPECT_FALSE(set.each) << text;
  return set.groups.front().nodes->nodes();
}

TEST(Group, IsAListOfNodesInTheGivenOrder) {
  EXPECT_THAT(nodes_of("2,0 0,0 1,3", network_of(4, 4)),
              ElementsAre(Node{2, 0}, Node{0, 0}, Node{1, 3}));
  EXPECT_THAT(nodes_of("  5   3 ", network_of(9)), ElementsAre(Node{5}, Node{3}));
  EXPECT_THAT(nodes_of("1,2,3", network_of(4, 4, 4)), ElementsAre(Node{1, 2, 3}));
}

TEST(Group, IsARowAColumnOrAPlane) {
  EXPECT_THAT(nodes_of("row 1", network_of(3, 2)), ElementsAre(Node{0, 1}, Node{1, 1}, Node{2, 1}));
  EXPECT_THAT(nodes_of("column 2", network_of(3, 2)), ElementsAre(Node{2, 0}, Node{2, 1}));
  const auto box = network_of(2, 3, 4);
  EXPECT_THAT(nodes_of("row 2,3", box), ElementsAre(Node{0, 2, 3}, Node{1, 2, 3}));
  EXPECT_THAT(nodes_of("column 1,3", box),
              ElementsAre(Node{1, 0, 3}, Node{1, 1, 3}, Node{1, 2, 3}));
  EXPECT_THAT(nodes_of("plane 3", box), ElementsAre(Node{0, 0, 3}, Node{1, 0, 3}, Node{0, 1, 3},
                                                    Node{1, 1, 3}, Node{0, 2, 3}, Node{1, 2, 3}));
}

TEST(Group, IsABoxByRowsOrByColumns) {
  EXPECT_THAT(nodes_of("1,2..2,3", network_of(4, 4)),
              ElementsAre(Node{1, 2}, Node{2, 2}, Node{1, 3}, Node{2, 3}));
  EXPECT_THAT(nodes_of("1,2..2,3 columns-first", network_of(4, 4)),
              ElementsAre(Node{1, 2}, Node{1, 3}, Node{2, 2}, Node{2, 3}));
  EXPECT_THAT(nodes_of("0,0,0..1,1,1 columns-first", network_of(2, 2, 2)),
              ElementsAre(Node{0, 0, 0}, Node{0, 1, 0}, Node{1, 0, 0}, Node{1, 1, 0}, Node{0, 0, 1},
                          Node{0, 1, 1}, Node{1, 0, 1}, Node{1, 1, 1}));
  EXPECT_THAT(nodes_of("2..4", network_of(5)), ElementsAre(Node{2}, Node{3}, Node{4}));
}

TEST(Group, IsSeveralPartsOneBehindTheOther) {
  EXPECT_THAT(nodes_of("column 2 0,0..1,0 3,1", network_of(4, 2)),
              ElementsAre(Node{2, 0}, Node{2, 1}, Node{0, 0}, Node{1, 0}, Node{3, 1}));
}

TEST(Group, HasEveryFewOfThem) {
  EXPECT_THAT(nodes_of("every 5", network_of(4, 3)),
              ElementsAre(Node{0, 0}, Node{1, 1}, Node{2, 2}));
  EXPECT_THAT(nodes_of("row 1 every 2 from 1", network_of(4, 3)),
              ElementsAre(Node{1, 1}, Node{3, 1}));
  EXPECT_THAT(nodes_of("columns-first every 3 from 2", network_of(2, 3)),
              ElementsAre(Node{0, 2}, Node{1, 2}));
}

TEST(Group, IsNamedByItselfOrByItsName) {
  EXPECT_EQ(parsed("row 1", network_of(3, 2)).groups.front().name, "row 1");
  EXPECT_EQ(parsed("row 1", network_of(3, 2), "first").groups.front().name, "first");
  const GroupSet each = parsed("each column", network_of(2, 2), "pairs");
  EXPECT_EQ(each.groups[1].name, "pairs: column 1");
}

TEST(Groups, AreEachRowColumnOrPlane) {
  const GroupSet rows = parsed("each row every 2", network_of(3, 2));
  ASSERT_EQ(rows.groups.size(), 2u);
  EXPECT_TRUE(rows.each);
  EXPECT_EQ(rows.groups[1].name, "row 1");
  EXPECT_THAT(rows.groups[1].nodes->nodes(), ElementsAre(Node{0, 1}, Node{2, 1}));
  const GroupSet columns = parsed("each column", network_of(2, 3, 2));
  ASSERT_EQ(columns.groups.size(), 4u);
  EXPECT_EQ(columns.groups[3].name, "column 1,1");
  EXPECT_THAT(columns.groups[3].nodes->nodes(),
              ElementsAre(Node{1, 0, 1}, Node{1, 1, 1}, Node{1, 2, 1}));
  const GroupSet planes = parsed("each plane columns-first", network_of(2, 2, 2));
  ASSERT_EQ(planes.groups.size(), 2u);
  EXPECT_THAT(planes.groups[1].nodes->nodes(),
              ElementsAre(Node{0, 0, 1}, Node{0, 1, 1}, Node{1, 0, 1}, Node{1, 1, 1}));
}

TEST(Groups, SayWhatMakesThem) {
  EXPECT_EQ(parsed("row 1", network_of(3, 2)).maker, GroupMaker::kList);
  EXPECT_EQ(parsed("row 1 by list", network_of(3, 2)).maker, GroupMaker::kList);
  EXPECT_EQ(parsed("0,0 1,1 by partition", network_of(3, 2)).maker, GroupMaker::kPartition);
  const GroupSet row = parsed("row 1 by grid", network_of(3, 2));
  EXPECT_EQ(row.maker, GroupMaker::kGrid);
  EXPECT_EQ(row.part, GridPart::kRow);
  EXPECT_EQ(parsed("column 1 by grid", network_of(3, 2)).part, GridPart::kColumn);
  EXPECT_EQ(parsed("each column by grid", network_of(3, 2)).part, GridPart::kColumn);
}

struct Mistake {
  const char* text;
  const char* found;
  const char* expected;
};

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreRefused) {
  const Mistake& p = GetParam();
  try {
    (void)parsed(p.text, network_of(4, 3));
    FAIL() << p.text;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("--group: found "), HasSubstr(p.found), HasSubstr(p.expected)))
        << p.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Mistakes,
    ::testing::Values(
        Mistake{"", "found nothing", "nodes as 3,2"}, Mistake{"4,0", "node 4,0", "0,0 to 3,2"},
        Mistake{"-1,0", "node -1,0", "0,0 to 3,2"}, Mistake{"1", "\"1\"", "nodes as 3,2"},
        Mistake{"1,1,1", "\"1,1,1\"", "nodes as 3,2"},
        Mistake{"1,1 0,0 1,1", "node 1,1 twice in \"1,1 0,0 1,1\"", "at most once"},
        Mistake{"row 1 0,0..3,1", "node 0,1 twice", "at most once"},
        Mistake{"2,0..1,2", "\"2,0..1,2\"", "lowest corner"},
        Mistake{"0,0..4,0", "node 4,0", "0,0 to 3,2"},
        Mistake{"0,0..", "\"0,0..\"", "boxes as 0,0..3,2"},
        Mistake{"row", "the end in \"row\"", "the number of a row, 0 to 2"},
        Mistake{"row 3", "\"3\"", "the number of a row, 0 to 2"},
        Mistake{"column x", "\"x\"", "the number of a column, 0 to 3"},
        Mistake{"row 1,1", "\"1,1\"", "the number of a row"},
        Mistake{"plane 0", "\"plane\" on the 4x3 mesh", "three dimensions"},
        Mistake{"colum 1", "\"colum\"", "did you mean \"column\"?"},
        Mistake{"each", "the end", "each row, each column or each plane"},
        Mistake{"each node", "\"node\"", "each row, each column or each plane"},
        Mistake{"each row each column", "\"each\"", "the end, columns-first, every N"},
        Mistake{"row 1 columns-first", "\"columns-first\"", "a box, all or a plane"},
        Mistake{"each row columns-first", "\"columns-first\"", "a box, all or a plane"},
        Mistake{"every 0", "\"0\"", "the distance of members, 1 to 12"},
        Mistake{"every", "the end", "the distance of members"},
        Mistake{"row 1 every 2 from 4", "\"from 4\"", "less than 4"},
        Mistake{"every 2 from 12", "\"12\"", "the first member, 0 to 11"},
        Mistake{"row 1 from 2", "\"from\"", "each once and in this order"},
        Mistake{"row 1 by list every 2", "\"every\"", "in this order"},
        Mistake{"row 1 by", "the end", "by list, by partition or by grid"},
        Mistake{"row 1 by hand", "\"hand\"", "by list, by partition or by grid"},
        Mistake{"0,0..1,1 by grid", "\"0,0..1,1 by grid\"", "makes no other groups"},
        Mistake{"row 1 every 2 by grid", "by grid\"", "makes no other groups"},
        Mistake{"row 1 row 2 by grid", "by grid\"", "makes no other groups"}),
    [](const auto& parameter) { return test::as_name(parameter.param.text); });

TEST(Groups, OfALineAreNoRows) {
  EXPECT_THROW((void)parsed("row 0", network_of(5)), InputError);
  EXPECT_THROW((void)parsed("each row by grid", network_of(2, 2, 2)), InputError);
}

}  // namespace
}  // namespace annelid::simulation
