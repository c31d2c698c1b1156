// Every operation that can be prepared, on any network and group: what it must do to memory,
// whichever algorithm performs it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbench/firmware/support/prepared_network.hpp"
#include "testbench/firmware/support/ranked_check.hpp"

namespace annelid::firmware {

/// An operation by an algorithm, as table.inc lists them.
struct PreparedWay {
  reg::Operation operation{};
  reg::Algorithm algorithm{};
};

/// Where and with what a way is tried.
struct PreparedCase {
  Size size{};
  std::uint32_t rings = 0, root = 0, count = 0, seed = 1;
  std::array<std::uint32_t, 2> parameter{};  // PARAMETER_0, PARAMETER_1
  std::uint32_t flags = 0;
  std::vector<std::size_t> members = {};  // a listed group; empty: ALL
};

/// The call of a case, and what it does to memory. Operations with a block for each rank have
/// blocks of `count` words; those that combine have words.
class PreparedOperation {
 public:
  PreparedOperation(const PreparedWay& way, const PreparedCase& c)
      : way_(way), size_(c.size), order_(c.members), root_(c.root), count_(c.count) {
    if (order_.empty()) order_ = embedded(c.size, Embedding::kRows);
    call = {.operation = way.operation,
            .algorithm = way.algorithm,
            .group = c.members.empty() ? 0 : kListedGroup,
            .root = c.root,
            .count = c.count,
            .type = reg::Type::kUint32,
            .op = kSum,
            .tag = 0x1234,
            .parameter = {c.parameter[0], c.parameter[1], 0},
            .flags = c.flags};
    const std::uint32_t p = ranks(), block = 4 * count_, all = p * block;
    const auto padded = [](std::uint32_t bytes) { return (bytes + 7) / 8 * 8; };
    effect.source = has_blocks_in() ? all : block;
    effect.target = has_blocks_out() ? all : block;
    // More than any algorithm of the operation needs.
    effect.scratch = std::max({9 * padded(block), 3 * padded(all) + 8 * p, 25 * 2 * padded(block),
                               3 * p * padded(block)}) +
                     64;
    effect.before = [this](std::size_t node) { return before(node); };
    effect.called = [this](std::size_t node) { return rank(node) < ranks(); };
    if (way.operation == reg::Operation::kBroadcast) {
      effect.source_after = [this](std::size_t node) {
        return rank(node) < ranks() ? block_of(root_, 0) : before(node);
      };
    } else {
      effect.after = [this](std::size_t node) { return after(node); };
    }
  }
  PreparedOperation(const PreparedOperation&) = delete;
  PreparedOperation& operator=(const PreparedOperation&) = delete;

  TestCall call;
  MemoryEffect effect;

 private:
  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(order_.size()); }
  [[nodiscard]] std::uint32_t rank(std::size_t node) const {
    const auto found = std::find(order_.begin(), order_.end(), node);
    return static_cast<std::uint32_t>(found - order_.begin());
  }
  [[nodiscard]] bool is(std::initializer_list<reg::Operation> operations) const {
    return std::find(operations.begin(), operations.end(), way_.operation) != operations.end();
  }
  [[nodiscard]] bool has_blocks_in() const {
    return is(
        {reg::Operation::kScatter, reg::Operation::kAllToAll, reg::Operation::kReduceScatter});
  }
  [[nodiscard]] bool has_blocks_out() const {
    return is({reg::Operation::kGather, reg::Operation::kAllToAll, reg::Operation::kAllGather});
  }
  /// The block that a rank has for another one.
  [[nodiscard]] Bytes block_of(std::uint32_t from, std::uint32_t to) const {
    return bytes_of(own_words(1000 * to + from, count_));
  }
  [[nodiscard]] Bytes blocks(std::uint32_t from) const {
    Bytes result;
    for (std::uint32_t to = 0; to < ranks(); ++to) append(result, block_of(from, to));
    return result;
  }
  static void append(Bytes& bytes, const Bytes& more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  [[nodiscard]] Bytes before(std::size_t node) const {
    const std::uint32_t r = rank(node);
    if (!has_blocks_in() || r == ranks()) return block_of(r, 0);
    if (way_.operation == reg::Operation::kScatter && r != root_) return {};
    return blocks(r);
  }
  /// The blocks of ranks [0, end) for a rank, combined.
  [[nodiscard]] Bytes sum(std::uint32_t end, std::uint32_t to) const {
    Words total(count_);
    for (std::uint32_t r = 0; r < end; ++r) {
      total = combined(total, own_words(1000 * to + r, count_), kSum);
    }
    return bytes_of(total);
  }
  [[nodiscard]] Bytes gathered(std::uint32_t to) const {
    Bytes result;
    for (std::uint32_t r = 0; r < ranks(); ++r) append(result, block_of(r, to));
    return result;
  }
  [[nodiscard]] Bytes after(std::size_t node) const {
    using reg::Operation;
    const std::uint32_t r = rank(node), p = ranks();
    if (r == p) return {};
    switch (way_.operation) {
      case Operation::kReduce:
        return r == root_ ? sum(p, 0) : Bytes{};
      case Operation::kAllReduce:
        return sum(p, 0);
      case Operation::kReduceScatter:
        return sum(p, r);
      case Operation::kScan:
        return sum(r + 1, 0);
      case Operation::kExscan:
        return r == 0 ? Bytes{} : sum(r, 0);
      case Operation::kGather:
        return r == root_ ? gathered(0) : Bytes{};
      case Operation::kAllGather:
        return gathered(0);
      case Operation::kAllToAll:
        return gathered(r);
      case Operation::kScatter:
        return block_of(root_, r);
      case Operation::kTranspose: {
        const Address a = nodes_of(size_)[node];
        return block_of(rank(index_of({a.y, a.x, a.z}, size_)), 0);
      }
      case Operation::kShift:
        return block_of((r + p - call.parameter[1] % p) % p, 0);
      default:
        return {};
    }
  }

  PreparedWay way_;
  Size size_;
  std::vector<std::size_t> order_;
  std::uint32_t root_, count_;
};

/// Prepares and plays a way. Gives what the preparation was refused with, at all nodes.
inline reg::CallResult expect_prepared(const PreparedWay& way, const PreparedCase& c) {
  PreparedNetwork network(c.size, c.seed, c.rings);
  if (!c.members.empty()) list_group(network, c.members);
  const PreparedOperation operation(way, c);
  // First, whether it fits.
  TestCall call = operation.call;
  call.source = 0x1000;
  call.target = 0xC000;
  call.scratch = 0x18000;
  const std::size_t asked = c.members.empty() ? 0 : c.members.front();
  const reg::CallResult fits = network.prepare(asked, call);
  if (fits != reg::CallResult::kSuccess) return fits;
  EXPECT_EQ(network.free(asked, network.answer(asked)), reg::CallResult::kSuccess);
  expect_operation(network, operation.call, operation.effect);
  return reg::CallResult::kSuccess;
}

}  // namespace annelid::firmware
