// A hybrid of InterCom, called at the ranks of a network of fake NICs: what each rank must have in
// the end, computed from the blocks in the order of the ranks, and the words of the call
// (firmware/README.md, "Operations by rank").
#pragma once

#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid::firmware {

/// Sizes d1, d2, ...; none: one dimension.
struct TestHybrid {
  std::vector<std::uint32_t> sizes;
  bool is_long = false, far_first = false;
  bool named = true;  ///< else the call leaves the choice to the processes
};
inline std::string text_of(const TestHybrid& hybrid) {
  std::string text;
  for (const std::uint32_t size : hybrid.sizes) {
    text += (text.empty() ? "" : "x") + std::to_string(size);
  }
  return text + (hybrid.is_long ? " long" : " short") + (hybrid.far_first ? " far" : " near");
}

/// PARAMETER_1 and FLAGS.
struct TestWords {
  std::uint32_t parameter_1 = 0, flags = 0;
};
inline TestWords words_of(const TestHybrid& hybrid) {
  if (!hybrid.named) return {};
  TestWords words{0, (hybrid.is_long ? 1U : 0U) + (hybrid.far_first ? 2U : 0U) + 4};
  std::uint32_t bit = 0;
  for (std::size_t i = 0; i + 1 < hybrid.sizes.size(); ++i) {
    std::uint32_t width = 0;
    while (hybrid.sizes[i] >> width != 0) ++width;
    words.parameter_1 += hybrid.sizes[i] << bit;
    words.flags += width << (8 + 4 * i);
    bit += width;
  }
  return words;
}

/// All hybrids of p ranks that have no dimension of size 1 (but for p = 1).
inline void add_factorizations(std::uint32_t p, std::vector<std::uint32_t>& sizes,
                               std::vector<std::vector<std::uint32_t>>& all) {
  if (p == 1 && !sizes.empty()) return all.push_back(sizes);
  if (p == 1) return all.push_back({1});
  for (std::uint32_t d = 2; d <= p; ++d) {
    if (p % d != 0) continue;
    sizes.push_back(d);
    add_factorizations(p / d, sizes, all);
    sizes.pop_back();
  }
}
inline std::vector<TestHybrid> hybrids_of(std::uint32_t p) {
  std::vector<std::uint32_t> sizes;
  std::vector<std::vector<std::uint32_t>> all;
  add_factorizations(p, sizes, all);
  std::vector<TestHybrid> hybrids;
  for (const auto& one : all) {
    for (const bool is_long : {false, true}) {
      hybrids.push_back({one, is_long, false});
      if (one.size() > 1) hybrids.push_back({one, is_long, true});
    }
  }
  return hybrids;
}

/// docs/internals/algorithms/intercom.md, "Operands".
inline bool keeps_order(const TestHybrid& hybrid) {
  std::size_t lines = 0;
  for (std::size_t i = 0; i < hybrid.sizes.size(); ++i) {
    const bool in_pieces = hybrid.is_long || i + 1 < hybrid.sizes.size();
    if (in_pieces && hybrid.sizes[i] > 2) return false;
    lines += hybrid.sizes[i] > 1 ? 1 : 0;
  }
  return lines <= 1 || !hybrid.far_first;
}

struct HybridCall {
  reg::Operation operation{};
  TestHybrid hybrid;
  std::vector<std::size_t> order;  ///< the nodes of the ranks
  std::uint32_t root = 0;          ///< a rank
  std::uint32_t count = 0;         ///< words of a block
  std::uint32_t op = kSum, parameter_2 = 0, group = 0;
  std::vector<std::uint32_t> lengths = {};  ///< words of each rank's block; none: all have `count`
};
/// Where a call finds the list of lengths.
inline constexpr std::uint32_t kLengths = 0xC0000;

inline bool has_root(reg::Operation operation) {
  return operation == reg::Operation::kBroadcast || operation == reg::Operation::kReduce ||
         operation == reg::Operation::kScatter || operation == reg::Operation::kGather;
}
inline bool combines(reg::Operation operation) {
  return operation == reg::Operation::kReduce || operation == reg::Operation::kAllReduce ||
         operation == reg::Operation::kReduceScatter;
}

/// The call, and what it does to memory.
class HybridTest {
 public:
  using Operation = reg::Operation;

