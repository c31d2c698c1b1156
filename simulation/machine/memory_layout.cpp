#include "simulation/machine/memory_layout.hpp"

#include <algorithm>
#include <vector>

namespace annelid::simulation {
namespace {

std::uint64_t aligned(std::uint64_t offset) {
  constexpr std::uint64_t kStep = MemoryLayout::kAlignment;
  return (offset + kStep - 1) / kStep * kStep;
}

}  // namespace

std::array<Buffer, 4> MemoryLayout::guards() const {
  const auto between = [](std::uint64_t from, std::uint64_t to) { return Buffer{from, to - from}; };
  return {between(0, source.offset), between(source.end(), target.offset),
          between(target.end(), scratch.offset), between(scratch.end(), end)};
}

MemoryLayout layout_of(const Collective& c) {
  const reference::Inputs inputs = c.inputs();
  // What the root has, so that the offsets are the same everywhere.
  const std::uint64_t source = reference::source_bytes(inputs, c.root);
  // (But for the root, rank 0, of an exclusive scan.)
  const std::uint64_t target = c.operation() == reference::Operation::kExscan
                                   ? c.bytes
                                   : reference::target_bytes(inputs, c.root);
  const auto ranks = static_cast<std::uint64_t>(c.network.nodes());
  const std::uint64_t block = (c.bytes + 7) / 8 * 8;
  const std::uint64_t ranked = 8 * block, others = (ranks + 1) * block + 8 * ranks;
  const std::uint64_t scratch = c.by_auto              ? std::max(ranked, others)
                                : c.algorithm->by_rank ? ranked
                                                       : others;

  MemoryLayout layout;
  const auto place = [](std::uint64_t after, std::uint64_t bytes) {
    return Buffer{aligned(after + MemoryLayout::kLeastGuard), bytes};
  };
  layout.source = place(0, source);
  layout.target = place(layout.source.end(), target);
  layout.scratch = place(layout.target.end(), scratch);
  layout.end = aligned(layout.scratch.end() + MemoryLayout::kLeastGuard);
  return layout;
}

std::uint64_t buffer_bytes(const Collective& c) {
  const reference::Inputs inputs = c.inputs();
  std::uint64_t all = 0;
  for (int i = 0; i < c.network.nodes(); ++i) {
    const reference::Node node = reference::node_at(c.network, i);
    all += reference::source_bytes(inputs, node) + reference::target_bytes(inputs, node);
  }
  return all;
}

std::uint64_t longest_buffer(const Collective& c) {
  const bool all = c.operation() == reference::Operation::kGather ||
                   c.operation() == reference::Operation::kScatter;
  return all ? c.bytes * static_cast<std::uint64_t>(c.network.nodes()) : c.bytes;
}

std::optional<reference::Message> too_long_message(const reference::Schedule& schedule) {
  for (const reference::Step& step : schedule.steps) {
    for (const reference::Message& m : step) {
      if (m.bytes > kLongestMessage) return m;
    }
  }
  return std::nullopt;
}

std::byte filler(std::uint64_t offset) {
  return static_cast<std::byte>((offset * 0x9E3779B97F4A7C15U >> 56U) | 1U);
}

void fill(nic::NodeMemory& memory, Buffer where) {
  std::vector<std::byte> bytes(where.bytes);
  for (std::uint64_t i = 0; i < where.bytes; ++i) bytes[i] = filler(where.offset + i);
  memory.write(where.offset, bytes);
}

}  // namespace annelid::simulation
