// disjoint-trees and port-rings on fake NICs: the bytes, the channels, and the steps, whatever the
// order of events. Parameter space: operation, network with or without rings, root, bytes, packets.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "firmware/collectives/all_ports/disjoint_trees.hpp"
#include "testbench/firmware/support/operation_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

struct Shape {
  Size size;
  std::uint32_t rings;
};
constexpr Shape kShapes[] = {
    {{1, 1, 1}, 0}, {{2, 1, 1}, 0}, {{5, 1, 1}, 0}, {{5, 1, 1}, 1}, {{1, 4, 1}, 2}, {{2, 2, 1}, 3},
    {{3, 3, 1}, 3}, {{4, 4, 1}, 0}, {{4, 3, 1}, 3}, {{5, 4, 1}, 3}, {{3, 5, 1}, 1}, {{2, 5, 1}, 3},
    {{1, 3, 4}, 0}, {{3, 1, 4}, 7}, {{2, 3, 2}, 0}, {{3, 3, 3}, 7}, {{2, 3, 4}, 7}, {{3, 4, 3}, 5}};

std::array<std::uint32_t, 3> sizes_of(Size s) {
  return {static_cast<std::uint32_t>(s.x), static_cast<std::uint32_t>(s.y),
          static_cast<std::uint32_t>(s.z)};
}
bool is_wide(const Shape& shape, std::size_t d) {
  return (shape.rings >> d & 1) != 0 && sizes_of(shape.size)[d] > 2;
}
std::uint32_t counted(const Shape& shape) {
  std::uint32_t count = 0;
  for (const std::uint32_t size : sizes_of(shape.size)) count += size > 1 ? 1 : 0;
  return count;
}
bool all_wide(const Shape& shape) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (sizes_of(shape.size)[d] > 1 && !is_wide(shape, d)) return false;
  }
  return true;
}
std::uint32_t strands_of(const Shape& shape) {
  const std::uint32_t n = counted(shape);
  return n == 0 ? 1 : all_wide(shape) ? 2 * n : n;
}
std::array<std::uint32_t, 3> place_of(std::size_t node, Size size) {
  const Address a = nodes_of(size)[node];
  return {a.x, a.y, a.z};
}

/// Whether a message goes to a neighbour, over a channel that the dimension has by the rules.
bool is_one_hop(const FakeNetwork::Record& r, const Shape& shape, bool closes_lines) {
  const auto from = place_of(r.from, shape.size), to = place_of(r.to, shape.size);
  std::uint32_t differ = 0;
  bool near = true;
  for (std::size_t d = 0; d < 3; ++d) {
    if (from[d] == to[d]) continue;
    ++differ;
    const std::uint32_t size = sizes_of(shape.size)[d];
    const bool closes = from[d] + to[d] == size - 1 && (from[d] == 0 || to[d] == 0) && size > 2;
    const bool next = from[d] + 1 == to[d] || to[d] + 1 == from[d];
    near = near && (next || (closes && (closes_lines || all_wide(shape))));
  }
  return differ == 1 && near;
}

std::uint32_t element(std::size_t node, std::uint32_t e) {
  return static_cast<std::uint32_t>((node + 1) * 2654435761U * (e + 3));
}
Bytes words(std::uint32_t count, const std::function<std::uint32_t(std::uint32_t)>& value) {
  Bytes result;
  for (std::uint32_t e = 0; e < count; ++e) {
    for (int i = 0; i < 4; ++i) result.push_back(static_cast<std::uint8_t>(value(e) >> 8 * i));
  }
  return result;
}
std::uint32_t sum_of(std::size_t nodes, std::uint32_t e) {
  std::uint32_t sum = 0;
  for (std::size_t node = 0; node < nodes; ++node) sum += element(node, e);
  return sum;
}
/// A node's own elements, and the sums of all nodes' elements.
Bytes own_words(std::size_t node, std::uint32_t count) {
  return words(count, [node](std::uint32_t e) { return element(node, e); });
}
Bytes sum_words(std::size_t nodes, std::uint32_t count) {
  return words(count, [nodes](std::uint32_t e) { return sum_of(nodes, e); });
}

