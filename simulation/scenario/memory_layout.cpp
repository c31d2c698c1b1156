#include "simulation/scenario/memory_layout.hpp"

#include <algorithm>
#include <numeric>

#include "simulation/scenario/mode_keys.hpp"

namespace annelid::simulation {
namespace {

std::uint64_t aligned(std::uint64_t offset) {
  constexpr std::uint64_t kStep = MemoryLayout::kAlignment;
  return (offset + kStep - 1) / kStep * kStep;
}

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

/// SCRATCH of a transposition by EDN on 2^k x 2^k: two halves of 5^(k/2) blocks.
std::uint64_t edn_transpose_scratch(const Collective& c) {
  std::uint64_t blocks = 1;
  for (int size = c.network.x; size >= 4; size /= 4) blocks *= 5;
  return 2 * padded(blocks * c.bytes);
}

/// Whether the blocks of an all-to-all go straight to their places.
bool is_direct(const Collective& c) {
  const std::uint32_t radix = c.parameter & 0xFFFF;  // of place 0
  return radix >= blocks_of(c) || c.algorithm->name != "radix";
}

/// What an algorithm uses of SCRATCH: firmware/README.md, "The host's calls".
std::uint64_t scratch_of(const reference::Algorithm& algorithm, const Collective& c) {
  using enum reference::Operation;
  const std::uint64_t nodes = blocks_of(c);
  const std::uint64_t block = padded(c.bytes);
  switch (algorithm.operation) {
    case kReduce:
    case kAllReduce:
      if (algorithm.by_rank || algorithm.name == "disjoint-trees" ||
          algorithm.name == "port-rings" || algorithm.name == "combs") {
        return 8 * block;
      }
      return algorithm.name == "ring" ? block : std::min<std::uint64_t>(nodes, 9) * block;
    case kScan:
    case kExscan:
      return 8 * block;
    case kGather:
    case kScatter:
      return algorithm.name == "radix" ? nodes * block : nodes * c.bytes + 4 * nodes + 3;
    case kAllGather: {
      const bool in_place = algorithm.name == "ring" || algorithm.name == "port-rings" ||
                            algorithm.name == "exchange";
      return in_place ? 0 : nodes * c.bytes;
    }
    case kReduceScatter:
      if (algorithm.name == "port-rings") return 3 * nodes * block;
      return 3 * padded(nodes * c.bytes);
    case kAllToAll:
      return is_direct(c) ? 0 : 2 * nodes * c.bytes;
    case kTranspose:
      return algorithm.name == "edn" ? edn_transpose_scratch(c) : 0;
    default:
      return 0;
  }
}

/// With blocks of different lengths: docs/internals/algorithms/intercom.md.
std::uint64_t scratch_of_lengths(const Collective& c) {
  if (c.operation() == reference::Operation::kAllToAll) return 0;
  const std::uint64_t sum = std::accumulate(c.lengths.begin(), c.lengths.end(), std::uint64_t{0});
  const std::uint64_t vectors = c.operation() == reference::Operation::kReduceScatter ? 3 : 1;
  return vectors * padded(sum) + 4 * (c.lengths.size() + 1);
}

/// For AUTO, which chooses by itself, what any of the operation's algorithms uses.
std::uint64_t scratch_bytes(const Collective& c) {
  if (c.own) return c.own->scratch;
  if (!c.lengths.empty()) return scratch_of_lengths(c);
  if (!c.by_auto) return scratch_of(*c.algorithm, c);
  std::uint64_t most = 0;
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.operation == c.operation()) most = std::max(most, scratch_of(a, c));
  }
  return most;
}

}  // namespace

std::array<Buffer, 4> MemoryLayout::guards() const {
  const auto between = [](std::uint64_t from, std::uint64_t to) { return Buffer{from, to - from}; };
  return {between(begin, source.offset), between(source.end(), target.offset),
          between(target.end(), scratch.offset),
          between(scratch.end(), lengths.bytes > 0 ? lengths.offset : end)};
}