  explicit HybridTest(HybridCall c) : plan(std::move(c)), p_(plan.order.size()) {
    for (std::size_t r = 0; r < p_; ++r) rank_of[plan.order[r]] = r;
    const TestWords words = words_of(plan.hybrid);
    const Operation o = plan.operation;
    const std::size_t root = plan.group != 0 ? plan.root : plan.order[plan.root];
    call = {.operation = o,
            .algorithm = reg::Algorithm::kIntercom,
            .group = plan.group,
            .root = static_cast<std::uint32_t>(has_root(o) ? root : 0),
            .count = plan.count,
            .type = reg::Type::kUint32,
            .op = combines(o) ? plan.op : 0,
            .tag = 9,
            .parameter = {0, words.parameter_1, plan.parameter_2},
            .flags = words.flags};
    std::uint32_t block = 4 * plan.count, all = block * static_cast<std::uint32_t>(p_);
    if (is_listed()) {
      call.flags |= 8;
      call.parameter[0] = kLengths;
      call.count = 0;
      block = all = 0;
      for (const std::uint32_t length : plan.lengths) {
        block = std::max(block, 4 * length);
        all += 4 * length;
      }
    }
    effect.source = o == Operation::kScatter || o == Operation::kReduceScatter ? all : block;
    effect.target = o == Operation::kGather || o == Operation::kAllGather ? all : block;
    effect.scratch = o == Operation::kReduceScatter ? 3 * padded(all)
                     : o == Operation::kBroadcast   ? 0
                     : effect.source + effect.target == 2 * block && !is_listed()
                         ? 8 * padded(block)
                         : all;
    if (is_listed())
      effect.scratch = padded(effect.scratch) + 4 * static_cast<std::uint32_t>(p_ + 1);
    effect.before = [this](std::size_t node) { return source(node); };
    if (plan.group != 0) {
      effect.called = [this](std::size_t node) { return rank_of.contains(node); };
    }
    if (o == Operation::kBroadcast) {
      effect.source_after = [this](std::size_t node) {
        return rank_of.contains(node) ? source(plan.order[plan.root]) : source(node);
      };
    } else {
      effect.after = [this](std::size_t node) { return target(node); };
    }
  }
  HybridTest(const HybridTest&) = delete;
  HybridTest& operator=(const HybridTest&) = delete;

  HybridCall plan;
  TestCall call;
  MemoryEffect effect;
  std::map<std::size_t, std::size_t> rank_of;

 private:
  static std::uint32_t padded(std::uint32_t bytes) { return (bytes + 7) / 8 * 8; }
  [[nodiscard]] bool is_listed() const { return !plan.lengths.empty(); }
  /// What a node has for rank `to`, or for all.
  [[nodiscard]] Words words(std::size_t node, std::size_t to) const {
    const std::size_t own = rank_of.contains(node) ? rank_of.at(node) : 1000 + node;
    if (!is_listed()) return own_words(own * 67 + to, plan.count);
    const bool gathers =
        plan.operation == Operation::kGather || plan.operation == Operation::kAllGather;
    const std::size_t of = !gathers ? to : rank_of.contains(node) ? own : 0;
    return own_words(own * 67 + to, plan.lengths[of]);
  }
  [[nodiscard]] Bytes source(std::size_t node) const {
    const bool has_all =
        plan.operation == Operation::kScatter || plan.operation == Operation::kReduceScatter;
    Bytes bytes;
    for (std::size_t to = 0; to < (has_all ? p_ : 1); ++to) append(bytes, words(node, to));
    return bytes;
  }
  [[nodiscard]] Words total(std::size_t to) const {
    Words sum = words(plan.order[0], to);
    for (std::size_t r = 1; r < p_; ++r) sum = combined(sum, words(plan.order[r], to), plan.op);
    return sum;
  }
  [[nodiscard]] Bytes target(std::size_t node) const {
    if (!rank_of.contains(node)) return {};
    const std::size_t r = rank_of.at(node);
    Bytes bytes;
    switch (plan.operation) {
      case Operation::kScatter:
        append(bytes, words(plan.order[plan.root], r));
        break;
      case Operation::kReduceScatter:
        append(bytes, total(r));
        break;
      case Operation::kReduce:
      case Operation::kAllReduce:
        if (r == plan.root || plan.operation == Operation::kAllReduce) append(bytes, total(0));
        break;
      default:
        if (r != plan.root && plan.operation == Operation::kGather) break;
        for (const std::size_t from : plan.order) append(bytes, words(from, 0));
    }
    return bytes;
  }
  static void append(Bytes& bytes, const Words& words) {
    const Bytes more = bytes_of(words);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }

  std::size_t p_;
};

inline Records expect_hybrid(FakeNetwork& network, const HybridCall& c) {
  for (std::size_t node = 0; !c.lengths.empty() && node < network.nodes(); ++node) {
    network.bus(node).put(kLengths, c.lengths.data(), 4 * c.lengths.size());
  }
  return expect_by_rank(network, HybridTest(c));
}

}  // namespace annelid::firmware