/// Trees as the messages show them: by the parents of each node.
struct Edges {
  explicit Edges(const Records& records, bool reversed) {
    for (const FakeNetwork::Record& r : records) {
      const std::size_t parent = reversed ? r.to : r.from, child = reversed ? r.from : r.to;
      ++count[{parent, child}];
    }
  }
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> count;
};

/// Each node but the root has a parent in each tree, and no channel two messages of a packet.
void expect_disjoint(const Records& sent, const Shape& shape, std::size_t nodes, std::size_t root,
                     std::uint32_t packets, bool reversed) {
  const std::uint32_t t = strands_of(shape);
  ASSERT_EQ(sent.size(), nodes > 1 ? std::size_t{t} * packets * (nodes - 1) : 0);
  const Edges edges(sent, reversed);
  std::map<std::size_t, std::uint32_t> parents;
  for (const auto& [edge, count] : edges.count) {
    ASSERT_EQ(count, packets) << "two trees share a channel";
    ++parents[edge.second];
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    ASSERT_EQ(parents[node], node == root || nodes == 1 ? 0 : t) << "node " << node;
  }
  for (const FakeNetwork::Record& r : sent) {
    ASSERT_TRUE(is_one_hop(r, shape, false)) << r.from << " to " << r.to;
  }
  std::set<std::tuple<std::size_t, std::size_t, std::uint32_t>> taken;
  for (const FakeNetwork::Record& r : sent) {
    ASSERT_TRUE(taken.emplace(r.from, r.to, r.step).second) << "stepwise contention";
  }
}

/// The step of the first packet from a node to another.
using Steps = std::map<std::pair<std::size_t, std::size_t>, std::uint32_t>;
Steps first_steps(const Records& sent) {
  Steps first;
  for (const FakeNetwork::Record& r : sent) {
    const auto [at, is_new] = first.emplace(std::pair(r.from, r.to), r.step);
    if (!is_new) at->second = std::min(at->second, r.step);
  }
  return first;
}
bool has_edge(
    const Steps& steps,
    const std::function<bool(const std::pair<std::size_t, std::size_t>&, std::uint32_t)>& is) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const auto& step) { return is(step.first, step.second); });
}

