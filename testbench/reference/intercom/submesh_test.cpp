// Groups that are rectangular submeshes (Barnett and others 1994, Section 9), against a search over
// all boxes. State space: all boxes of small meshes in every order; thousands of random groups with
// holes, repetitions and permutations.
#include "reference/intercom/submesh.hpp"

#include <map>
#include <memory>
#include <set>

#include "reference/intercom/choice.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference::intercom {
namespace {

using Order = std::vector<std::size_t>;

/// Rank r of a box: the coordinates that r has in mixed radix.
Node node_of_rank(const Submesh& box, int r) {
  std::array<int, 3> c{box.corner.x, box.corner.y, box.corner.z};
  for (std::size_t d : box.order) {
    c[d] += r % box.size[d];
    r /= box.size[d];
  }
  return {c[0], c[1], c[2]};
}

/// All orders of the dimensions with two nodes or more.
std::vector<Order> orders_of(const std::array<int, 3>& size) {
  Order order;
  for (std::size_t d = 0; d < 3; ++d) {
    if (size[d] > 1) order.push_back(d);
  }
  std::vector<Order> orders;
  do {
    orders.push_back(order);
  } while (std::ranges::next_permutation(order).found);
  return orders;
}

/// All boxes of a network in all orders.
std::vector<Submesh> boxes_of(const Network& net) {
  std::vector<Submesh> boxes;
  for (Node low : all_nodes(net)) {
    for (Node high : all_nodes(net)) {
      if (high.x < low.x || high.y < low.y || high.z < low.z) continue;
      const std::array<int, 3> size{high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1};
      for (const Order& order : orders_of(size)) boxes.push_back({low, size, order});
    }
  }
  return boxes;
}

std::vector<Node> listed(const Submesh& box) {
  std::vector<Node> nodes;
  for (int r = 0; r < box.size[0] * box.size[1] * box.size[2]; ++r) {
    nodes.push_back(node_of_rank(box, r));
  }
  return nodes;
}

TEST(IntercomSubmesh, RecognisesEveryBoxInEveryOrderAtEveryOffset) {
  int boxes = 0;
  for (const Network& net : {Network{5, 4}, Network{3, 2, 3}, Network{1, 6}}) {
    for (const Submesh& box : boxes_of(net)) {
      const auto found = submesh_of(listed(box));
      ASSERT_TRUE(found.has_value());
      ASSERT_EQ(*found, box);
      ASSERT_EQ(nodes_of(*found), listed(box));
      ++boxes;
    }
  }
  EXPECT_GT(boxes, 400);
}

TEST(IntercomSubmesh, RowsFirstAndColumnsFirst) {
  const auto rows = submesh_of({{2, 1}, {3, 1}, {4, 1}, {2, 2}, {3, 2}, {4, 2}});
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(*rows, (Submesh{{2, 1}, {3, 2, 1}, {0, 1}}));
  const auto columns = submesh_of({{2, 1}, {2, 2}, {3, 1}, {3, 2}, {4, 1}, {4, 2}});
  ASSERT_TRUE(columns.has_value());
  EXPECT_EQ(*columns, (Submesh{{2, 1}, {3, 2, 1}, {1, 0}}));
  EXPECT_EQ(submesh_of({{7, 7}}), (Submesh{{7, 7}, {1, 1, 1}, {}}));
}

TEST(IntercomSubmesh, RefusesOtherGroups) {
  EXPECT_FALSE(submesh_of({}).has_value());
  EXPECT_FALSE(submesh_of({{0, 0}, {2, 0}}).has_value());                  // every second node
  EXPECT_FALSE(submesh_of({{1, 0}, {0, 0}}).has_value());                  // descending
  EXPECT_FALSE(submesh_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}}).has_value());  // a snake
  EXPECT_FALSE(submesh_of({{0, 0}, {1, 0}, {0, 1}}).has_value());          // a hole
  EXPECT_FALSE(submesh_of({{0, 0}, {0, 0}}).has_value());                  // a node twice
  EXPECT_FALSE(submesh_of({{0, 0}, {1, 0}, {0, 1}, {0, 1}}).has_value());
  EXPECT_FALSE(submesh_of({{7, 0}, {0, 0}}).has_value());  // across the edge of a torus
}

TEST(IntercomSubmesh, AgreesWithASearchOverAllBoxesForRandomGroups) {
  const std::uint64_t seed = sample_seed();
  std::cout << "groups drawn with ANNELID_SEED=" << seed << '\n';
  std::mt19937_64 random(seed);
  int recognised = 0, refused = 0;
  for (const Network& net : {Network{4, 4}, Network{5, 3}, Network{2, 3, 2}}) {
    const std::vector<Submesh> boxes = boxes_of(net);
    std::map<std::vector<Node>, Submesh> known;
    for (const Submesh& box : boxes) known.emplace(listed(box), box);
    for (int i = 0; i < 3000; ++i) {
      std::vector<Node> nodes = listed(boxes[random() % boxes.size()]);
      switch (random() % 5) {
        case 0:
          break;
        case 1:
          std::swap(nodes[random() % nodes.size()], nodes[random() % nodes.size()]);
          break;
        case 2:
          nodes.erase(nodes.begin() + static_cast<int>(random() % nodes.size()));
          break;
        case 3:
          nodes[random() % nodes.size()] = node_at(net, static_cast<int>(random()) & 7);
          break;
        default:
          std::ranges::shuffle(nodes, random);
      }
      const auto found = submesh_of(nodes);
      const auto expected = known.find(nodes);
      ASSERT_EQ(found.has_value(), expected != known.end());
      if (found) {
        ASSERT_EQ(*found, expected->second);
      }
      ++(found ? recognised : refused);
    }
  }
  EXPECT_GT(recognised, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(Extents, AreThoseOfAListedSubmeshInTheOrderOfItsRanks) {
  const Network net{6, 5};
  const auto extents = [&](std::vector<Node> nodes) {
    Ranks ranks;
    ranks.listed = std::make_shared<const NodeList>(std::move(nodes));
    return extents_of(net, ranks);
  };
  const auto box = [](std::vector<std::size_t> order) {
    return nodes_of({{2, 1}, {3, 2, 1}, std::move(order)});
  };
  EXPECT_EQ(extents(box({0, 1})), (std::vector{3, 2}));
  EXPECT_EQ(extents(box({1, 0})), (std::vector{2, 3}));
  EXPECT_EQ(extents({{4, 1}, {4, 2}, {4, 3}}), std::vector{3});
  EXPECT_EQ(extents({{4, 1}}), std::vector<int>{});
  std::vector<Node> other = box({0, 1});
  std::swap(other[0], other[1]);
  EXPECT_EQ(extents(other), std::vector{6});
  // All nodes by rows, listed or not.
  std::vector<Node> all;
  for (int n = 0; n < net.nodes(); ++n) all.push_back(node_at(net, n));
  EXPECT_EQ(extents(all), extents_of(net, {}));
}

}  // namespace
}  // namespace annelid::reference::intercom
