// An operation on ranks, called at every node of a network of fake NICs or at the members of a
// group: what each rank must have in the end, computed from the blocks in the order of the ranks.
#pragma once

#include "testbench/firmware/support/operation_check.hpp"

namespace annelid::firmware {

enum class Embedding : std::uint32_t { kRows = 0, kSnake = 1, kQuadrants = 2 };

/// Nodes in the order of their ranks, listed as docs/internals/algorithms/groups.md, "Ranks and
/// embeddings", says.
inline void list_quadrants(Address low, Size size, Size network, std::vector<std::size_t>& order) {
  const int longest = std::max({size.x, size.y, size.z});
  if (longest == 1) return order.push_back(index_of(low, network));
  Address high = low;
  Size lower = size, upper = size;
  const auto cut = [&](int whole, int& first, int& second, std::uint8_t& start) {
    first = (whole + 1) / 2;
    second = whole - first;
    start = static_cast<std::uint8_t>(start + first);
  };
  if (size.z == longest) {
    cut(size.z, lower.z, upper.z, high.z);
  } else if (size.y == longest) {
    cut(size.y, lower.y, upper.y, high.y);
  } else {
    cut(size.x, lower.x, upper.x, high.x);
  }
  list_quadrants(low, lower, network, order);
  list_quadrants(high, upper, network, order);
}
inline std::vector<std::size_t> embedded(Size size, Embedding embedding) {
  std::vector<std::size_t> order;
  if (embedding == Embedding::kQuadrants) {
    list_quadrants({}, size, size, order);
    return order;
  }
  for (const Address a : nodes_of(size)) order.push_back(index_of(a, size));
  if (embedding == Embedding::kRows) return order;
  const auto x = static_cast<std::ptrdiff_t>(size.x), plane = x * size.y;
  for (std::ptrdiff_t z = 0; z < size.z; ++z) {
    const auto begin = order.begin() + z * plane;
    for (std::ptrdiff_t y = 1; y < size.y; y += 2) std::reverse(begin + y * x, begin + (y + 1) * x);
    if (z % 2 != 0) std::reverse(begin, begin + plane);
  }
  return order;
}

inline constexpr std::uint32_t kSum = 1, kAffineCode = 16;

using Words = std::vector<std::uint32_t>;
inline Bytes bytes_of(const Words& words) {
  Bytes result(4 * words.size());
  if (!words.empty()) std::memcpy(result.data(), words.data(), result.size());
  return result;
}
inline Words own_words(std::size_t rank, std::uint32_t count) {
  Words words;
  for (std::uint32_t i = 0; i < count; ++i)
    words.push_back(static_cast<std::uint32_t>((rank + 1) * 2654435761U * (i + 3) + rank));
  return words;
}
inline Words combined(const Words& left, const Words& right, std::uint32_t op) {
  Words result(left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (op == kSum) {
      result[i] = left[i] + right[i];
    } else {
      result[i] = right[i | 1U] * (i % 2) + left[i] * right[i & ~std::size_t{1}];
    }
  }
  return result;
}

/// One operation; `order`: the nodes of the ranks. ROOT is the node of rank `root`.
struct RankedCall {
  reg::Operation operation{};
  reg::Algorithm algorithm{};
  std::vector<std::size_t> order;
  std::uint32_t root = 0, count = 0, op = kSum, parameter_1 = 0, parameter_2 = 0, tag = 0;
  std::uint32_t group = 0;  // a listed one: `order` is its list
};

/// What the algorithms on ranks need, and one more that AUTO may need.
inline constexpr std::uint32_t kMostScratchBlocks = 9;

/// The call but for its buffers, and what it does to memory.
struct RankedTest {
  explicit RankedTest(const RankedCall& c) : plan(c) {
    for (std::size_t r = 0; r < c.order.size(); ++r) {
      rank_of[c.order[r]] = r;
      prefix.push_back(own_words(r, c.count));
      if (r > 0) prefix[r] = combined(prefix[r - 1], prefix[r], c.op);
    }
    call = {.operation = c.operation,
            .algorithm = c.algorithm,
            .group = c.group,
            .root = c.group != 0 ? c.root : static_cast<std::uint32_t>(c.order[c.root]),
            .count = c.count,
            .type = reg::Type::kUint32,
            .op = c.op,
            .tag = c.tag,
            .parameter = {0, c.parameter_1, c.parameter_2}};
    const std::uint32_t bytes = 4 * c.count;
    effect = {.source = bytes,
              .target = bytes,
              .scratch = kMostScratchBlocks * ((bytes + 7) / 8 * 8),
              .before = [this](std::size_t node) { return before(node); }};
    if (c.group != 0) {
      effect.called = [this](std::size_t node) { return rank_of.contains(node); };
    }
    if (c.operation == reg::Operation::kBroadcast) {
      effect.source_after = [this](std::size_t node) {
        return rank_of.contains(node) ? bytes_of(prefix_own(plan.root)) : before(node);
      };
    } else {
      effect.after = [this](std::size_t node) { return after(node); };
    }
  }
  RankedTest(const RankedTest&) = delete;
  RankedTest& operator=(const RankedTest&) = delete;