/// Every tree network and root, each with an order of events of its own.
void for_each_tree_call(
    const std::function<void(FakeNetwork&, const Shape&, std::uint32_t root, std::uint32_t bytes,
                             std::uint32_t packets)>& check) {
  std::uint32_t seed = 0;
  for (const Shape& shape : kShapes) {
    if (counted(shape) > 2) continue;
    const auto nodes = static_cast<std::uint32_t>(nodes_of(shape.size).size());
    for (std::uint32_t root = 0; root < nodes; root += root % 2 == 0 ? 1 : 3) {
      FakeNetwork network(shape.size, seed++, 64, {}, shape.rings);
      for (const std::uint32_t bytes : {0U, 4U, 100U, 2000U}) {
        const std::uint32_t packets = (root + bytes / 4) % 4 + 1;
        SCOPED_TRACE(::testing::Message()
                     << shape.size.x << " x " << shape.size.y << " x " << shape.size.z << ", rings "
                     << shape.rings << ", root " << root << ", " << bytes << " bytes, " << packets
                     << " packets");
        check(network, shape, root, bytes, packets);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(DisjointTrees, BroadcastAlongTreesThatShareNoChannel) {
  for_each_tree_call([&](FakeNetwork& network, const Shape& shape, std::uint32_t root,
                         std::uint32_t bytes, std::uint32_t packets) {
    const auto block = [&](std::size_t node) {
      Bytes result;
      append_block(result, node, 0, bytes);
      return result;
    };
    const Records sent =
        expect_operation(network,
                         {.operation = Operation::kBroadcast,
                          .algorithm = Algorithm::kDisjointTrees,
                          .root = root,
                          .count = bytes,
                          .parameter = {0, packets}},
                         {.source = bytes, .before = block, .source_after = [&](std::size_t) {
                            return block(root);
                          }});
    expect_disjoint(sent, shape, network.nodes(), root, packets, false);
    // Steps: a packet comes one step after its parent has it, the first one at the depth.
    const auto first = first_steps(sent);
    for (const auto& [edge, step] : first) {
      if (edge.first == root) {
        EXPECT_EQ(step, 1U);
        continue;
      }
      EXPECT_TRUE(
          has_edge(first,
                   [&, &edge = edge, &step = step](const auto& other, std::uint32_t other_step) {
                     return other.second == edge.first && other_step + 1 == step;
                   }))
          << edge.first << " to " << edge.second;
    }
  });
}

TEST(DisjointTrees, ReduceAlongTreesThatShareNoChannel) {
  for_each_tree_call([&](FakeNetwork& network, const Shape& shape, std::uint32_t root,
                         std::uint32_t bytes, std::uint32_t packets) {
    const std::uint32_t count = bytes / 4;
    const Records sent =
        expect_operation(network,
                         {.operation = Operation::kReduce,
                          .algorithm = Algorithm::kDisjointTrees,
                          .root = root,
                          .count = count,
                          .type = reg::Type::kUint32,
                          .op = static_cast<std::uint32_t>(reg::Operator::kSum),
                          .parameter = {0, packets}},
                         {.source = bytes,
                          .target = bytes,
                          .scratch = 8 * ((bytes + 7) / 8 * 8),
                          .before = [&](std::size_t node) { return own_words(node, count); },
                          .after =
                              [&](std::size_t node) {
                                if (node != root) return Bytes{};
                                return sum_words(network.nodes(), count);
                              }});
    expect_disjoint(sent, shape, network.nodes(), root, packets, true);
    // A node passes a packet on one step after its children. The deepest ones begin.
    const auto first = first_steps(sent);
    for (const auto& [edge, step] : first) {
      EXPECT_TRUE(
          edge.second == root ||
          has_edge(first,
                   [&, &edge = edge, &step = step](const auto& other, std::uint32_t other_step) {
                     return other.first == edge.second && other_step == step + 1;
                   }))
          << edge.first << " to " << edge.second;
    }
    if (!sent.empty()) {
      EXPECT_TRUE(has_edge(first, [](const auto&, std::uint32_t step) { return step == 1; }));
    }
  });
}

/// The tables of docs/internals/algorithms/all-ports.md.
std::array<int, 2> parent_in_rings(std::uint32_t tree, int i, int j) {
  switch (tree) {
    case 0:
      return j == 0 || i == 0 ? std::array{i - 1, j} : std::array{i, j - 1};
    case 1:
      return j == 0 || i == 0 ? std::array{i, j - 1} : std::array{i + 1, j};
    case 2:
      return j == 0 || i == 0 ? std::array{i + 1, j} : std::array{i, j + 1};
    default:
      return j == 0 || i == 0 ? std::array{i, j + 1} : std::array{i - 1, j};
  }
}
std::array<int, 2> parent_in_lines(std::uint32_t tree, int u, int v, int a, int b, Size size) {
  const int towards_a = u > a ? u - 1 : u + 1, towards_b = v > b ? v - 1 : v + 1;
  const int beside_a = a == size.x - 1 ? a - 1 : a + 1, beside_b = b == size.y - 1 ? b - 1 : b + 1;
  if (tree == 0) {
    if (v == b) return {towards_a, b};
    return u == a ? std::array{beside_a, v} : std::array{u, towards_b};
  }
  if (u == a) return {a, towards_b};
  return v == b ? std::array{u, beside_b} : std::array{towards_a, v};
}

TEST(DisjointTrees, AreThoseOfThePage) {
  using disjoint_trees::Trees;
  for (const Size size : {Size{5, 4, 1}, Size{3, 3, 1}, Size{2, 3, 1}}) {
    for (const std::uint32_t rings : {0U, 3U}) {
      const bool closed = rings != 0 && size.x > 2;
      for (const Address root : nodes_of(size)) {
        const Trees trees(Topology(root, size, rings), root);
        ASSERT_EQ(trees.count(), closed ? 4U : 2U);
        for (std::uint32_t tree = 0; tree < trees.count(); ++tree) {
          std::uint32_t greatest = 0;
          for (const Address node : nodes_of(size)) {
            if (node == root) continue;
            std::array<int, 2> expected =
                parent_in_lines(tree, node.x, node.y, root.x, root.y, size);
            if (closed) {
              expected = parent_in_rings(tree, (node.x - root.x + size.x) % size.x,
                                         (node.y - root.y + size.y) % size.y);
              expected = {(expected[0] + root.x + size.x) % size.x,
                          (expected[1] + root.y + size.y) % size.y};
            }
            const Address parent = trees.parent(tree, node);
            ASSERT_EQ((std::array<int, 2>{parent.x, parent.y}), expected)
                << "tree " << tree << " from " << index_of(root, size) << " at "
                << index_of(node, size);
            ASSERT_EQ(trees.depth(tree, node), trees.depth(tree, parent) + 1);
            greatest = std::max(greatest, trees.depth(tree, node));
            const auto children = trees.children(tree, parent);
            const auto* end = children.node + children.count;
            ASSERT_TRUE(std::find(children.node, end, node) != end);
            ASSERT_TRUE(std::is_sorted(children.node, end,
                                       [](Address l, Address r) { return l.word() < r.word(); }));
          }
          ASSERT_EQ(trees.height(tree), greatest);
        }
      }
    }
  }
}

TEST(DisjointTrees, ChooseTheNumberOfPackets) {
  // On a 4 x 4 torus, t = 4 and D = 7: at least 2,800 words. On two nodes, t = D = 1: from 9,800
  // words on, floor(sqrt(floor(w0 / 50))) packets.
  struct Case {
    Size size;
    std::uint32_t bytes, packets;
  };
  const Size torus{4, 4, 1}, two{2, 1, 1};
  for (const auto& [size, bytes, packets] :
       {Case{torus, 0, 1}, Case{torus, 8, 1}, Case{torus, 179168, 1}, Case{torus, 179200, 2},
        Case{two, 5600, 1}, Case{two, 11192, 1}, Case{two, 11200, 2}, Case{two, 64000, 11},
        Case{two, 160000, 20}}) {
    FakeNetwork network(size, 0, 64, {}, 3);
    const Records sent = expect_operation(
        network,
        {.operation = Operation::kBroadcast,
         .algorithm = Algorithm::kDisjointTrees,
         .count = bytes},
        {.source = bytes,
         .before = [bytes = bytes](std::size_t) { return Bytes(bytes, 7); },
         .source_after = [bytes = bytes](std::size_t) { return Bytes(bytes, 7); }});
    EXPECT_EQ(sent.size(), packets * (size.x == 4 ? 4 * 15 : 1)) << bytes;
  }
}

/// Rings: what must be sent in each phase, by lines of all dimensions that count.
std::uint32_t longest(const Shape& shape) {
  std::uint32_t most = 1;
  for (const std::uint32_t size : sizes_of(shape.size)) most = std::max(most, size);
  return most;
}

void for_each_ring_network(
    const std::function<void(FakeNetwork&, const Shape&, std::uint32_t bytes)>& check) {
  std::uint32_t seed = 0;
  for (const Shape& shape : kShapes) {
    FakeNetwork network(shape.size, seed++, 64, {}, shape.rings);
    for (const std::uint32_t bytes : {0U, 100U, 600U}) {
      SCOPED_TRACE(::testing::Message()
                   << shape.size.x << " x " << shape.size.y << " x " << shape.size.z << ", rings "
                   << shape.rings << ", " << bytes << " bytes, seed " << seed - 1);
      check(network, shape, bytes);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

/// The last step, the neighbours, and, where a step has one message of each strand, the channels.
void expect_rings(const Records& sent, const Shape& shape, std::uint32_t phases, bool one_message) {
  std::uint32_t last = 0;
  std::set<std::tuple<std::size_t, std::size_t, std::uint32_t>> taken;
  for (const FakeNetwork::Record& r : sent) {
    last = std::max(last, r.step);
    ASSERT_GE(r.step, 1U);
    ASSERT_TRUE(is_one_hop(r, shape, true)) << r.from << " to " << r.to;
    const bool is_new = taken.emplace(r.from, r.to, r.step).second;
    ASSERT_TRUE(is_new || !one_message) << "stepwise contention";
  }
  ASSERT_EQ(last, phases * counted(shape) * (longest(shape) - 1));
}

TEST(PortRings, GatherTheBlocksOfAll) {
  for_each_ring_network([&](FakeNetwork& network, const Shape& shape, std::uint32_t bytes) {
    const std::size_t n = network.nodes();
    const Records sent = expect_operation(
        network,
        {.operation = Operation::kAllGather, .algorithm = Algorithm::kPortRings, .count = bytes},
        {.source = bytes,
         .target = static_cast<std::uint32_t>(n) * bytes,
         .before =
             [&](std::size_t node) {
               Bytes result;
               append_block(result, node, 0, bytes);
               return result;
             },
         .after =
             [&](std::size_t) {
               Bytes result;
               for (std::size_t node = 0; node < n; ++node) append_block(result, node, 0, bytes);
               return result;
             }});
    // Each node gets the pieces of all others in each strand.
    EXPECT_EQ(sent.size(), n * (n - 1) * (n > 1 ? strands_of(shape) : 1));
    expect_rings(sent, shape, 1, false);
  });
}

TEST(PortRings, ScatterWhatIsReduced) {
  for_each_ring_network([&](FakeNetwork& network, const Shape& shape, std::uint32_t bytes) {
    const auto n = static_cast<std::uint32_t>(network.nodes());
    const std::uint32_t count = bytes / 4;
    const Records sent =
        expect_operation(network,
                         {.operation = Operation::kReduceScatter,
                          .algorithm = Algorithm::kPortRings,
                          .count = count,
                          .type = reg::Type::kUint32,
                          .op = static_cast<std::uint32_t>(reg::Operator::kSum)},
                         {.source = n * bytes,
                          .target = bytes,
                          .scratch = 3 * n * ((bytes + 7) / 8 * 8),
                          .before = [&](std::size_t node) { return own_words(node, n * count); },
                          .after =
                              [&](std::size_t node) {
                                return words(count, [&](std::uint32_t e) {
                                  return sum_of(n, static_cast<std::uint32_t>(node) * count + e);
                                });
                              }});
    EXPECT_EQ(sent.size(), n * (n - 1) * (n > 1 ? strands_of(shape) : 1));
    expect_rings(sent, shape, 1, false);
  });
}

TEST(PortRings, ReduceToAll) {
  for_each_ring_network([&](FakeNetwork& network, const Shape& shape, std::uint32_t bytes) {
    const std::uint32_t count = bytes / 4;
    const Records sent =
        expect_operation(network,
                         {.operation = Operation::kAllReduce,
                          .algorithm = Algorithm::kPortRings,
                          .count = count,
                          .type = reg::Type::kUint32,
                          .op = static_cast<std::uint32_t>(reg::Operator::kSum)},
                         {.source = bytes,
                          .target = bytes,
                          .scratch = 8 * ((bytes + 7) / 8 * 8),
                          .before = [&](std::size_t node) { return own_words(node, count); },
                          .after = [&](std::size_t) { return sum_words(network.nodes(), count); }});
    std::size_t messages = 0;
    for (const std::uint32_t size : sizes_of(shape.size)) messages += size - 1;
    const std::size_t each = all_wide(shape) ? 2 : 1;
    EXPECT_EQ(sent.size(), 2 * network.nodes() * messages * counted(shape) * each);
    expect_rings(sent, shape, 2, true);
  });
}

TEST(PortRings, ScatterInTheOrderOfTheGatherReversed) {
  for (const Shape& shape : kShapes) {
    FakeNetwork network(shape.size, 0, 64, {}, shape.rings);
    const std::size_t n = network.nodes();
    TestCall call{.operation = Operation::kAllGather,
                  .algorithm = Algorithm::kPortRings,
                  .target = 0x10000,
                  .count = 25,
                  .type = reg::Type::kUint32,
                  .op = static_cast<std::uint32_t>(reg::Operator::kSum),
                  .tag = 1,
                  .scratch = 0x20000};
    network.call_all([&](std::size_t) { return call; });
    const Records gather = std::move(network.records);
    network.records.clear();
    call.operation = Operation::kReduceScatter;
    network.call_all([&](std::size_t) { return call; });
    const std::uint32_t steps = counted(shape) * (longest(shape) - 1);
    using Key = std::tuple<std::uint32_t, std::size_t, std::size_t, std::uint32_t>;
    std::vector<Key> forwards, backwards;
    for (const auto& r : gather) {
      if (r.from != r.to) forwards.emplace_back(r.step, r.from, r.to, r.bytes);
    }
    for (const auto& r : network.records) {
      if (r.from != r.to) backwards.emplace_back(steps + 1 - r.step, r.to, r.from, r.bytes);
    }
    std::sort(forwards.begin(), forwards.end());
    std::sort(backwards.begin(), backwards.end());
    EXPECT_EQ(forwards.size(), n > 1 ? n * (n - 1) * strands_of(shape) : 0);
    EXPECT_TRUE(forwards == backwards)
        << shape.size.x << " x " << shape.size.y << " x " << shape.size.z;
    // Up a line, and down it only from its last node to its first.
    for (const auto& [step, from, to, bytes] : forwards) {
      const auto a = place_of(from, shape.size), b = place_of(to, shape.size);
      for (std::size_t d = 0; d < 3 && !all_wide(shape); ++d) {
        EXPECT_TRUE(a[d] == b[d] || b[d] == a[d] + 1 ||
                    (b[d] == 0 && a[d] + 1 == sizes_of(shape.size)[d]));
      }
    }
  }
}

/// The result of a call at all nodes, which must send nothing.
void expect_refused(const Shape& shape, TestCall call, CallResult expected) {
  FakeNetwork network(shape.size, 0, 64, {}, shape.rings);
  for (std::size_t node = 0; node < network.nodes(); ++node) {
    const std::uint32_t ticket = network.bus(node).call(call);
    network.run();
    EXPECT_EQ(network.result(node, ticket), expected);
  }
  EXPECT_TRUE(network.records.empty());
}

TEST(AllPorts, RefuseWhatDoesNotFit) {
  const Shape square{{3, 3, 1}, 3}, cube{{3, 3, 3}, 7};
  const TestCall broadcast{
      .operation = Operation::kBroadcast, .algorithm = Algorithm::kDisjointTrees, .count = 16};
  const auto with = [](TestCall call, auto change) {
    change(call);
    return call;
  };
  expect_refused(cube, broadcast, CallResult::kDoesNotFit);
  expect_refused(square, with(broadcast, [](TestCall& c) { c.parameter[1] = 1 << 16; }),
                 CallResult::kBadArgument);
  expect_refused(square, with(broadcast, [](TestCall& c) { c.parameter[2] = 9 << 8; }),
                 CallResult::kBadArgument);
  expect_refused(square, with(broadcast, [](TestCall& c) { c.parameter[0] = 1; }),
                 CallResult::kBadArgument);
  expect_refused(square, with(broadcast, [](TestCall& c) { c.root = 9; }),
                 CallResult::kBadArgument);
  TestCall reduce{.operation = Operation::kReduce,
                  .algorithm = Algorithm::kDisjointTrees,
                  .target = 64,
                  .count = 4,
                  .type = reg::Type::kUint32,
                  .op = static_cast<std::uint32_t>(reg::CoreOperator::kAffine),
                  .scratch = 128};
  expect_refused(square, reduce, CallResult::kBadArgument);
  reduce.algorithm = Algorithm::kPortRings;
  for (const Operation operation : {Operation::kAllReduce, Operation::kReduceScatter}) {
    reduce.operation = operation;
    reduce.target = 256;
    reduce.scratch = 512;
    reduce.op = static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
    expect_refused(square, reduce, CallResult::kBadArgument);
    reduce.op = static_cast<std::uint32_t>(reg::Operator::kSum);
    expect_refused(square, with(reduce, [](TestCall& c) { c.parameter[2] = 9 << 8; }),
                   CallResult::kBadArgument);
    expect_refused(square, with(reduce, [](TestCall& c) { c.scratch = c.source; }),
                   CallResult::kBadArgument);
    expect_refused(square, with(reduce, [](TestCall& c) { c.scratch = 0xFFFFFF00; }),
                   CallResult::kBadArgument);
    expect_refused(square, with(reduce, [](TestCall& c) { c.target = c.source; }),
                   CallResult::kBadArgument);
  }
  expect_refused(square,
                 {.operation = Operation::kAllGather,
                  .algorithm = Algorithm::kPortRings,
                  .target = 0xFFFFFF00,
                  .count = 64},
                 CallResult::kBadArgument);
}

}  // namespace
}  // namespace annelid::firmware