MemoryLayout layout_of(const Collective& c, std::uint64_t begin) {
  // What the root has, so that the offsets are the same everywhere.
  std::uint64_t source = c.source_bytes(c.root);
  // (But for the root, rank 0, of an exclusive scan or of a shift with ends.)
  const bool at_some = c.operation() == reference::Operation::kExscan ||
                       c.operation() == reference::Operation::kShift;
  std::uint64_t target = at_some ? c.bytes : c.target_bytes(c.root);
  if (!c.lengths.empty()) {
    const BufferBytes buffers(c);
    for (const reference::Node& node : reference::members(c.network, c.ranks)) {
      source = std::max(source, buffers.source(node));
      target = std::max(target, buffers.target(node));
    }
  }
  const std::uint64_t scratch = comparison_bytes(c) + scratch_bytes(c);

  MemoryLayout layout;
  const auto place = [](std::uint64_t after, std::uint64_t bytes) {
    return Buffer{aligned(after + MemoryLayout::kLeastGuard), bytes};
  };
  layout.begin = begin;
  layout.source = place(begin, source);
  layout.target = place(layout.source.end(), target);
  layout.scratch = place(layout.target.end(), scratch);
  layout.lengths = {layout.scratch.end(), 0};
  if (!c.lengths.empty()) {
    layout.lengths = place(layout.scratch.end(), length_words(c, c.root).size());
  }
  layout.end = aligned(layout.lengths.end() + MemoryLayout::kLeastGuard);
  return layout;
}

void append_word(std::vector<std::byte>& bytes, std::uint32_t word) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::byte>(word >> shift));
  }
}

std::vector<std::byte> length_words(const Collective& c, const reference::Node& node) {
  const auto ranks = static_cast<std::size_t>(reference::rank_count(c.network, c.ranks));
  const std::uint64_t element = c.reduces() ? bytes_of(c.type) : 1;
  std::vector<std::byte> words;
  const auto add = [&](std::uint64_t bytes) {
    append_word(words, static_cast<std::uint32_t>(bytes / element));
  };
  if (c.operation() != reference::Operation::kAllToAll) {
    for (const std::uint64_t length : c.lengths) add(length);
    return words;
  }
  const auto rank = reference::rank_at(c.network, c.ranks, node);
  if (!rank) return words;
  const auto own = static_cast<std::size_t>(*rank);
  for (std::size_t to = 0; to < ranks; ++to) add(c.lengths[own * ranks + to]);
  for (std::size_t from = 0; from < ranks; ++from) add(c.lengths[from * ranks + own]);
  return words;
}

std::uint64_t blocks_of(const Collective& c) {
  return static_cast<std::uint64_t>(c.ranks.listed ? c.ranks.listed->size() : c.network.nodes());
}

std::uint64_t comparison_bytes(const Collective& c) {
  return c.in_develop_mode ? kComparisonBytes : 0;
}

std::uint64_t buffer_bytes(const Collective& c) {
  std::uint64_t all = 0;
  const BufferBytes buffers(c);
  for (int i = 0; i < c.network.nodes(); ++i) {
    const reference::Node node = reference::node_at(c.network, i);
    all += buffers.source(node) + buffers.target(node);
  }
  return all;
}

std::uint64_t longest_buffer(const Collective& c) {
  using enum reference::Operation;
  const bool all = c.operation() == kGather || c.operation() == kScatter ||
                   c.operation() == kReduceScatter ||
                   (c.operation() == kAllGather && c.algorithm->serves_groups()) ||
                   (c.operation() == kAllToAll && !is_direct(c));
  return all ? c.bytes * blocks_of(c) : c.bytes;
}

std::optional<reference::Message> too_long_message(const reference::Schedule& schedule) {
  for (const reference::Step& step : schedule.steps) {
    for (const reference::Message& m : step) {
      if (m.bytes > kLongestMessage) return m;
    }
  }
  return std::nullopt;
}

}  // namespace annelid::simulation