  RankedCall plan;
  TestCall call;
  MemoryEffect effect;
  std::map<std::size_t, std::size_t> rank_of;

 private:
  [[nodiscard]] Words prefix_own(std::size_t rank) const { return own_words(rank, plan.count); }
  [[nodiscard]] Bytes before(std::size_t node) const {
    return bytes_of(prefix_own(rank_of.contains(node) ? rank_of.at(node) : 1000 + node));
  }
  [[nodiscard]] Bytes after(std::size_t node) const {
    using reg::Operation;
    if (!rank_of.contains(node)) return {};
    const std::size_t r = rank_of.at(node);
    switch (plan.operation) {
      case Operation::kReduce:
        return r == plan.root ? bytes_of(prefix.back()) : Bytes{};
      case Operation::kAllReduce:
        return bytes_of(prefix.back());
      case Operation::kScan:
        return bytes_of(prefix[r]);
      default:
        return r == 0 ? Bytes{} : bytes_of(prefix[r - 1]);
    }
  }
  std::vector<Words> prefix;  // of ranks 0..r
};

/// Plays a test's call, looks at all of memory, and gives the messages with ranks in place of
/// nodes.
template <typename Test>
Records expect_by_rank(FakeNetwork& network, const Test& test) {
  Records records = expect_operation(network, test.call, test.effect);
  for (FakeNetwork::Record& r : records) {
    EXPECT_TRUE(test.rank_of.contains(r.from) && test.rank_of.contains(r.to));
    r.from = test.rank_of.at(r.from);
    r.to = test.rank_of.at(r.to);
  }
  return records;
}
inline Records expect_ranked(FakeNetwork& network, const RankedCall& c) {
  return expect_by_rank(network, RankedTest(c));
}

/// Makes the group of these nodes, in this order, at place kListedGroup of its members.
inline constexpr std::uint32_t kListedGroup = 5;
inline void list_group(FakeNetwork& network, const std::vector<std::size_t>& members) {
  constexpr std::uint32_t kList = 0x80000;
  const std::vector<std::uint32_t> list(members.begin(), members.end());
  for (const std::size_t node : members) {
    network.bus(node).put(kList, list.data(), 4 * list.size());
  }
  network.call_some(
      [&](std::size_t node) { return std::find(list.begin(), list.end(), node) != list.end(); },
      [&](std::size_t) {
        return TestCall{.operation = reg::Operation::kGroup,
                        .source = kList,
                        .count = static_cast<std::uint32_t>(list.size()),
                        .tag = 1,
                        .scratch = 0x90000,
                        .parameter = {kListedGroup}};
      });
}

/// What a node answers to a call that sends nothing; 999: nothing.
inline reg::CallResult answer_of(TestNode& node, const TestCall& call) {
  const std::uint32_t ticket = node.bus.call(call);
  node.firmware->run();
  return node.bus.results.contains(ticket) ? static_cast<reg::CallResult>(node.bus.results[ticket])
                                           : reg::CallResult{999};
}

/// No process sends or receives twice in a step; gives the last step.
inline std::uint32_t expect_single_ported(const Records& records) {
  std::set<std::pair<std::size_t, std::uint32_t>> sends, receives;
  std::uint32_t last = 0;
  for (const FakeNetwork::Record& r : records) {
    EXPECT_GE(r.step, 1U);
    last = std::max(last, r.step);
    EXPECT_TRUE(sends.emplace(r.from, r.step).second) << "rank " << r.from << ", step " << r.step;
    EXPECT_TRUE(receives.emplace(r.to, r.step).second) << "rank " << r.to << ", step " << r.step;
  }
  return last;
}

}  // namespace annelid::firmware
